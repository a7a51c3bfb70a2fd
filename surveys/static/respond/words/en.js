// The page's words in English: every text that the modules show, by the module and the place that shows it, and nothing
// else. What depends on numbers or names is a function of them. Each language has such a table, with the same names.

// How the language writes a number, given as one or as a decimal string.
export function shown(number) {
  return `${number}`;
}

// What follows from a question's kind and stands in no translation; numbers are decimal strings.
export const OWN = {
  yes: "Yes",
  no: "No",
  withheld: "Prefer not to say",
  under: (number) => `under ${number}`,
  between: (low, high) => `${low} to under ${high}`,
  orMore: (number) => `${number} or more`,
};

// Whose words follow: the page's own statements, and what the survey's authors wrote.
export const BY = { page: "This page says", survey: "The survey says" };

// The choice of a language at the top of the page.
export const LANGUAGE = {
  label: "Language",
  lost: "This language did not arrive. The page stays as it is.",
};

// Of a kind, or of a choice of one option: what to say where the answer is missing; where a number is asked for, which
// numbers it takes and how one counts.

export const ASKED = {
  choice: { missing: "Please choose an answer." },
  multiple_choice: { missing: "Please tick what applies, or say that nothing does." },
  grid: { missing: "Please choose an answer for each of these." },
  histogram: {
    missing: "Please enter a number.",
    range: () => "Only the group of your number is used. The lowest group takes all smaller numbers, the highest all " +
      "larger ones.",
  },
  mean: {
    missing: "Please enter a number.",
    range: ({ low, high, unit }) =>
      `From ${low} to ${amount(high, unit)}. Smaller numbers count as ${low}, larger ones as ${high}.`,
  },
};

export function amount(number, unit) {
  return unit ? `${number} ${unit}` : `${number}`;
}

export const CHOOSING = {
  counted: (last) => `The results show the mean only: the steps count from 1 to ${last}.`,
  none: "None of these",
  find: "Search this list",
  found: (count, total) => `${count} of ${total} match.`,
  sampled(sample) {
    const [part, about] = sample === 1 ? ["one", "that one"] : [sample, "those"];
    return `Your browser will pick ${part} of these at random, whatever you answer. It will send a randomized answer ` +
      `about ${about} only.`;
  },
};

export const NUMBERS = {
  none: "This is not a number yet. Enter digits only, such as 34 or 34.5.",
  thousands: (plain) => `Enter thousands without a comma or dot: ${plain}.`,
  long: "This number is too long. Enter fewer digits.",
  counts: (what) => `Counts as: ${what}.`,
  lowest: (what) => `Counts as: ${what}, the lowest number of this question.`,
  highest: (what) => `Counts as: ${what}, the highest number of this question.`,
};

export const FORM = {
  title: "The questions",
  send: "Send my randomized answers",
  sending: "When you press this button, your answers are randomized here, once. Only the result is sent.",
  // Said where an answer adds or removes others.
  count: (total) => `Questions to answer: ${total}.`,
  progress: (answered, total) => `${answered} of ${total} answered`,
  place: (number, total) => `Question ${number} of ${total}`,
  numbered: (number, text) => `${number}. ${text}`,
  missing: (count) =>
    (count === 1 ? "One question still needs an answer." : `${count} questions still need an answer.`),
  whole: " A skipped question would itself reveal something, so only a complete report is sent.",
  ready: (count) => (count === 1 ? "One question is ready." : `${count} questions are ready.`),
  // With it, where not all are asked of everybody.
  more: " Some answers lead to more questions.",
  lot: "Your questions were drawn by lot from a longer list.",
  // Of how many answers, null where of all: how likely all of them stay.
  joint: (count, percent) => `${count === null ? "Your" : `${count} of your`} answers are randomized together: with a ` +
    `chance of about ${percent}% all of them stay as they are; otherwise all are replaced at random.`,
  together: (count) => `One of ${count} answers that are randomized together.`,
};

export const SECTIONS = {
  place: (number, total) => `Section ${number} of ${total}`,
  back: "Back",
  next: "Next",
  all: "Show all sections at once",
  one: "Show one section at a time",
};

export const CONSENT = {
  title: "Before you begin",
  agree: "I have read this and agree",
  missing: "Please tick this box if you agree. If you do not, just close the page: nothing has been sent.",
  go: "Go to the questions",
};

// The folded parts: the file with their words, their titles, and what is said where one did not come.
export const LATER = {
  words: "en-more.js",
  check: "Check it yourself",
  budget: "What this browser has sent to this site",
  lost: "This part did not arrive or is the wrong file, so the page does not use it. Your report is not affected.",
};

// How far a report can change the odds of a guess.
export const ODDS = {
  most: (factor) => `by a factor of at most ${factor}`,
  million: "by a factor of more than a million",
  apart: (change, chance) => `${change}, apart from a chance of at most ${chance}`,
  oneIn: (count) => `1 in ${count.toLocaleString("en")}`,
};

// How well protected, the strongest first: with the word "protection", and alone.
export const STRENGTH = [
  { title: "Strong protection", name: "strong" },
  { title: "Moderate protection", name: "moderate" },
  { title: "Weak protection", name: "weak" },
  { title: "Hardly any protection", name: "hardly any" },
];

// Of 100 reports of people who gave an answer, and of 100 of people who gave another, so many name it.
const NAMED = [
  (count) => `Of 100 people who answer as you do, about ${count} reports name that answer.`,
  (count) => `Of 100 who answer otherwise, about ${count} do.`,
];
const SAMPLED = [
  (count) => `If 100 people gave your answer to this item, about ${count} of their reports would say so.`,
  (count) => `If 100 others gave another answer, about ${count} would.`,
];
const UPPER = [
  (count) => `Of 100 people with the highest number, about ${count} reports lie in the upper half.`,
  (count) => `Of 100 with the lowest number, about ${count} do.`,
];
const STEPS = [
  (count) => `Of 100 people who choose the last step, about ${count} reports lie in the upper half.`,
  (count) => `Of 100 who choose the first step, about ${count} do.`,
];
const FREQUENCIES = { multiple_choice: SAMPLED, grid: SAMPLED, mean: UPPER, steps: STEPS };

/** The two sentences for a kind of question, or for a mean by steps; functions of the number. */
export function frequencies(kind) {
  return FREQUENCIES[kind] ?? NAMED;
}

// What holds of the whole report is chosen by the strength of all answers together: of lists of four by it, the strongest
// first; `either` and `truthfully` are said of the first two strengths only, one of `cautions` of each of the others.
export const PROMISE = {
  titles: [
    "Your answers are randomized before they leave this browser",
    "Your answers are randomized before they leave this browser",
    "Your report can tell much about your answers",
    "Your report can come close to telling your answers",
  ],
  standing: [
    "Your answers are randomized here, then sent.",
    "Your answers are randomized here, then sent.",
    "Your report can tell much about your answers.",
    "Your report can come close to telling your answers.",
  ],
  together: (count, one) => ` of all ${count} answers; of each alone: ${one}.`,
  cautions: [
    "Take part only if you would not mind what others could learn from it.",
    "Take part only if you would not mind your answers being known.",
  ],
  drawn: "This browser drew your questions before it showed any. Your report says which ones you got.",
  rounded: "Numbers that are randomized together with other answers are first rounded at random to the lowest or the " +
    "highest one.",
  truthfully: "Please answer truthfully: the randomizing protects you. Lying does not reliably protect you more, and it " +
    "distorts the result.",
  example: (number) => `Question ${number}, for example:`,
  either: "Your report could come from either group.",
  belief: (prior, low, high) => `If someone guessed your answer with ${prior}% certainty, your whole report could raise ` +
    `that to at most ${high}%, or lower it to ${low > 0 ? `${low}%` : "almost 0%"}.`,
  certain: (prior) => `If someone guessed your answer with ${prior}% certainty, your whole report could make that as ` +
    "good as certain.",
  wave: "This survey follows an earlier one. If you took part in that too, all your reports count as one: ",
  apart: (chance) => ` This leaves out a chance of at most ${chance} that the report happens to tell more.`,
  learn: "Who could learn what",
  who: [
    ["This page:", "your answers, until you send."],
    ["The network:", "when you take part."],
    ["Staff, thieves, courts:", "your report, in a table without names, addresses or times."],
    ["The results:", "how common answers are."],
  ],
  more: "More about your protection",
  whose: ({ page, survey }) => `The page itself has computed what stands under “${page}”. The people who ask have written ` +
    `what stands under “${survey}”, and nobody has checked it.`,
  weaker: "Your protection gets weaker if you take part twice, if a device or a browser extension reads along, or if " +
    "somebody looks over your shoulder. So please take part only once.",
  guesses: "How far a guess about an answer can move, in percent.",
  columns: ["Before", "From one answer alone", "From the whole report"],
  between: (low, high) => `${low} to ${high}`,
};

export const SENDING = {
  title: "Sending your report",
  randomizing: "Your answers are being randomized.",
  cleared: "Your answers have been randomized and cleared from this page. Only the finished report is left. Even if the " +
    "page sends it several times, it is always the same report.",
  lasting: "You may close this page. Open it again in this browser later, and it sends the same report. A private window " +
    "forgets the report when you close the window.",
  fleeting: "Please keep this page open: this browser does not let it keep the report.",
  now: "Try again now",
  trying: "Sending…",
  network: "The network or the server cannot be reached.",
  busy: "The server is busy and asked for a pause.",
  server: "The server has a problem at the moment.",
  waiting: (reason, seconds) =>
    `Not sent yet. ${reason} The page tries again in ${seconds === 1 ? "1 second" : `${seconds} seconds`}.`,
};

export const THANKS = {
  title: "Thank you",
  recorded: "Your report is recorded. Your answers are cleared from this page.",
  repeated: "Your report had already been recorded, once. Your answers are cleared from this page.",
  results: "See the results of this survey",
  // By the strength of all answers together.
  differs: [
    "What was sent may differ from what you answered: that is what protects you.",
    "What was sent may differ from what you answered: that is what protects you.",
    "What was sent may differ from what you answered, but it can tell much about it.",
    "What was sent may differ from what you answered, but it can come close to telling it.",
  ],
  left: "What left your browser",
  routed: "The report also covers questions that you were not asked. Everybody who is not asked a question gets the same " +
    "answer to it, and that answer is randomized like any other.",
  form: (number, total) => `This survey has ${total} parts, and each person is asked one. The report says that you were ` +
    `asked part ${number}.`,
  // The questions whose answers these are, none where all are.
  joint: (texts) => `${texts.length > 0 ? `Randomized together: ${quoted(texts)}` : "These answers were randomized together"}. ` +
    "Either all are what you answered, or all were replaced at random. A replacement can happen to be what you answered.",
  question: "Question",
  reported: "What was reported",
  marked: "Marked:",
  unmarked: "No option is marked",
  among: "One of these, or another:",
  picked: "Picked at random:",
  pair: (item, answer) => `${item}: ${answer}`,
  yes: "yes",
  no: "no",
  bytes: (count) => `The ${count} bytes that were sent`,
};

// Where a designer has sent in the preview of a draft.
export const PREVIEW = {
  title: "Nothing was sent",
  nothing: "This is a preview: the page made the report below and has already deleted it. A respondent sees what follows " +
    "once the server has taken the report.",
  again: "Begin again",
};

export const REFUSED = {
  title: "Your report was not recorded",
  404: "There is no survey at this address any more. Nothing was recorded.",
  409: "The report belongs to other questions than the survey asks now. Nothing was recorded.",
  410: "The survey closed before the report arrived. Nothing was recorded.",
  early: "The survey has not begun. Nothing was recorded.",
  fault: "The server could not read the report. The survey's software is at fault, not you. Nothing was recorded.",
  advice: "Nothing more is to be done here, and answering again would send a second report. Please tell whoever invited you.",
  cleared: "Your answers are cleared from this page, and the report will not be sent again.",
};

export const ANSWERED = {
  recorded: "Somebody has already answered this survey in this browser",
  recordedFate: "The report was recorded. Thank you. We do not keep its contents here.",
  refused: "This browser has already sent a report",
  refusedFate: "The report reached the server but was not recorded. We do not keep its contents here.",
  elsewhere: "That was at another address with exactly the same questions. ",
  another: "Another person wants to answer on this device",
  really: "Is it really somebody else?",
  twice: "If the same person answers twice, both reports together can tell more about them than this page states for one " +
    "report. For somebody else, it states the same as for you.",
  yes: "Yes, another person answers now",
};

// Why there are no questions, or no report.
export const STOPPED = {
  lost: "The questions did not arrive",
  lostWhy: (sent) => `The network or the server cannot be reached. ${sent}`,
  again: "Try again",
  other: "These are not the questions this page was made for",
  otherWhy: (sent) =>
    `The questions do not have the fingerprint that this page expects, so it does not show them. ${sent}`,
  refusal: "This page will not ask any questions",
  refusalWhy: (problem, sent) =>
    `${problem} Your answers would be less protected than stated, so the page shows no question. ${sent}`,
  nothingSent: "Nothing has been sent.",
  earlierSent: "The report that this browser sent earlier is not affected.",
  waits: "Your finished report waits in this browser. The page sends it as soon as it opens as it should.",
  unknown: "Did you answer this survey before?",
  unknownNow: "Nothing has been sent now. This browser does not say whether it sent a report earlier.",
  unknownWhy: "This browser does not say whether it sent a report of this survey already. Please take part only once: " +
    "two reports together can tell more about you than the survey promises.",
  first: "No, I have not answered yet",
  elsewhere: "This survey is open in another tab",
  elsewhereWhy: "Please answer it there. Once you close that tab, this page goes on by itself.",
  here: "Answer here instead",
  failed: "The report could not be made",
  failedWhy: "Nothing has been sent. Your answers are cleared from this page.",
  chance: "This browser's random numbers are not working",
  chanceWhy: "The page needs random numbers to randomize your answers, and those of this browser repeat themselves. So it " +
    "asks nothing, and nothing has been sent. Another browser or device may work.",
  insecure: "This page must be opened over https",
  insecureWhy: "Without encryption, somebody on the network could change this page, and then nothing that it says would " +
    "hold. Please open the same address with https:// at the beginning. Nothing has been sent.",
};

// What certify says is wrong with a definition.
function quoted(texts) {
  return texts.map((text) => `“${text}”`).join(", ");
}

export const PROBLEMS = {
  format: () => "This page does not know this format of survey.",
  form: () => "The survey's definition is not in the form that this page can read.",
  gap: ({ number }) => `Not every answer to question ${number} could be reported.`,
  weak: ({ text }) => `The table of the question “${text}” does not keep the alpha that it states.`,
  joint: ({ texts }) => `The questions ${quoted(texts)} are randomized together, and their table does not keep the alpha ` +
    "that it states.",
  together: () => "Its questions do not fit together in one report.",
};

// How to read a report, by the form in which its mechanism reads it back, given its table.
export const READING = {
  marked: () => "Where options are marked: chance may have marked some and left out others, so there may be several or " +
    "none, whatever you chose.",
  figures: () => "Where groups have numbers: chance may have changed any of them, so your group need not have the largest.",
  among: () => "Where several options are named: chance took part in choosing them, and yours need not be among them.",
  near: () => "Where options have an order: chance may have moved the report along it.",
  end: () => "Where a number is reported as its lowest or highest: chance turned it into one of the two, more " +
    "often into the nearer one, and may then have swapped them.",
  step: () => "Where the steps count as numbers: chance made the first or the last of your answer, more often the nearer " +
    "one, and may then have swapped them.",
  number: () => "Where a number is reported: chance may have changed it, even to one that you could not have answered.",
  ticked: (table) => `Where several options could be ticked: ${sampled(table)}; chance may have reversed the ` +
    "answer.",
  picked: (table) => `Where several items were asked about: ${sampled(table)}, and chance may have changed the ` +
    "answer.",
};

function sampled({ sample }) {
  const [items, that] = sample > 1 ? ["some of them", "those"] : ["one item", "that one"];
  return `your browser picked ${items} at random and reported only ${that}`;
}
