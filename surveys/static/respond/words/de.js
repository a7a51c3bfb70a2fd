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

export const LANGUAGE = {
  label: "Sprache",
  lost: "Diese Sprache konnte nicht geladen werden. Die Seite bleibt, wie sie ist.",
};

const CHOOSE = { missing: "Bitte wählen Sie eine Antwort." };

export const ASKED = {
  yes_no: CHOOSE,
  single_choice: CHOOSE,
  ordered: CHOOSE,
  multiple_choice: { missing: "Bitte kreuzen Sie an, was zutrifft, oder dass nichts davon zutrifft." },
  grid: { missing: "Bitte wählen Sie für jeden dieser Punkte eine Antwort." },
  histogram: {
    missing: "Bitte schreiben Sie eine Zahl.",
    range: ({ edges }) => "Nur die Gruppe, in die Ihre Zahl fällt, wird verwendet. Zahlen unter " +
      `${shown(edges[0])} oder über ${shown(edges.at(-1))} zählen zur ersten oder zur letzten Gruppe.`,
  },
  mean: {
    missing: "Bitte schreiben Sie eine Zahl.",
    range: ({ low, high, unit }) => `Von ${shown(low)} bis ${amount(shown(high), unit)}. Kleinere Zahlen zählen als ` +
      `${shown(low)}, größere als ${shown(high)}.`,
  },
};

export function amount(number, unit) {
  return unit ? `${number} ${unit}` : `${number}`;
}

export const CHOOSING = {
  none: "Nichts davon",
  find: "In dieser Liste suchen",
  found: (count, total) => `${count} von ${total} passen.`,
  sampled(sample) {
    const [part, about] = sample === 1 ? ["eine davon", "diese eine"] : [`${sample} davon`, "diese"];
    return `Ihr Browser zieht zufällig ${part}, gleich was Sie antworten, und sendet eine zufällig veränderte Antwort ` +
      `nur für ${about}.`;
  },
};

export const NUMBERS = {
  none: "Das ist noch keine Zahl. Bitte schreiben Sie nur Ziffern, zum Beispiel 34 oder 34,5.",
  thousands: (plain) => `Bitte schreiben Sie Tausender ohne Punkt und Komma: ${plain}.`,
  long: "Diese Zahl ist zu lang. Bitte schreiben Sie weniger Ziffern.",
  counts: (what) => `Zählt als: ${what}.`,
  lowest: (what) => `Zählt als: ${what}, die kleinste Zahl dieser Frage.`,
  highest: (what) => `Zählt als: ${what}, die größte Zahl dieser Frage.`,
};

export const FORM = {
  title: "Die Fragen",
  send: "Meine zufällig veränderten Antworten senden",
  sending: "Wenn Sie hier drücken, werden Ihre Antworten auf diesem Gerät zufällig verändert, ein einziges Mal. Nur das " +
    "Ergebnis wird gesendet.",
  count: (total) => `Zu beantwortende Fragen: ${total}.`,
  progress: (answered, total) => `${answered} von ${total} beantwortet`,
  place: (number, total) => `Frage ${number} von ${total}`,
  numbered: (number, text) => `${number}. ${text}`,
  missing: (count) =>
    (count === 1 ? "Eine Frage ist noch nicht beantwortet." : `${count} Fragen sind noch nicht beantwortet.`),
  whole: " Eine Lücke lässt sich nicht zufällig verändern und würde etwas verraten. Deshalb werden nur vollständige " +
    "Antworten gesendet.",
  ready: (count) => (count === 1 ? "Eine Frage ist bereit." : `${count} Fragen sind bereit.`),
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
  missing: "Bitte kreuzen Sie das an, wenn Sie einverstanden sind. Wenn nicht, schließen Sie einfach die Seite: Es wurde " +
    "nichts gesendet.",
  go: "Zu den Fragen",
};

export const LATER = {
  words: "de-more.js",
  check: "Selbst nachprüfen",
  budget: "Was dieser Browser an diese Website gesendet hat",
  lost: "Dieser Teil kam nicht an oder ist nicht die Datei, die er sein sollte; deshalb wird er nicht verwendet. Ihre " +
    "Meldung ist davon nicht betroffen.",
};

export const ODDS = {
  most: (factor) => `höchstens das ${shown(factor)}-Fache`,
  million: "mehr als das Millionenfache",
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
  (count) => `Antworten 100 Menschen so wie Sie, nennen etwa ${count} ihrer Meldungen diese Antwort.`,
  (count) => `Antworten 100 Menschen anders, nennen auch davon etwa ${count} diese Antwort.`,
];
const SAMPLED = [
  (count) => `Von 100 Meldungen zu einem Punkt, den Menschen so beantworten wie Sie, nennen etwa ${count} diese Antwort.`,
  (count) => `Von 100 zu einem Punkt, den sie anders beantworten, nennen auch etwa ${count} diese Antwort.`,
];
const UPPER = [
  (count) => `Von den Meldungen von 100 Menschen mit der größten Zahl liegen etwa ${count} in der oberen Hälfte.`,
  (count) => `Von denen von 100 Menschen mit der kleinsten Zahl liegen dort auch etwa ${count}.`,
];
const FREQUENCIES = { multiple_choice: SAMPLED, grid: SAMPLED, mean: UPPER };

export function frequencies(kind) {
  return FREQUENCIES[kind] ?? NAMED;
}

export const PROMISE = {
  title: "Ihre Antworten werden zufällig verändert, bevor sie diesen Browser verlassen",
  together: (count, one) => ` für alle ${count} Antworten zusammen; für jede einzelne: ${one}.`,
  cautions: {
    weak: "Wer an Ihre Meldung gelangt, könnte daraus viel erfahren. Nehmen Sie nur teil, wenn Ihnen das nichts ausmacht.",
    one: "Eine Meldung verrät die Antwort beinahe. Nehmen Sie nur teil, wenn es Ihnen nichts ausmacht, dass sie bekannt " +
      "wird.",
    all: "Alles Gesendete zusammen verrät die Antworten beinahe. Nehmen Sie nur teil, wenn es Ihnen nichts ausmacht, dass " +
      "sie bekannt werden.",
  },
  truthfully: "Bitte antworten Sie ehrlich: Der Zufall schützt Sie. Eine unwahre Antwort bringt keinen verlässlichen " +
    "Schutz dazu und verdirbt das Ergebnis.",
  example: (number) => `Zum Beispiel Frage ${number}:`,
  either: "Was auch immer Ihre Meldung sagt, sie könnte von beiden Seiten stammen.",
  belief: (prior, low, high) => `Wer Ihre Antwort vorher mit ${prior} von 100 für wahrscheinlich hielt, kommt ` +
    `danach auf höchstens ${high} und mindestens ${low} von 100.`,
  certain: "Trotzdem kann jemand, der sie sieht, am Ende so gut wie sicher sein.",
  apart: (chance) => ` Dabei bleibt eine Wahrscheinlichkeit von höchstens ${chance} außer Acht, dass das Gesendete ` +
    "zufällig mehr verrät.",
  more: "Wer was erfahren könnte",
  who: [
    ["Diese Seite", "Ihre Antworten, bis Sie senden. Dann verändert sie diese zufällig, ein einziges Mal, und löscht sie."],
    ["Wer das Netz beobachtet", "Dass Sie teilnehmen und wann. Nicht, was die Meldung sagt: Sie ist unterwegs " +
      "verschlüsselt."],
    ["Wer die Datenbank bekommt: Personal, Diebe, ein Gericht", "Zufällig veränderte Meldungen ohne Namen, Adressen oder " +
      "Uhrzeiten. Aus jeder nicht mehr, als hier steht."],
    ["Wer die Ergebnisse liest", "Wie häufig jede Antwort ist, denn über viele Meldungen gleicht der Zufall sich aus. " +
      "Keine einzelne Meldung."],
  ],
  weaker: "Was das schwächen würde: zweimal teilnehmen; ein Gerät oder eine Browser-Erweiterung, die mitliest; jemand, " +
    "der Ihnen über die Schulter schaut. Nehmen Sie deshalb bitte nur einmal teil.",
  guesses: "Wie weit sich eine Vermutung über eine Antwort verschieben kann, von 100.",
  columns: ["Vorher", "Durch das Gesendete zu einer Frage", "Durch die ganze Meldung"],
  between: (low, high) => `${low} bis ${high}`,
};

export const SENDING = {
  title: "Ihre Meldung wird gesendet",
  randomizing: "Ihre Antworten werden zufällig verändert.",
  cleared: "Ihre Antworten wurden zufällig verändert und von dieser Seite gelöscht. Übrig ist nur die fertige Meldung. " +
    "Wie oft sie auch gesendet werden muss, es ist immer dieselbe.",
  lasting: "Sie können diese Seite schließen. Dieser Browser bewahrt die fertige Meldung auf und sendet sie, wenn Sie die " +
    "Seite wieder öffnen.",
  fleeting: "Bitte lassen Sie diese Seite offen: Dieser Browser lässt sie die Meldung nicht aufbewahren.",
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
  left: "Was Ihren Browser verlassen hat",
  whole: "Das Gesendete kann von dem abweichen, was Sie geantwortet haben: Genau das schützt Sie. Dies ist die ganze " +
    "Meldung.",
  routed: "Auch Fragen, die Ihnen nicht gestellt wurden, stehen darin: mit einer Antwort, die für alle gleich ist, denen " +
    "sie nicht gestellt werden, und zufällig verändert wie jede andere. So sieht niemand, welche Fragen Ihnen gestellt " +
    "wurden.",
  question: "Frage",
  reported: "Gemeldet wurde",
  marked: "Markiert:",
  unmarked: "Keine Antwort ist markiert",
  among: "Eine von diesen oder eine andere:",
  picked: "Zufällig gezogen:",
  pair: (item, answer) => `${item}: ${answer}`,
  yes: "ja",
  no: "nein",
  bytes: (count) => `Die gesendeten ${count} Bytes im Wortlaut`,
};

export const PREVIEW = {
  title: "Es wurde nichts gesendet",
  nothing: "Dies ist eine Vorschau: Die Meldung unten wurde hier erzeugt und ist schon vergessen. Wer teilnimmt, sieht das " +
    "Folgende, sobald der Server die Meldung angenommen hat.",
  again: "Von vorn beginnen",
};

export const REFUSED = {
  title: "Ihre Meldung wurde nicht gespeichert",
  404: "Unter dieser Adresse gibt es keine Umfrage mehr. Es wurde nichts gespeichert.",
  409: "Ihre Fragen sind nicht die, die die Umfrage jetzt hat. Es wurde nichts gespeichert.",
  410: "Die Umfrage wurde geschlossen, bevor die Meldung ankam. Es wurde nichts gespeichert.",
  early: "Die Umfrage hat noch nicht begonnen. Es wurde nichts gespeichert.",
  fault: "Der Server konnte sie nicht lesen. Das ist ein Fehler der Umfrage-Software, nicht Ihrer. Es wurde nichts " +
    "gespeichert.",
  cleared: "Ihre Antworten sind von dieser Seite gelöscht, und die Meldung wird nicht noch einmal gesendet.",
};

export const ANSWERED = {
  recorded: "Diese Umfrage wurde in diesem Browser schon beantwortet",
  recordedFate: "Die Meldung wurde gespeichert. Vielen Dank. Was sie sagte, ist hier nicht aufbewahrt.",
  refused: "Aus diesem Browser wurde schon eine Meldung gesendet",
  refusedFate: "Sie kam beim Server an, wurde aber nicht gespeichert. Was sie sagte, ist hier nicht aufbewahrt.",
  elsewhere: "Das war unter einer anderen Adresse mit genau denselben Fragen. ",
  another: "Eine andere Person möchte auf diesem Gerät antworten",
  really: "Ist es wirklich jemand anderes?",
  twice: "Wenn dieselbe Person zweimal antwortet, können beide Meldungen zusammen mehr über sie verraten, als die Umfrage " +
    "für eine verspricht. Jemand anderes ist voll geschützt.",
  yes: "Ja, jetzt antwortet eine andere Person",
};

export const STOPPED = {
  lost: "Die Fragen sind nicht angekommen",
  lostWhy: (sent) => `Das Netz oder der Server ist nicht erreichbar. ${sent}`,
  again: "Noch einmal versuchen",
  other: "Das sind nicht die Fragen, für die diese Seite gemacht wurde",
  otherWhy: (sent) => "Was angekommen ist, hat nicht den Fingerabdruck, den diese Seite erwartet. Deshalb wird keine Frage " +
    `gezeigt. ${sent}`,
  refusal: "Diese Seite fragt nicht",
  refusalWhy: (problem, sent) => `${problem} Ihre Antworten wären weniger geschützt als versprochen. Deshalb wird keine ` +
    `Frage gezeigt. ${sent}`,
  nothingSent: "Es wurde nichts gesendet.",
  earlierSent: "Die früher von hier gesendete Meldung ist davon nicht betroffen.",
  waits: "Ihre fertige Meldung wartet in diesem Browser und wird gesendet, sobald diese Seite sich öffnet, wie sie soll.",
  failed: "Die Meldung konnte nicht erzeugt werden",
  failedWhy: "Es wurde nichts gesendet. Ihre Antworten sind von dieser Seite gelöscht.",
  chance: "Der Zufall dieses Browsers ist gestört",
  chanceWhy: "Was Sie schützt, ist der Zufall, und die Zufallszahlen dieses Browsers wiederholen sich. Deshalb wird hier " +
    "nichts gefragt, und es wurde nichts gesendet. Mit einem anderen Browser oder Gerät geht es vielleicht.",
  insecure: "Diese Seite muss über https geöffnet werden",
  insecureWhy: "Ohne Verschlüsselung könnte jemand unterwegs diese Seite verändern, und dann gälte nichts von dem, was " +
    "sie verspricht. Bitte öffnen Sie dieselbe Adresse mit https:// am Anfang. Es wurde nichts gesendet.",
};

export const PROBLEMS = {
  format: () => "Diese Seite kennt dieses Format einer Umfrage nicht.",
  form: () => "Die Definition der Umfrage hat nicht die Form, die diese Seite lesen kann.",
  gap: ({ number }) => `Nicht jede Antwort auf Frage ${number} könnte gemeldet werden.`,
  weak: ({ text }) => `Die Tabelle der Frage „${text}“ hält das angegebene Alpha nicht ein.`,
  together: () => "Die Fragen passen nicht zusammen in eine Meldung.",
};

const GROUPS = "Wo Gruppen Zahlen haben: Der Zufall kann jede verschoben haben. Die größte muss also nicht zu Ihrer Gruppe " +
  "gehören.";

export const READING = {
  bitwise: () => "Wo Antworten markiert sind: Der Zufall hat einige markiert und andere ausgelassen. Es können also " +
    "mehrere oder keine sein, gleich was Sie gewählt haben.",
  laplace: () => GROUPS,
  subset: () => "Wo mehrere Antworten genannt sind: Sie wurden mit Zufall gezogen, und Ihre muss nicht darunter sein.",
  exponential: () => "Wo Antworten eine Reihenfolge haben: Der Zufall kann die Meldung darin verschoben haben.",
  osgt: () => GROUPS,
  gaussian: () => GROUPS,
  one_bit: () => "Wo eine Zahl als ihre kleinste oder größte gemeldet ist: Der Zufall hat sie zu einer der beiden gemacht, " +
    "öfter zur näheren, und kann beide dann noch vertauscht haben.",
  laplace_mean: () => "Wo eine Zahl gemeldet ist: Der Zufall hat sie verschoben, vielleicht über das hinaus, was Sie hätten " +
    "antworten können.",
  multiple: (table) => `Wo mehrere Antworten möglich waren: ${sampled(table, ["einige davon", "diese"], ["eine davon", "diese eine"])}; ` +
    "der Zufall kann die Antwort umgekehrt haben.",
  grid: (table) => `Wo nach mehreren Punkten gefragt war: ${sampled(table, ["einige davon", "diese"], ["einen davon", "diesen"])}, ` +
    "und der Zufall kann die Antwort verändert haben.",
};

function sampled({ sample }, several, one) {
  const [drawn, reported] = sample > 1 ? several : one;
  return `Ihr Browser hat zufällig ${drawn} gezogen und nur ${reported} gemeldet`;
}
