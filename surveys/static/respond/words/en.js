// The page's texts in English, by the module and place that show them. Texts with numbers or names are functions of
// them. Each language has such a table, with the same names.

// A number, or a decimal string, as the language writes it.
export function shown(number) {
  return `${number}`;
}

// Texts that follow from a question's kind, not from a translation; numbers are decimal strings.
export const OWN = {
  yes: "Yes",
  no: "No",
  withheld: "Prefer not to say",
  under: (number) => `under ${number}`,
  between: (low, high) => `${low} to under ${high}`,
  orMore: (number) => `${number} or more`,
  through: (low, high) => `${low} to ${high}`,
};

// Marks of the page's own statements and of the authors' texts.
export const BY = { page: "This page says", survey: "The survey says" };

// The choice of a language at the top of the page.
export const LANGUAGE = {
  label: "Language",
  lost: "This language did not arrive. The page stays as it is.",
};

// By kind, `choice` for a choice of one option: the text for a missing answer; for numbers, which are taken and how
// they count.

export const ASKED = {
  choice: { missing: "Please choose an answer." },
  multiple_choice: { missing: "Please tick what applies, or say that nothing does." },
  grid: { missing: "Please choose an answer for each of these." },
  histogram: {
    missing: "Please enter a number.",
    range: () => "Only the group of your number is used. Smaller numbers count as the lowest, larger ones as the highest.",
  },
  mean: {
    missing: "Please enter a number.",
    range: ({ low, high, unit }) => `From ${low} to ${amount(high, unit)}. Smaller numbers count as ${low}, larger ones as ${high}.`,
  },
};

export function amount(number, unit) {
  return unit ? `${number} ${unit}` : `${number}`;
}

export const CHOOSING = {
  counted: (last) => `The results show the mean only: the steps count from 1 to ${last}.`,
  pair: (item, answer) => `${item}: ${answer}`,
  none: "None of these",
  // Matches this and other names that authors give it, without capitals and accents.
  nothing: /^(none|nothing)( of (these|those|them|the above))?( appl(y|ies))?\.?$/,
  find: "Search this list",
  found: (count, total) => `${count} of ${total} match.`,
  sampled(sample) {
    const [part, about] = sample === 1 ? ["one", "that one"] : [sample, "those"];
    return `Your browser will pick ${part} of these at random, whatever you answer. It will send a randomized answer about ${about} only.`;
  },
};

export const NUMBERS = {
  none: "This is not a number yet. Enter digits only, such as 34 or 34.5.",
  which: (one, other) => `Do you mean ${one} or ${other}? Enter that.`,
  long: "This number is too long. Enter at most 15 digits.",
  counts: (what) => `Counts as: ${what}.`,
  limits: (low, high, whole) => `Enter a ${whole ? "whole " : ""}number from ${low} to ${high}.`,
};

export const FORM = {
  title: "The questions",
  send: "Send my randomized answers",
  sending: "When you press this button, your answers are randomized here, once. Only the result is sent.",
  // Before the tab's title.
  unsent: "Not sent: ",
  // When an answer adds or removes questions.
  count: (total) => `Questions to answer: ${total}.`,
  progress: (answered, total) => `${answered} of ${total} answered`,
  place: (number, total) => `Question ${number} of ${total}`,
  numbered: (number, text) => `${number}. ${text}`,
  missing: (count) =>
    (count === 1 ? "One question still needs an answer." : `${count} questions still need an answer.`),
  whole: " A skipped question would itself reveal something, so only a complete report is sent.",
  ready: (count) => (count === 1 ? "One question is ready." : `${count} questions are ready.`),
  // Added if some questions depend on answers.
  more: " Some answers lead to more questions.",
  lot: "Your questions were drawn by lot from a longer list.",
  // Randomized response: the chance that `count` answers (null: all) are sent; `among`: several options are sent.
  kept(count, percent, among) {
    const sent = among ? "among what is sent" : "what is sent";
    const how = `With a chance of ${percent}% ${count > 1 ? "these are" : count === 1 ? "your answer is" : "your answers are"} ${sent}; otherwise all of it is random.`;
    return count > 1 ? `${count} of your answers are randomized together. ${how}` : how;
  },
  few: "Of questions with several parts, only parts drawn by lot are sent.",
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

// The folded parts: the file with their texts, their titles, and the text for a part that did not arrive.
export const LATER = {
  words: "en-more.js",
  check: "Check it yourself",
  budget: "What this browser has sent to this site",
  missing: "A part of this page is missing",
  lost: "This part did not arrive or is the wrong file, so the page does not use it. Your report is not affected.",
};

// A small chance.
export const ODDS = {
  oneIn: (count) => `1 in ${count.toLocaleString("en")}`,
};

// Strengths, the strongest first: with the word "protection", and alone.
export const STRENGTH = [
  { title: "Strong protection", name: "strong" },
  { title: "Moderate protection", name: "moderate" },
  { title: "Weak protection", name: "weak" },
  { title: "Hardly any protection", name: "hardly any" },
];

// Of 100 reports of people with an answer, and of 100 people with another, how many name it.
export const FREQUENCIES = {
  option: [
    (count) => `Of 100 people who answer as you do, about ${count} reports name that answer.`,
    (count) => `Of 100 who answer otherwise, about ${count} do.`,
  ],
  item: [
    (count) => `If 100 people gave your answer to this item, about ${count} of their reports would say so.`,
    (count) => `If 100 others gave another answer, about ${count} would.`,
  ],
  number: [
    (count) => `Of 100 people with the highest number, about ${count} reports lie in the upper half.`,
    (count) => `Of 100 with the lowest number, about ${count} do.`,
  ],
  step: [
    (count) => `Of 100 people who choose the last step, about ${count} reports lie in the upper half.`,
    (count) => `Of 100 who choose the first step, about ${count} do.`,
  ],
};

// About the whole report, by the strength of all answers together: the first title is for the two strongest; each of
// the others has one of `cautions`. The numbers are how sure of an answer someone was, in percent, and can become.
export const PROMISE = {
  titles: [
    "Your answers are randomized before they leave this browser",
    "Even randomized, your report can reveal much about your answers",
    "Even randomized, your report can nearly reveal your answers",
  ],
  cautions: [
    "Take part only if you accept what others could learn.",
    "Take part only if you accept your answers being known.",
  ],
  belief: (prior, high) => `Your report can make someone ${prior}% sure of an answer at most ${high}% sure.`,
  certain: (prior) => `Your report can make someone ${prior}% sure of an answer as good as certain.`,
  apart: (chance) => ` With a chance of at most ${chance} the report may reveal more.`,
  more: "How are you protected?",
};

export const SENDING = {
  title: "Sending your report",
  thanks: "Thank you",
  recorded: "Your report is recorded. Your answers are cleared from this page.",
  randomizing: "Your answers are being randomized.",
  cleared: "Your answers have been randomized and cleared from this page. Only the finished report is left. Even if the page sends it several times, it is always the same report.",
  lasting: "You may close this page. Open it again in this browser later, and it sends the same report. A private window forgets the report when you close the window.",
  fleeting: "Please keep this page open: this browser does not let it keep the report.",
  now: "Try again now",
  trying: "Sending…",
  network: "The network or the server cannot be reached.",
  busy: "The server is busy and asked for a pause.",
  server: "The server has a problem at the moment.",
  waiting: (reason, seconds) => `Not sent yet. ${reason} The page tries again in ${seconds === 1 ? "1 second" : `${seconds} seconds`}.`,
};

// Reasons for no questions, or no report.
export const STOPPED = {
  lost: "The questions did not arrive",
  lostWhy: (sent) => `The network or the server cannot be reached. ${sent}`,
  again: "Try again",
  nothingSent: "Nothing has been sent.",
  earlierSent: "The report that this browser sent earlier is not affected.",
  waits: "Your finished report waits in this browser. The page sends it as soon as it opens as it should.",
  unknownNow: "Nothing has been sent now. This browser does not say whether it sent a report earlier.",
  failed: "The report could not be made",
  failedWhy: "Nothing has been sent. Your answers are cleared from this page.",
};
