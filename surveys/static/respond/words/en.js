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

// Where a part that was opened did not come.
export const LATER = {
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

export const AUDIT = {
  title: "Check it yourself",
  questions: "The questions",
  checked: "This page fetched the survey's definition and found that its SHA-256 is the digest below, which every " +
    "report carries, and that every table keeps the alpha it states. Otherwise it shows no question.",
  definition: "The definition, byte for byte (opens a new tab)",
  total: (strength, change) => `All questions together: ${strength}, odds change ${change}.`,
  strength: (alpha, delta) => (delta ? `alpha ${alpha} and delta ${delta}` : `alpha ${alpha}`),
  files: "The files that run",
  order: "Your browser compares each with its SHA-384 fingerprint before using it. page.js does everything up to " +
    "sending; what decides what is sent stands first in it. The others hold the words and show what is opened.",
  guarantee: "Guarantee, recomputed here",
  kept: (strength, change) => `${strength}: odds change ${change}`,
  mechanism: "Mechanism",
  entry: (name) => `“${name}”`,
  chance: (threshold, percent) => `${threshold} / 2^53 = ${percent}%`,
  log: "The site's log",
  head: (number, day) => `What this site serves stands in a log in which every entry holds the fingerprint of the one ` +
    `before. Its newest is number ${number}, of ${day}, with the fingerprint below. Whoever keeps both notices later if ` +
    "the log was changed; two people who compare them notice if they are shown different ones.",
  noHead: "The newest entry of the log did not arrive.",
  more: "More about the log, and how to check this site from outside (opens a new tab)",
  site: "Audit this site",
  draws: (count) => `Your browser draws ${count.toLocaleString("en")} reports of two made-up answers, with the very code ` +
    "that makes yours, and counts how well they can be told apart. Nothing is sent. Such a count can show that alpha is " +
    "larger than promised; that it is not is proved by the tables above.",
  which: "Question",
  audited: (number, text, alpha) => `${number}. ${text} (alpha ${alpha})`,
  draw: (count) => `Draw ${count.toLocaleString("en")} reports`,
  progress: "Reports drawn",
  stop: "Stop",
  stopped: "Stopped.",
  found: ({ reports, hits, n, least, promised }) => `With 95% confidence, these ${reports.toLocaleString("en")} reports ` +
    `show that alpha is at least ${least}. Promised: ${promised}. What tells the two answers apart best was chosen on the ` +
    `first half; in the second it showed in ${hits[0].toLocaleString("en")} of ${n.toLocaleString("en")} reports of the ` +
    `one answer and in ${hits[1].toLocaleString("en")} of the other.`,
};

export const BUDGET = {
  title: "What this browser has sent to this site",
  kept: "This list is kept on this device only and is never sent. It tells nothing of your answers.",
  adds: "What several reports can tell about one person adds up.",
  none: "The list is empty.",
  off: "This device keeps no list.",
  columns: ["Survey", "Day", "Protection"],
  together: (sum) => `Together: ${sum}. `,
  clear: "Clear the list",
  shared: "This is a shared device: keep nothing",
  keep: "Keep a list from now on",
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

// What is said of each mechanism: how it randomizes (`method`), and how to read what was reported (`reading`), given its
// table.

const DRAWN = "A whole number from 0 to 2^53−1 is drawn, and how many of the row's numbers it reaches";
const NOISE = "Your group counts 1 and the others 0. For each a whole number from 0 to 2^53−1 is drawn, and how many " +
  "of the numbers below it reaches, less half of how many there are, is added.";
const GROUPS = "Where groups have numbers: chance may have shifted any of them, so the largest need not be that of " +
  "your group.";

export const METHODS = {
  randomized_response: {
    method: "Randomized response. Each other option is reported with the chance below, otherwise yours.",
  },
  bitwise: {
    method: "Bitwise randomized response. Your option is marked and the others are not; then every mark is " +
      "flipped with the chance below, each on its own.",
    reading: () => "Where options are marked: chance marked some and left others out, so there may be several or " +
      "none, whatever you chose.",
  },
  laplace: {
    method: "Laplace noise in each group. Your group counts 1 and the others 0; each is flipped with the chance " +
      "“flip”, each on its own. Then a 1 grows and a 0 shrinks by a distance whose binary digits have the chances " +
      "“magnitude”. The distance does not depend on your answer.",
    reading: () => GROUPS,
  },
  subset: {
    method: "Subset selection. A set of “m” options is reported. Yours is in it with the chance “in”; the others in " +
      "it are drawn at random.",
    reading: () => "Where several options are named: they were drawn with chance, and yours need not be among them.",
  },
  exponential: {
    method: "Exponential mechanism. One option is reported, a near one more likely than a far one. Each row below " +
      `belongs to one answer. ${DRAWN} is the option, counted from 0.`,
    reading: () => "Where options have an order: chance may have moved the report along it.",
  },
  osgt: { method: `OSGT noise in each group. ${NOISE}`, reading: () => GROUPS },
  gaussian: { method: `Gaussian noise in each group. ${NOISE}`, reading: () => GROUPS },
  one_bit: {
    method: "One bit. Your number is rounded at random to the lowest or the highest one, the nearer more likely, so " +
      "that it is right on average. With the chance below the other one of the two is reported instead.",
    reading: () => "Where a number is reported as its lowest or highest: chance turned it into one of the two, more " +
      "often into the nearer one, and may then have swapped them.",
  },
  laplace_mean: {
    method: "Laplace noise on your number. It is rounded at random to one of the grid points between the lowest " +
      `and the highest number, and there is a row below for each. ${DRAWN} is the step that is reported, counted ` +
      "from below the lowest number to above the highest.",
    reading: () => "Where a number is reported: chance has shifted it, possibly beyond what you could have answered.",
  },
  multiple: {
    method: "Sampling. “sample” of the options are picked at random, whatever you answer. For each of these is " +
      "reported whether you ticked it, and with the chance “other” the opposite.",
    reading: (table) => `Where several options could be ticked: ${sampled(table)}; chance may have turned the answer ` +
      "round.",
  },
  grid: {
    method: "Sampling. “sample” of the items are picked at random, whatever you answer. For each of these each other " +
      "option is reported with the chance “other”, otherwise yours.",
    reading: (table) => `Where several items were asked about: ${sampled(table)}, and chance may have changed the ` +
      "answer.",
  },
};

function sampled({ sample }) {
  const [items, that] = sample > 1 ? ["some of them", "those"] : ["one item", "that one"];
  return `your browser picked ${items} at random and reported only ${that}`;
}
