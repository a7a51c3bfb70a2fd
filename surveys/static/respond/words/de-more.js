// What folded parts of the page say in German; en-more.js says what each of them is for.

import { shown } from "../words.js";

export const AUDIT = {
  questions: "Die Fragen",
  checked: "Diese Seite hat die Definition der Umfrage geladen und ihren SHA-256 mit dem Fingerabdruck unten verglichen, den " +
    "jede Meldung trägt. Jede Tabelle hält das angegebene Alpha ein. Sonst würde die Seite keine Frage zeigen.",
  definition: "Die Definition, Byte für Byte (öffnet einen neuen Tab)",
  total: (strength, change) => `Alle Fragen zusammen: ${strength}; die Chancen einer Vermutung ändern sich ${change}.`,
  strength: (alpha, delta) => (delta ? `Alpha ${shown(alpha)} und Delta ${shown(delta)}` : `Alpha ${shown(alpha)}`),
  files: "Die Dateien, die hier laufen",
  order: "Ihr Browser vergleicht jede mit ihrem SHA-384-Fingerabdruck, bevor er sie verwendet. page.js tut alles bis zum " +
    "Senden; was entscheidet, was gesendet wird, steht darin zuerst. Die anderen enthalten die Texte und zeigen, was " +
    "aufgeklappt wird.",
  everybody: "Fragen für alle",
  form: (number, total, percent) => `Teil ${number} von ${total}, gezogen mit einer Wahrscheinlichkeit von ${shown(percent)} %`,
  own: ": Ihrer",
  totalWith: (strength, change) => `Mit den Fragen für alle: ${strength}; die Chancen einer Vermutung ändern sich ${change}.`,
  keptTogether: (strength, change) => `${strength}: Durch alle diese Antworten zusammen ändern sich die Chancen einer ` +
    `Vermutung ${change}`,
  together: (count, percent) => `Gemeinsam verändert. Die Antworten auf diese Fragen sind eine von ${count} Kombinationen. ` +
    "Jede andere Kombination wird mit der unten stehenden Wahrscheinlichkeit gemeldet, sonst Ihre. Das heißt: Mit einer " +
    `Wahrscheinlichkeit von ${shown(percent)} % bleiben alle Antworten, sonst werden alle durch eine zufällig gezogene ` +
    "Kombination ersetzt, die auch wieder Ihre sein kann.",
  guarantee: "Garantie, hier nachgerechnet",
  kept: (strength, change) => `${strength}: Durch diese eine Antwort ändern sich die Chancen einer Vermutung ${change}`,
  mechanism: "Verfahren",
  entry: (name) => `„${name}“`,
  chance: (threshold, percent) => `${threshold} / 2^53 = ${shown(percent)} %`,
  log: "Das Protokoll dieser Website",
  head: (number, day) => `Ein Protokoll nennt, was diese Website ausliefert. Jeder Eintrag enthält den Fingerabdruck des ` +
    `vorigen. Der neueste ist Nummer ${number} vom ${day}, mit dem Fingerabdruck unten. Wer beides aufhebt, sieht später, ob ` +
    "jemand das Protokoll verändert hat. Zwei Menschen, die es vergleichen, sehen, ob die Website ihnen verschiedene " +
    "Protokolle zeigt.",
  noHead: "Der neueste Eintrag des Protokolls kam nicht an.",
  more: "Mehr über das Protokoll, und wie man diese Website von außen prüft (öffnet einen neuen Tab)",
  site: "Diese Website prüfen",
  draws: (count) => `Ihr Browser zieht ${count.toLocaleString("de")} Meldungen zu zwei ausgedachten Antworten, mit genau ` +
    "dem Code, der Ihre erzeugt, und zählt, wie gut die Meldungen die beiden unterscheiden. Nichts wird gesendet. So eine " +
    "Zählung kann zeigen, dass Alpha größer ist als angegeben. Dass es das nicht ist, beweisen die Tabellen oben.",
  which: "Frage",
  audited: (number, text, alpha) => `${number}. ${text} (Alpha ${shown(alpha)})`,
  beyond: (reports, most, alpha) => `${reports.toLocaleString("de")} Meldungen können höchstens ein Alpha von ` +
    `${shown(most)} zeigen, und diese Frage hat ${shown(alpha)}. Was dazwischen liegt, kann diese Prüfung nicht ` +
    `feststellen; dass Meldungen ${shown(alpha)} einhalten, beweisen die Tabellen oben.`,
  draw: (count) => `${count.toLocaleString("de")} Meldungen ziehen`,
  progress: "Gezogene Meldungen",
  stop: "Anhalten",
  stopped: "Angehalten.",
  found: ({ reports, hits, n, least, promised }) => `Mit 95 % Konfidenz zeigen diese ${reports.toLocaleString("de")} ` +
    `Meldungen, dass Alpha mindestens ${shown(least)} ist. Angegeben: ${promised}. Die erste Hälfte hat entschieden, welches ` +
    `Merkmal die beiden Antworten am besten unterscheidet. In der zweiten hatten es ${hits[0].toLocaleString("de")} von ` +
    `${n.toLocaleString("de")} Meldungen zur einen Antwort und ${hits[1].toLocaleString("de")} zur anderen.`,
};

export const BUDGET = {
  kept: "Diese Liste bleibt auf diesem Gerät und wird nie gesendet. Über Ihre Antworten sagt sie nichts.",
  adds: "Was mehrere Meldungen über eine Person verraten können, addiert sich.",
  none: "Die Liste ist leer.",
  off: "Dieses Gerät führt keine Liste.",
  columns: ["Umfrage", "Tag", "Schutz"],
  together: (sum) => `Zusammen: ${sum}. `,
  clear: "Liste leeren",
  shared: "Andere benutzen dieses Gerät auch: nichts aufheben",
  keep: "Ab jetzt eine Liste führen",
};

const DRAWN = "Eine ganze Zahl von 0 bis 2^53−1 wird gezogen, und wie viele der Zahlen dieser Zeile sie erreicht,";
const NOISE = "Ihre Gruppe zählt 1 und die anderen 0. Für jede wird eine ganze Zahl von 0 bis 2^53−1 gezogen. " +
  "Hinzugezählt wird, wie viele der unten stehenden Zahlen sie erreicht, weniger die Hälfte von deren Anzahl.";

export const METHODS = {
  randomized_response: "Randomisierte Antwort (randomized response). Jede andere Antwort wird mit der unten stehenden " +
    "Wahrscheinlichkeit gemeldet, sonst Ihre.",
  bitwise: "Bitweise randomisierte Antwort. Ihre Antwort ist markiert, die anderen sind es nicht; dann wird jede " +
    "Markierung mit der unten stehenden Wahrscheinlichkeit umgekehrt, jede für sich.",
  laplace: "Laplace-Rauschen in jeder Gruppe. Ihre Gruppe zählt 1 und die anderen 0; jede wird mit der Wahrscheinlichkeit " +
    "„flip“ umgekehrt, jede für sich. Dann wächst eine 1 und schrumpft eine 0 um einen Abstand, dessen binäre Ziffern " +
    "die Wahrscheinlichkeiten „magnitude“ haben. Der Abstand hängt nicht von Ihrer Antwort ab.",
  subset: "Auswahl einer Teilmenge (subset selection). Gemeldet wird eine Menge von „m“ Antworten. Ihre ist mit der " +
    "Wahrscheinlichkeit „in“ darunter; die übrigen werden zufällig gezogen.",
  exponential: "Exponentieller Mechanismus. Gemeldet wird eine Antwort, eine nahe eher als eine ferne. Jede Zeile unten gehört " +
    `zu einer Antwort. ${DRAWN} ist die gemeldete Antwort, von 0 an gezählt.`,
  osgt: `OSGT-Rauschen in jeder Gruppe. ${NOISE}`,
  gaussian: `Gauß-Rauschen in jeder Gruppe. ${NOISE}`,
  one_bit: "Ein Bit. Ihre Zahl wird zufällig auf die kleinste oder die größte gerundet, eher auf die nähere, so dass es im " +
    "Mittel stimmt. Mit der unten stehenden Wahrscheinlichkeit wird stattdessen die andere der beiden gemeldet.",
  laplace_mean: "Laplace-Rauschen auf Ihrer Zahl. Sie wird zufällig auf einen der Gitterpunkte zwischen der kleinsten und der " +
    `größten Zahl gerundet; für jeden steht unten eine Zeile. ${DRAWN} ist die gemeldete Stufe, gezählt von unterhalb ` +
    "der kleinsten bis oberhalb der größten Zahl.",
  multiple: "Stichprobe. „sample“ der Antworten werden zufällig gezogen, gleich was Sie antworten. Für jede davon wird " +
    "gemeldet, ob Sie sie angekreuzt haben, und mit der Wahrscheinlichkeit „other“ das Gegenteil.",
  grid: "Stichprobe. „sample“ der Teilfragen werden zufällig gezogen, gleich was Sie antworten. Für jede davon wird jede " +
    "andere Antwort mit der Wahrscheinlichkeit „other“ gemeldet, sonst Ihre.",
};
