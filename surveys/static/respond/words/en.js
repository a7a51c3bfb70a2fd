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

// The choice of a language at the top of the page.
export const LANGUAGE = {
  label: "Language",
  lost: "This language did not arrive. The page stays as it is.",
};

// Of a kind: what to say where the answer is missing; where a number is asked for, which numbers it takes and how one
// counts.

const CHOOSE = { missing: "Please choose an answer." };

export const ASKED = {
  yes_no: CHOOSE,
  single_choice: CHOOSE,
  ordered: CHOOSE,
  multiple_choice: { missing: "Please tick what applies, or say that nothing does." },
  grid: { missing: "Please choose an answer for each of these." },
  histogram: {
    missing: "Please write a number.",
    range: ({ edges }) => "Only the group your number falls into is used. Numbers below " +
      `${edges[0]} or above ${edges.at(-1)} count in the first or the last group.`,
  },
  mean: {
    missing: "Please write a number.",
    range: ({ low, high, unit }) =>
      `From ${low} to ${amount(high, unit)}. Numbers below count as ${low}, numbers above as ${high}.`,
  },
};

export function amount(number, unit) {
  return unit ? `${number} ${unit}` : `${number}`;
}

export const CHOOSING = {
  none: "None of these",
  find: "Search this list",
  found: (count, total) => `${count} of ${total} match.`,
  sampled(sample) {
    const [part, about] = sample === 1 ? ["one", "that one"] : [sample, "those"];
    return `Your browser will pick ${part} of these at random, whatever you answer, and send a randomized answer ` +
      `about ${about} only.`;
  },
};

export const NUMBERS = {
  none: "This is not a number yet. Write digits only, such as 34 or 34.5.",
  thousands: (plain) => `Write thousands without a comma or dot: ${plain}.`,
  long: "This number is too long. Write fewer digits.",
  counts: (what) => `Counts as: ${what}.`,
  lowest: (what) => `Counts as: ${what}, the lowest number of this question.`,
  highest: (what) => `Counts as: ${what}, the highest number of this question.`,
};

export const FORM = {
  title: "The questions",
  send: "Send my randomized answers",
  sending: "When you press it, your answers are randomized here, once. Only the result is sent.",
  count: (total) => `Questions to answer: ${total}.`, // said where an answer brings up or takes away others
  progress: (answered, total) => `${answered} of ${total} answered`,
  place: (number, total) => `Question ${number} of ${total}`,
  numbered: (number, text) => `${number}. ${text}`,
  missing: (count) =>
    (count === 1 ? "One question still needs an answer." : `${count} questions still need an answer.`),
  whole: " A gap cannot be randomized and would give something away, so only a complete report is sent.",
  ready: (count) => (count === 1 ? "One question is ready." : `${count} questions are ready.`),
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
  missing: "Please tick this if you agree. If you do not, just close the page: nothing has been sent.",
  go: "Go to the questions",
};

// The folded parts: the file with their words, their titles, and what is said where one did not come.
export const LATER = {
  words: "en-more.js",
  check: "Check it yourself",
  budget: "What this browser has sent to this site",
  lost: "This part did not arrive, or is not the file that it should be, so it is not used. Your report is not affected.",
};

// How far a report can change the odds of a guess.
export const ODDS = {
  most: (factor) => `at most ${factor}-fold`,
  million: "more than a million-fold",
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
  (count) => `Of 100 who answer otherwise, about ${count} name it, too.`,
];
const SAMPLED = [
  (count) => `Of 100 reports on a point that people answer as you do, about ${count} name that answer.`,
  (count) => `Of 100 on one that they answer otherwise, about ${count} name it, too.`,
];
const UPPER = [
  (count) => `Of 100 people with the highest number, about ${count} reports lie in the upper half.`,
  (count) => `Of 100 with the lowest number, about ${count} do, too.`,
];
const FREQUENCIES = { multiple_choice: SAMPLED, grid: SAMPLED, mean: UPPER };

/** The two sentences for a kind of question, functions of the number. */
export function frequencies(kind) {
  return FREQUENCIES[kind] ?? NAMED;
}

export const PROMISE = {
  title: "Your answers are randomized before they leave this browser",
  together: (count, one) => ` of all ${count} answers together; of each by itself: ${one}.`,
  cautions: {
    weak: "Whoever gets hold of your report could learn much from it. Take part only if you would not mind.",
    one: "A report comes close to telling the answer. Take part only if you would not mind its being known.",
    all: "All that is sent together comes close to telling the answers. Take part only if you would not mind their " +
      "being known.",
  },
  truthfully: "Please answer truthfully: the randomizing protects you. An untrue answer adds no sure protection and " +
    "spoils the result.",
  example: (number) => `Question ${number}, for example:`,
  either: "Whatever your report says, it could have come from either side.",
  belief: (prior, low, high) =>
    `Somebody who thought your answer ${prior} in 100 likely can end no higher than ${high} and no lower than ${low}.`,
  certain: "Still, somebody who sees it can end as good as certain.",
  apart: (chance) => ` This leaves out a chance of at most ${chance} that what is sent happens to tell more.`,
  more: "Who could learn what",
  who: [
    ["This page", "Your answers, until you send. Then it randomizes them, once, and clears them."],
    ["Somebody who watches the network", "That you take part, and when. Not what the report says: it is encrypted on " +
      "its way."],
    ["Whoever gets the database: staff, a thief, a court", "Randomized reports, without names, addresses or times. " +
      "From each no more than stated here."],
    ["Readers of the results", "How common each answer is, since chance evens out over many reports. No single report."],
  ],
  weaker: "What would weaken this: taking part twice; a device or browser extension that reads along; somebody who " +
    "looks over your shoulder. So please take part only once.",
  guesses: "How far a guess about an answer can move, in 100.",
  columns: ["Before", "By what is sent for one question", "By the whole report"],
  between: (low, high) => `${low} to ${high}`,
};

export const SENDING = {
  title: "Sending your report",
  randomizing: "Your answers are being randomized.",
  cleared: "Your answers have been randomized and cleared from this page. Only the finished report is left, and " +
    "however often it has to be sent, it is always the same one.",
  lasting: "You may close this page. This browser keeps the finished report and sends it when you open the page again.",
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
  left: "What left your browser",
  whole: "What was sent may differ from what you answered: that is what protects you. This is the whole report.",
  routed: "A question that you were not asked is in it as well, with the same answer for all who are not asked, " +
    "randomized like any other.",
  question: "Question",
  reported: "What was reported",
  marked: "Marked:",
  unmarked: "No option is marked",
  among: "One of these, or another:",
  picked: "Picked at random:",
  pair: (item, answer) => `${item}: ${answer}`,
  yes: "yes",
  no: "no",
  bytes: (count) => `The exact ${count} bytes that were sent`,
};

// Where a designer has sent in the preview of a draft.
export const PREVIEW = {
  title: "Nothing was sent",
  nothing: "This is a preview: the report below was made here and is already forgotten. A respondent sees what follows, " +
    "once the server has taken the report.",
  again: "Begin again",
};

export const REFUSED = {
  title: "Your report was not recorded",
  404: "There is no survey at this address any more. Nothing was recorded.",
  409: "Its questions are not the ones the survey has now. Nothing was recorded.",
  410: "The survey closed before it arrived. Nothing was recorded.",
  early: "The survey has not begun. Nothing was recorded.",
  fault: "The server could not read it. This is a fault of the survey's software, not of yours. Nothing was recorded.",
  cleared: "Your answers are cleared from this page, and the report will not be sent again.",
};

export const ANSWERED = {
  recorded: "This survey was already answered in this browser",
  recordedFate: "The report was recorded. Thank you. What it said is not kept here.",
  refused: "A report was already sent from this browser",
  refusedFate: "It reached the server but was not recorded. What it said is not kept here.",
  elsewhere: "That was at another address, which has exactly the same questions. ",
  another: "Another person wants to answer on this device",
  really: "Is it really somebody else?",
  twice: "If the same person answers twice, two reports together can tell more about them than the survey promises " +
    "for one. Somebody else is protected in full.",
  yes: "Yes, another person answers now",
};

// Why there are no questions, or no report.
export const STOPPED = {
  lost: "The questions did not arrive",
  lostWhy: (sent) => `The network or the server cannot be reached. ${sent}`,
  again: "Try again",
  other: "These are not the questions this page was made for",
  otherWhy: (sent) =>
    `What arrived does not have the fingerprint this page expects, so no question is shown. ${sent}`,
  refusal: "This page refuses to ask",
  refusalWhy: (problem, sent) =>
    `${problem} Your answers would be less protected than promised, so no question is shown. ${sent}`,
  nothingSent: "Nothing has been sent.",
  earlierSent: "The report sent earlier from here is not affected.",
  waits: "Your finished report waits in this browser and is sent once this page opens as it should.",
  failed: "The report could not be made",
  failedWhy: "Nothing has been sent. Your answers are cleared from this page.",
  chance: "This browser's chance is broken",
  chanceWhy: "What protects you is chance, and the random numbers of this browser repeat themselves. So nothing is " +
    "asked here and nothing has been sent. Another browser or device may do better.",
  insecure: "This page must be opened over https",
  insecureWhy: "Without encryption, somebody on the way could change this page, and then nothing it promises would " +
    "hold. Please open the same address beginning with https://. Nothing has been sent.",
};

// What certify says is wrong with a definition.
export const PROBLEMS = {
  format: () => "This page does not know this format of survey.",
  form: () => "The survey's definition is not in the form that this page can read.",
  gap: ({ number }) => `Not every answer to question ${number} could be reported.`,
  weak: ({ text }) => `The table of the question “${text}” does not keep the alpha that it states.`,
  together: () => "Its questions do not fit together in one report.",
};

const GROUPS = "Where groups have numbers: chance may have shifted any of them, so the largest need not be that of " +
  "your group.";

// How to read what was reported by a mechanism, given its table.
export const READING = {
  bitwise: () => "Where options are marked: chance marked some and left others out, so there may be several or " +
    "none, whatever you chose.",
  laplace: () => GROUPS,
  subset: () => "Where several options are named: they were drawn with chance, and yours need not be among them.",
  exponential: () => "Where options have an order: chance may have moved the report along it.",
  osgt: () => GROUPS,
  gaussian: () => GROUPS,
  one_bit: () => "Where a number is reported as its lowest or highest: chance turned it into one of the two, more " +
    "often into the nearer one, and may then have swapped them.",
  laplace_mean: () => "Where a number is reported: chance has shifted it, possibly beyond what you could have answered.",
  multiple: (table) => `Where several options could be ticked: ${sampled(table)}; chance may have turned the answer ` +
    "round.",
  grid: (table) => `Where several items were asked about: ${sampled(table)}, and chance may have changed the ` +
    "answer.",
};

function sampled({ sample }) {
  const [items, that] = sample > 1 ? ["some of them", "those"] : ["one item", "that one"];
  return `your browser picked ${items} at random and reported only ${that}`;
}
