// The page's texts in German; en.js explains them.

// Return a number or a decimal string in the language's notation.
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
  through: (low, high) => `${shown(low)} bis ${shown(high)}`,
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
    range: () => "Nur die Gruppe Ihrer Zahl wird verwendet. Kleinere Zahlen zählen zur untersten Gruppe, größere zur obersten.",
  },
  mean: {
    missing: "Bitte geben Sie eine Zahl ein.",
    range: ({ low, high, unit }) => `Von ${shown(low)} bis ${amount(shown(high), unit)}. Kleinere Zahlen zählen als ${shown(low)}, größere als ${shown(high)}.`,
  },
};

export function amount(number, unit) {
  return unit ? `${number} ${unit}` : `${number}`;
}

export const CHOOSING = {
  counted: (last) => `Das Ergebnis zeigt nur den Mittelwert: Die Stufen zählen von 1 bis ${last}.`,
  pair: (item, answer) => `${item}: ${answer}`,
  none: "Nichts davon",
  nothing: /^(nichts|kein(e[srn]?)?)( (davon|hiervon|von (alle(de)?m|diesen|den genannten)|(der|dieser)( [a-z]+){1,2}))?\.?$/,
  find: "In dieser Liste suchen",
  found: (count, total) => `${count} von ${total} Antworten passen.`,
  sampled(sample) {
    const [part, about] = sample === 1 ? ["eine davon", "diese eine"] : [`${sample} davon`, "diese"];
    return `Ihr Browser zieht zufällig ${part}, gleich was Sie antworten. Eine zufällig veränderte Antwort sendet er nur für ${about}.`;
  },
};

export const NUMBERS = {
  none: "Das ist noch keine Zahl. Bitte geben Sie nur Ziffern ein, zum Beispiel 34 oder 34,5.",
  which: (one, other) => `Meinen Sie ${one} oder ${other}? Bitte geben Sie das ein.`,
  long: "Diese Zahl ist zu lang. Bitte geben Sie höchstens 15 Ziffern ein.",
  counts: (what) => `Zählt als: ${what}.`,
  limits: (low, high, whole) => `Bitte geben Sie eine ${whole ? "ganze " : ""}Zahl von ${low} bis ${high} ein.`,
};

export const FORM = {
  title: "Die Fragen",
  send: "Meine zufällig veränderten Antworten senden",
  sending: "Wenn Sie auf diese Schaltfläche drücken, werden Ihre Antworten hier zufällig verändert, ein einziges Mal. Nur das Ergebnis wird gesendet.",
  unsent: "Nicht gesendet: ",
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
  kept(count, percent, among) {
    const sent = among ? "unter dem, was gesendet wird" : "das, was gesendet wird";
    const how = `Mit einer Wahrscheinlichkeit von ${percent}\u00a0% ${count > 1 ? "sind diese" : count === 1 ? "ist Ihre Antwort" : "sind Ihre Antworten"} ${sent}; sonst ist alles davon zufällig.`;
    return count > 1 ? `${count} Ihrer Antworten werden gemeinsam zufällig verändert. ${how}` : how;
  },
  few: "Bei Fragen mit mehreren Teilen werden nur ausgeloste Teile gesendet.",
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
  missing: "Bitte kreuzen Sie dieses Feld an, wenn Sie einverstanden sind. Sonst schließen Sie einfach die Seite: Es wurde nichts gesendet.",
  go: "Zu den Fragen",
};

export const LATER = {
  words: "de-more.js",
  check: "Selbst nachprüfen",
  budget: "Was dieser Browser an diese Website gesendet hat",
  missing: "Ein Teil dieser Seite fehlt",
  lost: "Dieser Teil kam nicht an oder ist die falsche Datei. Deshalb verwendet die Seite ihn nicht. Ihre Meldung ist davon nicht betroffen.",
};

export const ODDS = {
  oneIn: (count) => `1 zu ${count.toLocaleString("de")}`,
};

export const STRENGTH = [
  { title: "Starker Schutz", name: "stark" },
  { title: "Mittlerer Schutz", name: "mittel" },
  { title: "Schwacher Schutz", name: "schwach" },
  { title: "Kaum Schutz", name: "kaum" },
];

export const FREQUENCIES = {
  option: [
    (count) => `Von 100 Menschen, die so antworten wie Sie, nennen etwa ${count} Meldungen diese Antwort.`,
    (count) => `Von 100, die anders antworten, etwa ${count}.`,
  ],
  item: [
    (count) => `Wenn 100 Menschen zu dieser Teilfrage so antworten wie Sie, nennen etwa ${count} ihrer Meldungen diese Antwort.`,
    (count) => `Wenn 100 andere anders antworten, sind es etwa ${count}.`,
  ],
  number: [
    (count) => `Von 100 Menschen mit der größten Zahl liegen etwa ${count} Meldungen in der oberen Hälfte.`,
    (count) => `Von 100 mit der kleinsten Zahl liegen dort etwa ${count} Meldungen.`,
  ],
  step: [
    (count) => `Von 100 Menschen, die die letzte Stufe wählen, liegen etwa ${count} Meldungen in der oberen Hälfte.`,
    (count) => `Von 100, die die erste Stufe wählen, liegen dort etwa ${count} Meldungen.`,
  ],
};

export const PROMISE = {
  titles: [
    "Ihre Antworten werden vor dem Senden zufällig verändert",
    "Auch zufällig verändert kann Ihre Meldung viel über Ihre Antworten verraten",
    "Auch zufällig verändert kann Ihre Meldung Ihre Antworten beinahe verraten",
  ],
  cautions: [
    "Nehmen Sie nur teil, wenn andere etwas daraus erfahren dürfen.",
    "Nehmen Sie nur teil, wenn Ihre Antworten bekannt werden dürfen.",
  ],
  belief: (prior, high) => `Wer Ihre Antwort zu ${prior}\u00a0% vermutet, kommt durch Ihre Meldung auf höchstens ${high}\u00a0%.`,
  certain: (prior) => `Wer Ihre Antwort zu ${prior}\u00a0% vermutet, kann durch Ihre Meldung so gut wie sicher werden.`,
  apart: (chance) => ` Mit einer Wahrscheinlichkeit von höchstens ${chance} verrät die Meldung zufällig mehr.`,
  more: "Wie sind Sie geschützt?",
};

export const SENDING = {
  title: "Ihre Meldung wird gesendet",
  thanks: "Vielen Dank",
  recorded: "Ihre Meldung ist gespeichert. Ihre Antworten sind von dieser Seite gelöscht.",
  randomizing: "Ihre Antworten werden zufällig verändert.",
  cleared: "Ihre Antworten wurden zufällig verändert und von dieser Seite gelöscht. Übrig ist nur die fertige Meldung. Auch wenn die Seite sie mehrmals sendet, ist es immer dieselbe.",
  lasting: "Sie können diese Seite schließen. Öffnen Sie sie später wieder in diesem Browser, und sie sendet dieselbe Meldung. Ein privates Fenster vergisst die Meldung, wenn Sie es schließen.",
  fleeting: "Bitte lassen Sie diese Seite offen: In diesem Browser kann sie die Meldung nicht aufbewahren.",
  now: "Jetzt noch einmal versuchen",
  trying: "Wird gesendet …",
  network: "Das Netz oder der Server ist nicht erreichbar.",
  busy: "Der Server ist ausgelastet und bittet um eine Pause.",
  server: "Der Server hat im Moment ein Problem.",
  waiting: (reason, seconds) => `Noch nicht gesendet. ${reason} Die Seite versucht es in ${seconds === 1 ? "1 Sekunde" : `${seconds} Sekunden`} noch einmal.`,
};

export const STOPPED = {
  lost: "Die Fragen sind nicht angekommen",
  lostWhy: (sent) => `Das Netz oder der Server ist nicht erreichbar. ${sent}`,
  again: "Noch einmal versuchen",
  nothingSent: "Es wurde nichts gesendet.",
  earlierSent: "Die Meldung, die dieser Browser früher gesendet hat, ist davon nicht betroffen.",
  waits: "Ihre fertige Meldung wartet in diesem Browser. Die Seite sendet sie, sobald sie sich richtig öffnet.",
  unknownNow: "Jetzt wurde nichts gesendet. Ob früher eine Meldung gesendet wurde, sagt dieser Browser nicht.",
  failed: "Die Meldung konnte nicht erzeugt werden",
  failedWhy: "Es wurde nichts gesendet. Ihre Antworten sind von dieser Seite gelöscht.",
};
