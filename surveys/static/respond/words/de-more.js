// The page's texts in German for folded parts and after sending; en-more.js explains them.

import { shown } from "../words.js";

export const AUDIT = {
  questions: "Die Fragen",
  checked: "Diese Seite hat die Definition der Umfrage geladen. Unten steht ihre Prüfsumme (SHA-256), die jede Meldung trägt. Jede Tabelle hält das angegebene Alpha ein. Sonst würde die Seite keine Frage zeigen.",
  definition: "Die Definition, Byte für Byte (eine Datei)",
  most: (factor) => `um höchstens den Faktor ${shown(factor)}`,
  million: "um mehr als den Faktor 1 Million",
  apart: (change, chance) => `${change}, abgesehen von einer Wahrscheinlichkeit von höchstens ${chance}`,
  total: (strength, change) => `Alle Fragen zusammen: ${strength}; die Chancen einer Vermutung ändern sich ${change}.`,
  strength: (alpha, delta) => (delta ? `Alpha ${shown(alpha)} und Delta ${shown(delta)}` : `Alpha ${shown(alpha)}`),
  files: "Die Dateien, die hier laufen",
  order: "Ihr Browser vergleicht jede mit ihrem SHA-384-Fingerabdruck, bevor er sie verwendet. page.js tut alles bis zum Senden; was entscheidet, was gesendet wird, steht darin zuerst. Die anderen enthalten die Texte und zeigen, was aufgeklappt wird.",
  shared: "Fragen für alle",
  form: (number, total, percent) => `Teil ${number} von ${total}, gezogen mit einer Wahrscheinlichkeit von ${shown(percent)}\u00a0%`,
  own: ": Ihrer",
  totalWith: (strength, change) => `Mit den Fragen für alle: ${strength}; die Chancen einer Vermutung ändern sich ${change}.`,
  keptTogether: (strength, change) => `${strength}: Durch alle diese Antworten zusammen ändern sich die Chancen einer Vermutung ${change}`,
  guarantee: "Garantie, hier nachgerechnet",
  kept: (strength, change) => `${strength}: Durch diese eine Antwort ändern sich die Chancen einer Vermutung ${change}`,
  mechanism: "Verfahren",
  entry: (name) => `„${name}“`,
  chance: (threshold, percent) => `${threshold} / 2^53 = ${shown(percent)}\u00a0%`,
  program: "Das Programm dieser Website",
  release: (version, commit) => `Diese Website sagt, dass bei ihr Version ${version} läuft${commit ? `, Commit ${commit}` : "; von welchem Commit, sagt sie nicht"}.`,
  source: "Der Quelltext ist veröffentlicht unter ",
  noSource: "Wo der Quelltext veröffentlicht ist, sagt sie nicht. Fragen Sie die Betreiber.",
  manifest: "Das Manifest nennt jede Datei, die sie an Antwortende ausliefert. Sein Fingerabdruck:",
  log: "Das Protokoll dieser Website",
  head: (number, day) => `Ein Protokoll nennt, was diese Website ausliefert. Es hat ${number} Einträge, den neuesten vom ${day}. Unten steht ein Fingerabdruck von allen. Wer ihn mit ihrer Zahl aufhebt, sieht später, ob jemand das Protokoll verändert hat. Zwei Menschen, die Fingerabdrücke zur selben Zahl vergleichen, sehen, ob die Website ihnen verschiedene Protokolle zeigt.`,
  noHead: "Der Fingerabdruck des Protokolls kam nicht an.",
  more: "Version und Quelltext des Programms, mehr über das Protokoll, und wie man diese Website von außen prüft (öffnet einen neuen Tab)",
  site: "Diese Website auf die Probe stellen",
  draws: (count) => `Ihr Browser zieht ${count.toLocaleString("de")} Meldungen zu zwei ausgedachten Antworten, mit genau dem Code, der Ihre erzeugt, und zählt, wie gut die Meldungen die beiden unterscheiden. Nichts wird gesendet. So eine Zählung kann zeigen, dass Alpha größer ist als angegeben. Dass es das nicht ist, beweisen die Tabellen oben.`,
  which: "Frage",
  jointly: "Die beiden erdachten Menschen beantworten jede dieser Fragen anders, und eine Meldung unterscheidet sie, wenn sie alle Antworten des einen enthält.",
  audited: (number, text, alpha) => `${number}. ${text} (Alpha ${shown(alpha)})`,
  beyond: (reports, most, alpha) => `${reports.toLocaleString("de")} Meldungen können höchstens ein Alpha von ${shown(most)} zeigen, und angegeben ist hier ${shown(alpha)}. Was dazwischen liegt, kann diese Prüfung nicht feststellen; dass Meldungen ${shown(alpha)} einhalten, beweisen die Tabellen oben.`,
  draw: (count) => `${count.toLocaleString("de")} Meldungen ziehen`,
  progress: "Gezogene Meldungen",
  stop: "Anhalten",
  stopped: "Angehalten.",
  found: ({ reports, hits, n, least, promised }) => `Mit 95\u00a0% Konfidenz zeigen diese ${reports.toLocaleString("de")} Meldungen, dass Alpha mindestens ${shown(least)} ist. Angegeben: ${promised}. Die erste Hälfte hat entschieden, welches Merkmal die beiden Antworten am besten unterscheidet. In der zweiten hatten es ${hits[0].toLocaleString("de")} von ${n.toLocaleString("de")} Meldungen zur einen Antwort und ${hits[1].toLocaleString("de")} zur anderen.`,
};

export const BELIEFS = {
  together: (count, one) => ` für alle ${count} Antworten; für jede allein: ${one}.`,
  example: (number) => `Zum Beispiel Frage ${number}:`,
  either: "Ihre Meldung könnte aus jeder der beiden Gruppen stammen.",
  belief: (prior, high, low) => `Wer Ihre Antwort zu ${prior}\u00a0% vermutet, kommt durch die ganze Meldung auf höchstens ${high}\u00a0% oder fällt auf ${low > 0 ? `${low}\u00a0%` : "fast 0\u00a0%"}.`,
  truthfully: "Bitte antworten Sie ehrlich: Der Zufall schützt Sie. Lügen schützt nicht verlässlich besser und verzerrt das Ergebnis.",
  learn: "Wer was erfahren könnte",
  who: [
    ["Diese Seite:", "Ihre Antworten, bis Sie senden."],
    ["Das Netz:", "wann Sie teilnehmen."],
    ["Personal, Diebe, Gerichte:", "Ihre Meldung, in einer Tabelle ohne Namen, Adressen und Zeiten."],
    ["Die Ergebnisse:", "wie häufig Antworten sind."],
  ],
  drawn: "Dieser Browser hat Ihre Fragen ausgelost, bevor er eine gezeigt hat. Ihre Meldung nennt, welche Sie bekommen haben.",
  rounded: "Zahlen, die gemeinsam mit anderen Antworten verändert werden, werden vorher zufällig auf die kleinste oder die größte gerundet.",
  whose: ({ page, survey }) => `Was unter „${page}“ steht, hat die Seite selbst berechnet. Was unter „${survey}“ steht, haben die Menschen geschrieben, die hier fragen. Niemand hat es geprüft.`,
  weaker: "Ihr Schutz wird schwächer, wenn Sie zweimal teilnehmen, wenn ein Gerät oder eine Browser-Erweiterung mitliest oder wenn Ihnen jemand über die Schulter schaut. Nehmen Sie deshalb bitte nur einmal teil.",
  readers: "Wer nur die veröffentlichten Ergebnisse liest, erfährt meist weniger, denn dort ist Ihre Meldung eine von vielen. Wer sie ankommen sieht, etwa wer diese Website betreibt, kann alles erfahren, was hier steht.",
  wave: "Diese Umfrage folgt auf eine frühere. Haben Sie auch dort teilgenommen, zählen alle Meldungen als eine: ",
  guesses: "Wie weit sich eine Vermutung über eine Antwort verschieben kann, in Prozent.",
  columns: ["Vorher", "Durch eine Antwort allein", "Durch die ganze Meldung"],
  between: (low, high) => `${low} bis ${high}`,
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
const NOISE = "Ihre Gruppe zählt 1 und die anderen 0. Für jede wird eine ganze Zahl von 0 bis 2^53−1 gezogen. Hinzugezählt wird, wie viele der unten stehenden Zahlen sie erreicht, weniger die Hälfte von deren Anzahl.";

export const METHODS = {
  randomized_response: "Randomisierte Antwort (randomized response). „sizes“ sagt, wie viele Antworten zu jeder Frage gesendet werden; bei Listen: Einträge × Antworten.",
  bitwise: "Bitweise randomisierte Antwort. Ihre Antwort ist markiert, die anderen sind es nicht; dann wird jede Markierung mit der unten stehenden Wahrscheinlichkeit umgekehrt, jede für sich.",
  laplace: "Laplace-Rauschen in jeder Gruppe. Ihre Gruppe zählt 1 und die anderen 0; jede wird mit der Wahrscheinlichkeit „flip“ umgekehrt, jede für sich. Dann wächst eine 1 und schrumpft eine 0 um einen Abstand, dessen binäre Ziffern die Wahrscheinlichkeiten „magnitude“ haben. Der Abstand hängt nicht von Ihrer Antwort ab.",
  exponential: `Exponentieller Mechanismus. Gemeldet wird eine Antwort, eine nahe eher als eine ferne. Jede Zeile unten gehört zu einer Antwort. ${DRAWN} ist die gemeldete Antwort, von 0 an gezählt.`,
  osgt: `OSGT-Rauschen in jeder Gruppe. ${NOISE}`,
  gaussian: `Gauß-Rauschen in jeder Gruppe. ${NOISE}`,
  one_bit: "Ein Bit. Ihre Zahl wird zufällig auf die kleinste oder die größte gerundet, eher auf die nähere, so dass es im Mittel stimmt. Mit der Wahrscheinlichkeit „keep“ wird diese gesendet, sonst eine der beiden durch Zufall.",
  laplace_mean: `Laplace-Rauschen auf Ihrer Zahl. Sie wird zufällig auf einen der Gitterpunkte zwischen der kleinsten und der größten Zahl gerundet; für jeden steht unten eine Zeile. ${DRAWN} ist die gemeldete Stufe, gezählt von unterhalb der kleinsten bis oberhalb der größten Zahl.`,
  multiple: "Stichprobe. „sample“ der Antworten werden zufällig gezogen, gleich was Sie antworten. Mit der Wahrscheinlichkeit „keep“ wird für alle davon gesendet, ob Sie sie angekreuzt haben; sonst ist alles davon zufällig.",
  grid: "Stichprobe. „sample“ der Teilfragen werden zufällig gezogen, gleich was Sie antworten. Für jede davon werden „size“ Antworten gesendet. Mit der Wahrscheinlichkeit „keep“ sind alle Ihre Antworten darunter; sonst ist alles davon zufällig.",
  ranking: "Stichprobe. „sample“ der Punkte werden zufällig gezogen, gleich was Sie antworten. Mit der Wahrscheinlichkeit „keep“ wird Ihre Reihenfolge dieser Punkte gesendet, sonst eine zufällige.",
};

export const THANKS = {
  results: "Zu den Ergebnissen dieser Umfrage",
  code: "Abschlusscode: ",
  copy: "Code kopieren",
  copied: "Kopiert",
  back: (host) => `Zurück zu ${host}`,
  same: "Alle, die teilnehmen, sehen hier dasselbe. Nichts davon enthält Ihre Antworten.",
  repeated: "Ihre Meldung war bereits gespeichert, ein einziges Mal. Ihre Antworten sind von dieser Seite gelöscht.",
  differs: [
    "Das Gesendete kann von Ihren Antworten abweichen: Genau das schützt Sie.",
    "Das Gesendete kann von Ihren Antworten abweichen, aber viel über sie verraten.",
    "Das Gesendete kann von Ihren Antworten abweichen, sie aber auch beinahe verraten.",
  ],
  left: "Was Ihren Browser verlassen hat",
  routed: "Die Meldung enthält auch Fragen, die Ihnen nicht gestellt wurden. Wem eine Frage nicht gestellt wird, für den gilt immer dieselbe Antwort; sie wird zufällig verändert wie jede andere.",
  form: (number, total) => `Diese Umfrage hat ${total} Teile, und jeder Mensch bekommt einen davon. Die Meldung sagt, dass Sie Teil ${number} bekommen haben.`,
  together: (texts) => `${texts.length > 0 ? quoted(texts) : "Diese Antworten"}: gemeinsam zufällig verändert. Entweder sind alle Ihre Antworten unter dem, was gesendet wurde, oder alles davon ist zufällig. Auch Zufälliges kann Ihre Antworten enthalten.`,
  signed: "Ganz am Ende wurde eine Signatur mitgesendet. Sie besagt, dass die Meldung von einer eingeladenen Person kommt, aber nicht, von welcher: Der Server hat die Meldung signiert, ohne sie zu sehen.",
  question: "Frage",
  reported: "Gemeldet wurde",
  marked: "Markiert:",
  unmarked: "Keine Antwort ist markiert",
  among: "Eine von diesen oder eine andere:",
  picked: "Zufällig gezogen:",
  yes: "ja",
  no: "nein",
  bytes: (count) => `Die ${count} gesendeten Bytes`,
};

export const PREVIEW = {
  title: "Es wurde nichts gesendet",
  nothing: "Dies ist eine Vorschau: Die Seite hat die Meldung unten erzeugt und schon gelöscht. Wer teilnimmt, sieht das Folgende, sobald der Server die Meldung angenommen hat.",
  again: "Von vorn beginnen",
};

export const REFUSED = {
  title: "Ihre Meldung wurde nicht gespeichert",
  404: "Diese Umfrage gibt es nicht mehr. Es wurde nichts gespeichert.",
  409: "Die Meldung gehört zu anderen Fragen, als die Umfrage jetzt stellt. Es wurde nichts gespeichert.",
  410: "Die Umfrage wurde geschlossen, bevor die Meldung ankam. Es wurde nichts gespeichert.",
  early: "Die Umfrage hat noch nicht begonnen. Es wurde nichts gespeichert.",
  fault: "Der Server konnte die Meldung nicht lesen. Der Fehler liegt an der Umfrage-Software, nicht an Ihnen. Es wurde nichts gespeichert.",
  advice: "Hier ist nichts weiter zu tun, und eine zweite Antwort würde eine zweite Meldung senden. Bitte sagen Sie es der Person, die Sie eingeladen hat.",
  cleared: "Ihre Antworten sind von dieser Seite gelöscht, und die Meldung wird nicht noch einmal gesendet.",
};

export const LOST = {
  title: "Geben Sie Ihren Code ein",
  code: "Der Code aus Ihrem Brief, von Ihrer Karte oder vom Plakat",
  hint: "Leerzeichen, Bindestriche und Großbuchstaben spielen keine Rolle. Sie können auch den ganzen Link einfügen.",
  open: "Umfrage öffnen",
  wrong: "Das ist kein Code: Ein Zeichen fehlt, ist zu viel oder falsch getippt.",
  unknown: "Zu diesem Code gibt es keine Umfrage.",
};

export const INVITED = {
  promise: "Ihre Einladung gilt für eine Meldung. Der Server signiert diese Meldung, ohne sie zu sehen, und durch die Signatur wird sie angenommen. So verrät die Signatur niemandem, von welcher Einladung die Meldung kommt, auch nicht denen, die diese Website betreiben. Ob jemand Ihre Einladung schon eingelöst hat, erfährt die Seite erst nach Ihrer letzten Antwort. Sonst könnten alle, die Ihren Link haben, herausfinden, ob Sie teilgenommen haben.",
  group: (name) => `Sie wurden in der Gruppe „${name}“ eingeladen, und Ihre Meldung sagt das. `,
  groups: (names) => `Jede Meldung sagt, zu welcher Gruppe sie gehört, und die Ergebnisse jeder Gruppe werden für sich veröffentlicht: ${quoted(names)}. Von einer Gruppe mit zu wenigen Meldungen wird nichts veröffentlicht. Die Gruppe ist kein Geheimnis: Nur Ihre Antworten werden zufällig verändert.`,
  wrongKey: "Die Schlüssel dieser Umfrage sind nicht in Ordnung",
  revoked: "Diese Einladung gilt nicht mehr",
  changed: "Der Link Ihrer Einladung wurde unterwegs verändert",
  missing: "Diese Umfrage gibt es nur mit Einladung",
  missingWhy: "Ihr Link enthält keine Einladung oder ist nicht vollständig. Bitte öffnen Sie den Link, den Sie bekommen haben, genau so, wie Sie ihn bekommen haben. Es wurde nichts gesendet.",
  fleeting: "Die Meldung ist noch nicht gesendet. Bitte lassen Sie diese Seite offen: In diesem Browser kann sie die Meldung nicht aufbewahren.",
  why: "Ihre Einladung wird beim Drücken der Schaltfläche eingelöst. Wer dem Server bei der Arbeit zusieht, könnte sehen, dass die Meldung im selben Moment kommt. Ein späterer Zeitpunkt verrät weniger.",
  later: (shortest, longest) => `Meine Meldung ${shortest} bis ${longest} Minuten später senden, zu einem zufälligen Zeitpunkt`,
  waiting: "Ihre Meldung wartet",
  until: (time) => `Ihre Einladung ist eingelöst. Die Seite sendet die Meldung um ${time} von selbst. Wird die Umfrage vorher geschlossen, zählt die Meldung nicht.`,
  closing: "Bitte lassen Sie diese Seite bis dahin offen, oder öffnen Sie Ihren Link später noch einmal in diesem Browser. Ein privates Fenster vergisst die Meldung, wenn Sie es schließen.",
  instead: "Jetzt senden",
  wrong: "Die Signatur des Servers ist falsch",
  wrongWhy: "Deshalb hat die Seite Ihre Meldung nicht gesendet: Eine andere Signatur könnte sie wiedererkennbar machen. Die Meldung bleibt aufbewahrt. Hilft ein neuer Versuch nicht, sagen Sie es bitte der Person, die Sie eingeladen hat.",
  again: "Noch einmal versuchen",
  refused: "Ihre Meldung wurde nicht gesendet",
  takenBack: "Sie wurde zurückgenommen. Bitte fragen Sie die Person, die Sie eingeladen hat, nach einem neuen Link.",
  unsigned: "Ihr Link wurde schon eingelöst, vielleicht von Ihnen auf einem anderen Gerät, oder er wurde zurückgenommen, oder er ist beschädigt. Was davon zutrifft, sagt der Server nicht, damit niemand sonst mit Ihrem Link herausfinden kann, ob Sie teilgenommen haben. Bitte fragen Sie die Person, die Sie eingeladen hat, nach einem neuen Link.",
  early: "Die Umfrage hat noch nicht begonnen. Bitte öffnen Sie Ihren Link noch einmal, wenn sie begonnen hat.",
  404: "Diese Umfrage gibt es nicht mehr.",
  410: "Die Umfrage ist geschlossen.",
  fault: "Der Server konnte nicht lesen, was die Seite gesendet hat. Der Fehler liegt an der Umfrage-Software, nicht an Ihnen. Bitte sagen Sie es der Person, die Sie eingeladen hat.",
  deleted: "Ihre Antworten sind von dieser Seite gelöscht, und die Meldung wurde gelöscht. Niemand hat sie gesehen.",
};

export const RELAY = {
  promise: (host) => `Ihre Meldung geht über eine Zwischenstelle, ${host}, die jemand anderes betreibt. Die Zwischenstelle sieht, woher die Meldung kommt, kann sie aber nicht lesen. Diese Website liest die Meldung, sieht aber nicht, woher sie kommt. Gemeinsam könnten die beiden es herausfinden.`,
  lost: (host) => `Die Seite erreicht die Zwischenstelle ${host} nicht und versucht es weiter. Wenn Sie sie stattdessen direkt an diese Website senden lassen, sieht die Website Ihre IP-Adresse, wie schon beim Öffnen dieser Seite.`,
  direct: "Ohne die Zwischenstelle senden",
};

export const FRAME = {
  refused: "Diese Umfrage wird innerhalb dieser Seite nicht gezeigt",
  why: "Die Umfrage lässt nur Seiten zu, die sie nennt, und die Seite ringsum ist nicht als eine davon zu erkennen. Diese könnte etwas über die Fragen legen; deshalb wird hier nichts gefragt. In einem eigenen Fenster zeigt die Adressleiste, wessen Seite es ist.",
  followed: "In diesem Browser könnte die Seite ringsum sehen, an welcher Stelle der Umfrage Sie sind, und so etwas über Ihre Antworten erfahren. Deshalb wird hier nichts gefragt.",
  held: (host) => `Sie sehen diese Umfrage innerhalb einer Seite von ${host}. Dass Sie teilgenommen haben, merkt sich Ihr Browser nur für Seiten von ${host}.`,
  alone: "Die Umfrage in einem eigenen Fenster öffnen",
};

export const ANSWERED = {
  recorded: "In diesem Browser hat schon jemand diese Umfrage beantwortet",
  recordedFate: "Die Meldung wurde gespeichert. Vielen Dank. Ihr Inhalt wird hier nicht aufbewahrt.",
  refused: "Dieser Browser hat schon eine Meldung gesendet",
  refusedFate: "Die Meldung kam beim Server an, wurde aber nicht gespeichert. Ihr Inhalt wird hier nicht aufbewahrt.",
  elsewhere: "Das war unter einem anderen Link mit genau denselben Fragen. ",
  older: "Das war eine frühere Fassung dieser Umfrage. ",
  again: "Auch diese Fassung beantworten",
  both: "Zwei Meldungen verraten mehr als eine",
  sum: "Beide Meldungen zusammen können mehr über Sie verraten, als diese Seite für eine Meldung angibt: Ihre Alphas addieren sich.",
  used: "Dieser Link wurde auf diesem Gerät schon eingelöst",
  single: "Ein Link gilt für eine Meldung. Eine andere Person braucht einen eigenen Link.",
  another: "Eine andere Person möchte auf diesem Gerät antworten",
  really: "Ist es wirklich jemand anderes?",
  twice: "Wenn dieselbe Person zweimal antwortet, können beide Meldungen zusammen mehr über sie verraten, als diese Seite für eine Meldung angibt. Für eine andere Person gilt dasselbe wie für Sie.",
  yes: "Ja, jetzt antwortet eine andere Person",
};

export const NOT_ASKED = {
  nowhere: "Zu diesem Link gibt es keine Umfrage",
  nowhereWhy: (sent) => `Vielleicht ist der Link unvollständig, oder die Umfrage gibt es nicht mehr. Bitte öffnen Sie ihn noch einmal, ganz und so, wie Sie ihn bekommen haben. ${sent}`,
  closed: "Diese Umfrage ist geschlossen",
  closedWhy: "Sie nimmt keine Antworten mehr an, deshalb gibt es hier nichts auszufüllen. Vielen Dank für Ihren Besuch.",
  early: "Diese Umfrage hat noch nicht begonnen",
  earlyWhy: (when) => `Sie beginnt am ${when}. Öffnen Sie diese Seite dann noch einmal. Bis dahin gibt es nichts auszufüllen, und nichts wird gesendet oder aufbewahrt.`,
  refusal: "Diese Seite stellt keine Fragen",
  weaker: "Ihre Antworten wären weniger geschützt als angegeben.",
  noQuestion: "Deshalb zeigt die Seite keine Frage.",
  old: "Dieser Browser ist zu alt für diese Seite",
  oldWhy: (name) => `Ihm fehlt ${name}, was die Seite braucht. Bitte aktualisieren Sie diesen Browser, oder öffnen Sie den Link in einem anderen Browser oder auf einem anderen Gerät.`,
  elsewhere: "In einem anderen Tab ist diese Umfrage schon offen",
  elsewhereWhy: "Bitte antworten Sie dort. Sobald Sie jenen Tab schließen, geht es hier von selbst weiter.",
  here: "Lieber hier antworten",
  unknown: "Haben Sie diese Umfrage schon beantwortet?",
  unknownWhy: "Dieser Browser sagt nicht, ob er zu dieser Umfrage schon eine Meldung gesendet hat. Bitte nehmen Sie nur einmal teil: Zwei Meldungen zusammen können mehr über Sie verraten, als die Umfrage verspricht.",
  first: "Nein, ich habe noch nicht geantwortet",
  chance: "Der Zufallsgenerator dieses Browsers ist gestört",
  chanceWhy: "Die Seite braucht Zufallszahlen, um Ihre Antworten zu verändern, und die dieses Browsers wiederholen sich. Deshalb stellt sie keine Fragen, und es wurde nichts gesendet. Mit einem anderen Browser oder Gerät geht es vielleicht.",
  insecure: "Diese Seite muss über https geöffnet werden",
  insecureWhy: "Ohne Verschlüsselung könnte jemand im Netz diese Seite verändern. Dann könnten Sie sich auf nichts verlassen, was sie sagt. Bitte öffnen Sie denselben Link mit https:// am Anfang. Es wurde nichts gesendet.",
};

export const PROBLEMS = {
  format: () => "Diese Seite kennt dieses Format einer Umfrage nicht.",
  form: () => "Die Definition der Umfrage hat nicht die Form, die diese Seite lesen kann.",
  gap: ({ number }) => `Nicht jede Antwort auf Frage ${number} könnte gemeldet werden.`,
  weak: ({ texts }) => `Die Tabelle zu ${quoted(texts)} hält das angegebene Alpha nicht ein.`,
  together: () => "Die Fragen passen nicht zusammen in eine Meldung.",
};

export const READING = {
  marked: () => "Wo Antworten markiert sind: Der Zufall kann einige markiert und andere ausgelassen haben. Es können also mehrere oder keine sein, gleich was Sie gewählt haben.",
  figures: () => "Wo Gruppen Zahlen haben: Der Zufall kann jede verändert haben. Ihre Gruppe muss also nicht die größte haben.",
  among: () => "Wo mehrere Antworten genannt sind: Der Zufall hat mitgewählt, und Ihre muss nicht darunter sein.",
  near: () => "Wo Antworten eine Reihenfolge haben: Der Zufall kann die Meldung darin verschoben haben.",
  end: () => "Wo eine Zahl als ihre kleinste oder größte gemeldet ist: Der Zufall hat sie zu einer der beiden gemacht, öfter zur näheren, und kann beide dann noch vertauscht haben.",
  step: () => "Wo die Stufen als Zahlen zählen: Der Zufall hat aus Ihrer Antwort die erste oder die letzte gemacht, öfter die nähere, und kann beide dann noch vertauscht haben.",
  number: () => "Wo eine Zahl gemeldet ist: Der Zufall kann sie verändert haben, auch zu einer, die Sie nicht hätten antworten können.",
  ticked: (table) => `Wo mehrere Antworten möglich waren: ${sampled(table, ["einige davon", "diese"], ["eine davon", "diese eine"])}; der Zufall kann die Antwort umgekehrt haben.`,
  picked: (table) => `Wo es mehrere Teilfragen gab: ${sampled(table, ["einige davon", "diese"], ["eine davon", "diese"])}, und der Zufall kann die Antwort verändert haben.`,
  paired: ({ sample }) => `Wo Punkte zu ordnen waren: Ihr Browser hat nur von ${sample} Punkten eine Reihenfolge gemeldet; der Zufall kann sie verändert haben.`,
};

function quoted(texts) {
  return texts.map((text) => `„${text}“`).join(", ");
}

function sampled({ sample }, several, one) {
  const [drawn, reported] = sample > 1 ? several : one;
  return `Ihr Browser hat zufällig ${drawn} gezogen und nur ${reported} gemeldet`;
}

export const SELDOM = {
  date: {
    missing: "Bitte geben Sie ein Datum an.",
    4: "Geben Sie das Jahr ein, zum Beispiel 1984. Nur der Zeitraum, in den es fällt, wird verwendet.",
    7: "Geben Sie das Jahr ein und wählen Sie den Monat. Nur der Zeitraum, in den beide fallen, wird verwendet.",
    10: "Geben Sie den Tag an. Nur der Zeitraum, in den er fällt, wird verwendet.",
    year: "Jahr",
    month: "Monat",
  },
  ranking: {
    missing: "Bitte bringen Sie alles in Ihre Reihenfolge und bestätigen Sie sie.",
    hint: "Verschieben Sie die Punkte nach oben oder unten, bis sie in Ihrer Reihenfolge stehen. Bestätigen Sie sie dann.",
    drawn: (count, all) => {
      const [pick, these] = count < all ? [`Ihr Browser zieht zufällig ${count} der Punkte, gleich was Sie antworten. Er`, "dieser"] : ["Ihr Browser", "der"];
      return `${pick} sendet nur eine zufällig veränderte Antwort zur Reihenfolge ${these} Punkte.`;
    },
    up: (item) => `Nach oben: ${item}`,
    down: (item) => `Nach unten: ${item}`,
    confirm: "Das ist meine Reihenfolge",
    confirmed: "Bestätigt. Wenn Sie einen Punkt verschieben, bestätigen Sie bitte noch einmal.",
    moved: (item, place, count) => `${item}: jetzt Platz ${place} von ${count}. Bitte bestätigen Sie Ihre Reihenfolge.`,
    speaks: [
      (count) => `Wenn 100 Menschen zwei der Punkte so ordnen wie Sie, nennen etwa ${count} ihrer Meldungen zu diesen beiden diese Reihenfolge.`,
      (count) => `Wenn 100 andere sie umgekehrt ordnen, sind es etwa ${count}.`,
    ],
  },
};
