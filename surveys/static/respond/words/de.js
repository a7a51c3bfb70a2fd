// The page's words in German; en.js says what each of them is for.

// How the language writes a number, given as one or as a decimal string.
export function shown(number) {
  return `${number}`.replace(".", ",");
}

export const OWN = {
  yes: "Ja",
  no: "Nein",
  withheld: "Keine Angabe",
  under: (number) => `unter ${shown(number)}`,
  between: (low, high) => `${shown(low)} bis unter ${shown(high)}`,
  orMore: (number) => `${shown(number)} oder mehr`,
};

export const BY = { page: "Diese Seite sagt", survey: "Die Umfrage sagt" };

export const LANGUAGE = {
  label: "Sprache",
  lost: "Diese Sprache konnte nicht geladen werden. Die Seite bleibt, wie sie ist.",
};

export const ASKED = {
  choice: { missing: "Bitte wählen Sie eine Antwort." },
  multiple_choice: { missing: "Bitte kreuzen Sie an, was zutrifft, oder dass nichts davon zutrifft." },
  grid: { missing: "Bitte wählen Sie für jede Teilfrage eine Antwort." },
  histogram: {
    missing: "Bitte geben Sie eine Zahl ein.",
    range: () => "Nur die Gruppe Ihrer Zahl wird verwendet. Kleinere Zahlen zählen zur untersten Gruppe, größere zur " +
      "obersten.",
  },
  mean: {
    missing: "Bitte geben Sie eine Zahl ein.",
    range: ({ low, high, unit }) => `Von ${shown(low)} bis ${amount(shown(high), unit)}. Kleinere Zahlen zählen als ` +
      `${shown(low)}, größere als ${shown(high)}.`,
  },
};

export function amount(number, unit) {
  return unit ? `${number} ${unit}` : `${number}`;
}

export const CHOOSING = {
  counted: (last) => `Das Ergebnis zeigt nur den Mittelwert: Die Stufen zählen von 1 bis ${last}.`,
  none: "Nichts davon",
  find: "In dieser Liste suchen",
  found: (count, total) => `${count} von ${total} Antworten passen.`,
  sampled(sample) {
    const [part, about] = sample === 1 ? ["eine davon", "diese eine"] : [`${sample} davon`, "diese"];
    return `Ihr Browser zieht zufällig ${part}, gleich was Sie antworten. Eine zufällig veränderte Antwort sendet er nur ` +
      `für ${about}.`;
  },
};

export const NUMBERS = {
  none: "Das ist noch keine Zahl. Bitte geben Sie nur Ziffern ein, zum Beispiel 34 oder 34,5.",
  thousands: (plain) => `Bitte geben Sie Tausender ohne Punkt und Komma ein: ${plain}.`,
  long: "Diese Zahl ist zu lang. Bitte geben Sie weniger Ziffern ein.",
  counts: (what) => `Zählt als: ${what}.`,
  lowest: (what) => `Zählt als: ${what}, die kleinste Zahl dieser Frage.`,
  highest: (what) => `Zählt als: ${what}, die größte Zahl dieser Frage.`,
};

export const FORM = {
  title: "Die Fragen",
  send: "Meine zufällig veränderten Antworten senden",
  sending: "Wenn Sie auf diese Schaltfläche drücken, werden Ihre Antworten hier zufällig verändert, ein einziges Mal. Nur " +
    "das Ergebnis wird gesendet.",
  count: (total) => `Zu beantwortende Fragen: ${total}.`,
  progress: (answered, total) => `${answered} von ${total} beantwortet`,
  place: (number, total) => `Frage ${number} von ${total}`,
  numbered: (number, text) => `${number}. ${text}`,
  missing: (count) =>
    (count === 1 ? "Eine Frage ist noch nicht beantwortet." : `${count} Fragen sind noch nicht beantwortet.`),
  whole: " Eine ausgelassene Frage würde selbst etwas verraten. Deshalb wird nur eine vollständige Meldung gesendet.",
  ready: (count) => (count === 1 ? "Eine Frage ist bereit." : `${count} Fragen sind bereit.`),
  more: " Manche Antworten führen zu weiteren Fragen.",
  lot: "Ihre Fragen wurden aus einer längeren Liste ausgelost.",
  joint: (count, percent) => `${count === null ? "Ihre Antworten" : `${count} Ihrer Antworten`} werden gemeinsam zufällig ` +
    `verändert: Mit einer Wahrscheinlichkeit von etwa ${percent} % werden alle so gesendet, wie Sie sie geben. Sonst ` +
    "werden alle durch zufällige ersetzt.",
  together: (count) => `Eine von ${count} Antworten, die gemeinsam zufällig verändert werden.`,
};

export const SECTIONS = {
  place: (number, total) => `Abschnitt ${number} von ${total}`,
  back: "Zurück",
  next: "Weiter",
  all: "Alle Abschnitte zusammen zeigen",
  one: "Abschnitte einzeln zeigen",
};

export const CONSENT = {
  title: "Bevor Sie beginnen",
  agree: "Ich habe das gelesen und bin einverstanden",
  missing: "Bitte kreuzen Sie dieses Feld an, wenn Sie einverstanden sind. Sonst schließen Sie einfach die Seite: Es wurde " +
    "nichts gesendet.",
  go: "Zu den Fragen",
};

export const LATER = {
  words: "de-more.js",
  check: "Selbst nachprüfen",
  budget: "Was dieser Browser an diese Website gesendet hat",
  lost: "Dieser Teil kam nicht an oder ist die falsche Datei. Deshalb verwendet die Seite ihn nicht. Ihre Meldung ist " +
    "davon nicht betroffen.",
};

export const ODDS = {
  most: (factor) => `um höchstens den Faktor ${shown(factor)}`,
  million: "um mehr als den Faktor 1 Million",
  apart: (change, chance) => `${change}, abgesehen von einer Wahrscheinlichkeit von höchstens ${chance}`,
  oneIn: (count) => `1 zu ${count.toLocaleString("de")}`,
};

export const STRENGTH = [
  { title: "Starker Schutz", name: "stark" },
  { title: "Mittlerer Schutz", name: "mittel" },
  { title: "Schwacher Schutz", name: "schwach" },
  { title: "Kaum Schutz", name: "kaum" },
];

const NAMED = [
  (count) => `Von 100 Menschen, die so antworten wie Sie, nennen etwa ${count} Meldungen diese Antwort.`,
  (count) => `Von 100, die anders antworten, etwa ${count}.`,
];
const SAMPLED = [
  (count) => `Wenn 100 Menschen zu dieser Teilfrage so antworten wie Sie, nennen etwa ${count} ihrer Meldungen diese Antwort.`,
  (count) => `Wenn 100 andere anders antworten, sind es etwa ${count}.`,
];
const UPPER = [
  (count) => `Von 100 Menschen mit der größten Zahl liegen etwa ${count} Meldungen in der oberen Hälfte.`,
  (count) => `Von 100 mit der kleinsten Zahl liegen dort etwa ${count} Meldungen.`,
];
const STEPS = [
  (count) => `Von 100 Menschen, die die letzte Stufe wählen, liegen etwa ${count} Meldungen in der oberen Hälfte.`,
  (count) => `Von 100, die die erste Stufe wählen, liegen dort etwa ${count} Meldungen.`,
];
const FREQUENCIES = { multiple_choice: SAMPLED, grid: SAMPLED, mean: UPPER, steps: STEPS };

export function frequencies(kind) {
  return FREQUENCIES[kind] ?? NAMED;
}

export const PROMISE = {
  titles: [
    "Ihre Antworten werden vor dem Senden zufällig verändert",
    "Ihre Antworten werden vor dem Senden zufällig verändert",
    "Ihre Meldung kann viel über Ihre Antworten verraten",
    "Ihre Meldung kann Ihre Antworten beinahe verraten",
  ],
  standing: [
    "Ihre Antworten werden hier zufällig verändert.",
    "Ihre Antworten werden hier zufällig verändert.",
    "Ihre Meldung kann viel über Ihre Antworten verraten.",
    "Ihre Meldung kann Ihre Antworten beinahe verraten.",
  ],
  together: (count, one) => ` für alle ${count} Antworten; für jede allein: ${one}.`,
  cautions: [
    "Nehmen Sie nur teil, wenn andere etwas daraus erfahren dürfen.",
    "Nehmen Sie nur teil, wenn Ihre Antworten bekannt werden dürfen.",
  ],
  drawn: "Dieser Browser hat Ihre Fragen ausgelost, bevor er eine gezeigt hat. Ihre Meldung nennt, welche Sie bekommen haben.",
  rounded: "Zahlen, die gemeinsam mit anderen Antworten verändert werden, werden vorher zufällig auf die kleinste oder die " +
    "größte gerundet.",
  truthfully: "Bitte antworten Sie ehrlich: Der Zufall schützt Sie. Lügen schützt nicht verlässlich besser und verzerrt das " +
    "Ergebnis.",
  example: (number) => `Zum Beispiel Frage ${number}:`,
  either: "Ihre Meldung könnte aus der einen wie aus der anderen stammen.",
  belief: (prior, low, high) => `Wer Ihre Antwort zu ${prior} % vermutet, kommt durch die ganze Meldung auf höchstens ` +
    `${high} % oder fällt auf ${low > 0 ? `${low} %` : "fast 0 %"}.`,
  certain: (prior) => `Wer Ihre Antwort zu ${prior} % vermutet, kann durch die ganze Meldung so gut wie sicher werden.`,
  wave: "Diese Umfrage folgt auf eine frühere. Haben Sie auch dort teilgenommen, zählen alle Meldungen als eine: ",
  apart: (chance) => ` Mit einer Wahrscheinlichkeit von höchstens ${chance} verrät die Meldung zufällig mehr.`,
  learn: "Wer was erfahren könnte",
  who: [
    ["Diese Seite:", "Antworten bis zum Senden."],
    ["Das Netz:", "wann Sie teilnehmen."],
    ["Personal, Diebe, Gerichte:", "Ihre Meldung. Tabelle ohne Namen, Adressen, Zeiten."],
    ["Die Ergebnisse:", "nur Häufigkeiten."],
  ],
  more: "Mehr über Ihren Schutz",
  whose: ({ page, survey }) => `Was unter „${page}“ steht, hat die Seite selbst berechnet. Was unter „${survey}“ steht, ` +
    "haben die Menschen geschrieben, die hier fragen. Niemand hat es geprüft.",
  weaker: "Ihr Schutz wird schwächer, wenn Sie zweimal teilnehmen, wenn ein Gerät oder eine Browser-Erweiterung mitliest oder " +
    "wenn Ihnen jemand über die Schulter schaut. Nehmen Sie deshalb bitte nur einmal teil.",
  guesses: "Wie weit sich eine Vermutung über eine Antwort verschieben kann, in Prozent.",
  columns: ["Vorher", "Durch eine Antwort allein", "Durch die ganze Meldung"],
  between: (low, high) => `${low} bis ${high}`,
};

export const SENDING = {
  title: "Ihre Meldung wird gesendet",
  randomizing: "Ihre Antworten werden zufällig verändert.",
  cleared: "Ihre Antworten wurden zufällig verändert und von dieser Seite gelöscht. Übrig ist nur die fertige Meldung. " +
    "Auch wenn die Seite sie mehrmals sendet, ist es immer dieselbe.",
  lasting: "Sie können diese Seite schließen. Öffnen Sie sie später wieder in diesem Browser, und sie sendet dieselbe " +
    "Meldung. Ein privates Fenster vergisst die Meldung, wenn Sie es schließen.",
  fleeting: "Bitte lassen Sie diese Seite offen: In diesem Browser kann sie die Meldung nicht aufbewahren.",
  now: "Jetzt noch einmal versuchen",
  trying: "Wird gesendet …",
  network: "Das Netz oder der Server ist nicht erreichbar.",
  busy: "Der Server ist ausgelastet und bittet um eine Pause.",
  server: "Der Server hat im Moment ein Problem.",
  waiting: (reason, seconds) => `Noch nicht gesendet. ${reason} Die Seite versucht es in ` +
    `${seconds === 1 ? "1 Sekunde" : `${seconds} Sekunden`} noch einmal.`,
};

export const THANKS = {
  title: "Vielen Dank",
  recorded: "Ihre Meldung ist gespeichert. Ihre Antworten sind von dieser Seite gelöscht.",
  repeated: "Ihre Meldung war bereits gespeichert, ein einziges Mal. Ihre Antworten sind von dieser Seite gelöscht.",
  results: "Zu den Ergebnissen dieser Umfrage",
  differs: [
    "Das Gesendete kann von Ihren Antworten abweichen: Genau das schützt Sie.",
    "Das Gesendete kann von Ihren Antworten abweichen: Genau das schützt Sie.",
    "Das Gesendete kann von Ihren Antworten abweichen, aber viel über sie verraten.",
    "Das Gesendete kann von Ihren Antworten abweichen, sie aber auch beinahe verraten.",
  ],
  left: "Was Ihren Browser verlassen hat",
  routed: "Die Meldung enthält auch Fragen, die Ihnen nicht gestellt wurden. Wem eine Frage nicht gestellt wird, für den gilt " +
    "immer dieselbe Antwort; sie wird zufällig verändert wie jede andere.",
  form: (number, total) => `Diese Umfrage hat ${total} Teile, und jeder Mensch bekommt einen davon. Die Meldung nennt, ` +
    `dass Sie Teil ${number} bekommen haben.`,
  joint: (texts) => `${texts.length > 0 ? quoted(texts) : "Diese Antworten"}: gemeinsam zufällig verändert. Entweder sind ` +
    "es alle so, wie Sie geantwortet haben, oder alle wurden durch zufällige ersetzt. Auch eine zufällige kann dieselbe " +
    "sein wie Ihre.",
  question: "Frage",
  reported: "Gemeldet wurde",
  marked: "Markiert:",
  unmarked: "Keine Antwort ist markiert",
  among: "Eine von diesen oder eine andere:",
  picked: "Zufällig gezogen:",
  pair: (item, answer) => `${item}: ${answer}`,
  yes: "ja",
  no: "nein",
  bytes: (count) => `Die ${count} gesendeten Bytes`,
};

export const PREVIEW = {
  title: "Es wurde nichts gesendet",
  nothing: "Dies ist eine Vorschau: Die Seite hat die Meldung unten erzeugt und schon gelöscht. Wer teilnimmt, sieht das " +
    "Folgende, sobald der Server die Meldung angenommen hat.",
  again: "Von vorn beginnen",
};

export const REFUSED = {
  title: "Ihre Meldung wurde nicht gespeichert",
  404: "Unter dieser Adresse gibt es keine Umfrage mehr. Es wurde nichts gespeichert.",
  409: "Die Meldung gehört zu anderen Fragen, als die Umfrage jetzt stellt. Es wurde nichts gespeichert.",
  410: "Die Umfrage wurde geschlossen, bevor die Meldung ankam. Es wurde nichts gespeichert.",
  early: "Die Umfrage hat noch nicht begonnen. Es wurde nichts gespeichert.",
  fault: "Der Server konnte die Meldung nicht lesen. Der Fehler liegt an der Umfrage-Software, nicht an Ihnen. Es wurde " +
    "nichts gespeichert.",
  advice: "Hier ist nichts weiter zu tun, und eine zweite Antwort würde eine zweite Meldung senden. Bitte sagen Sie es der " +
    "Person, die Sie eingeladen hat.",
  cleared: "Ihre Antworten sind von dieser Seite gelöscht, und die Meldung wird nicht noch einmal gesendet.",
};

export const ANSWERED = {
  recorded: "In diesem Browser hat schon jemand diese Umfrage beantwortet",
  recordedFate: "Die Meldung wurde gespeichert. Vielen Dank. Ihr Inhalt wird hier nicht aufbewahrt.",
  refused: "Dieser Browser hat schon eine Meldung gesendet",
  refusedFate: "Die Meldung kam beim Server an, wurde aber nicht gespeichert. Ihr Inhalt wird hier nicht aufbewahrt.",
  elsewhere: "Das war unter einer anderen Adresse mit genau denselben Fragen. ",
  another: "Eine andere Person möchte auf diesem Gerät antworten",
  really: "Ist es wirklich jemand anderes?",
  twice: "Wenn dieselbe Person zweimal antwortet, können beide Meldungen zusammen mehr über sie verraten, als diese Seite " +
    "für eine Meldung angibt. Für eine andere Person gilt dasselbe wie für Sie.",
  yes: "Ja, jetzt antwortet eine andere Person",
};

export const STOPPED = {
  lost: "Die Fragen sind nicht angekommen",
  lostWhy: (sent) => `Das Netz oder der Server ist nicht erreichbar. ${sent}`,
  again: "Noch einmal versuchen",
  other: "Das sind nicht die Fragen, für die diese Seite gemacht wurde",
  otherWhy: (sent) => "Die Fragen haben nicht den Fingerabdruck, den diese Seite erwartet. Deshalb zeigt sie keine Frage. " +
    `${sent}`,
  refusal: "Diese Seite stellt keine Fragen",
  refusalWhy: (problem, sent) => `${problem} Ihre Antworten wären weniger geschützt als angegeben. Deshalb zeigt die Seite ` +
    `keine Frage. ${sent}`,
  nothingSent: "Es wurde nichts gesendet.",
  earlierSent: "Die Meldung, die dieser Browser früher gesendet hat, ist davon nicht betroffen.",
  waits: "Ihre fertige Meldung wartet in diesem Browser. Die Seite sendet sie, sobald sie sich richtig öffnet.",
  unknown: "Haben Sie diese Umfrage schon beantwortet?",
  unknownNow: "Jetzt wurde nichts gesendet. Ob früher eine Meldung gesendet wurde, sagt dieser Browser nicht.",
  unknownWhy: "Dieser Browser sagt nicht, ob er zu dieser Umfrage schon eine Meldung gesendet hat. Bitte nehmen Sie nur " +
    "einmal teil: Zwei Meldungen zusammen können mehr über Sie sagen, als die Umfrage verspricht.",
  first: "Nein, ich habe noch nicht geantwortet",
  elsewhere: "In einem anderen Tab ist diese Umfrage schon offen",
  elsewhereWhy: "Bitte antworten Sie dort. Sobald Sie jenen Tab schließen, geht es hier von selbst weiter.",
  here: "Lieber hier antworten",
  failed: "Die Meldung konnte nicht erzeugt werden",
  failedWhy: "Es wurde nichts gesendet. Ihre Antworten sind von dieser Seite gelöscht.",
  chance: "Der Zufallsgenerator dieses Browsers ist gestört",
  chanceWhy: "Die Seite braucht Zufallszahlen, um Ihre Antworten zu verändern, und die dieses Browsers wiederholen sich. " +
    "Deshalb stellt sie keine Fragen, und es wurde nichts gesendet. Mit einem anderen Browser oder Gerät geht es vielleicht.",
  insecure: "Diese Seite muss über https geöffnet werden",
  insecureWhy: "Ohne Verschlüsselung könnte jemand im Netz diese Seite verändern. Dann würde nichts von dem gelten, was sie " +
    "sagt. Bitte öffnen Sie dieselbe Adresse mit https:// am Anfang. Es wurde nichts gesendet.",
};

function quoted(texts) {
  return texts.map((text) => `„${text}“`).join(", ");
}

export const PROBLEMS = {
  format: () => "Diese Seite kennt dieses Format einer Umfrage nicht.",
  form: () => "Die Definition der Umfrage hat nicht die Form, die diese Seite lesen kann.",
  gap: ({ number }) => `Nicht jede Antwort auf Frage ${number} könnte gemeldet werden.`,
  weak: ({ text }) => `Die Tabelle der Frage „${text}“ hält das angegebene Alpha nicht ein.`,
  joint: ({ texts }) => `Die Fragen ${quoted(texts)} werden gemeinsam zufällig verändert, und ihre Tabelle hält das ` +
    "angegebene Alpha nicht ein.",
  together: () => "Die Fragen passen nicht zusammen in eine Meldung.",
};

export const READING = {
  marked: () => "Wo Antworten markiert sind: Der Zufall kann einige markiert und andere ausgelassen haben. Es können also " +
    "mehrere oder keine sein, gleich was Sie gewählt haben.",
  figures: () => "Wo Gruppen Zahlen haben: Der Zufall kann jede verändert haben. Ihre Gruppe muss also nicht die größte haben.",
  among: () => "Wo mehrere Antworten genannt sind: Der Zufall hat mitgewählt, und Ihre muss nicht darunter sein.",
  near: () => "Wo Antworten eine Reihenfolge haben: Der Zufall kann die Meldung darin verschoben haben.",
  end: () => "Wo eine Zahl als ihre kleinste oder größte gemeldet ist: Der Zufall hat sie zu einer der beiden gemacht, " +
    "öfter zur näheren, und kann beide dann noch vertauscht haben.",
  step: () => "Wo die Stufen als Zahlen zählen: Der Zufall hat aus Ihrer Antwort die erste oder die letzte gemacht, öfter " +
    "die nähere, und kann beide dann noch vertauscht haben.",
  number: () => "Wo eine Zahl gemeldet ist: Der Zufall kann sie verändert haben, auch zu einer, die Sie nicht hätten " +
    "antworten können.",
  ticked: (table) => `Wo mehrere Antworten möglich waren: ${sampled(table, ["einige davon", "diese"], ["eine davon", "diese eine"])}; ` +
    "der Zufall kann die Antwort umgekehrt haben.",
  picked: (table) => `Wo es mehrere Teilfragen gab: ${sampled(table, ["einige davon", "diese"], ["eine davon", "diese"])}, ` +
    "und der Zufall kann die Antwort verändert haben.",
};

function sampled({ sample }, several, one) {
  const [drawn, reported] = sample > 1 ? several : one;
  return `Ihr Browser hat zufällig ${drawn} gezogen und nur ${reported} gemeldet`;
}
