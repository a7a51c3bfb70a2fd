// What folded parts of the page say in English, beside the words of en.js: loaded when one of them is first opened.

export const AUDIT = {
  questions: "The questions",
  checked: "This page has loaded the survey's definition and compared its SHA-256 with the digest below, which every " +
    "report carries. Every table keeps the alpha that it states. Otherwise the page would show no question.",
  definition: "The definition, byte for byte (opens a new tab)",
  total: (strength, change) => `All questions together: ${strength}, the odds of a guess change ${change}.`,
  strength: (alpha, delta) => (delta ? `alpha ${alpha} and delta ${delta}` : `alpha ${alpha}`),
  files: "The files that run",
  order: "Your browser compares each with its SHA-384 fingerprint before using it. page.js does everything up to " +
    "sending; what decides what is sent stands first in it. The others hold the words and show what is opened.",
  everybody: "Questions for everybody",
  form: (number, total, percent) => `Part ${number} of ${total}, drawn with a chance of ${percent}%`,
  own: ": yours",
  totalWith: (strength, change) => `With the questions for everybody: ${strength}, the odds of a guess change ${change}.`,
  keptTogether: (strength, change) => `${strength}: from all of these answers together, the odds of a guess change ${change}`,
  together: (count, percent) => `Randomized together. The answers to these questions are one of ${count} combinations. Each ` +
    `other combination is reported with the chance below, otherwise yours. This means: with a chance of ${percent}% all ` +
    "answers stay, and otherwise all are replaced by a combination drawn at random, which may again be yours.",
  guarantee: "Guarantee, recomputed here",
  kept: (strength, change) => `${strength}: from this one answer, the odds of a guess change ${change}`,
  mechanism: "Mechanism",
  entry: (name) => `“${name}”`,
  chance: (threshold, percent) => `${threshold} / 2^53 = ${percent}%`,
  log: "The site's log",
  head: (number, day) => `A log lists what this site serves. Every entry holds the fingerprint of the one before. The ` +
    `newest entry is number ${number}, of ${day}, with the fingerprint below. If you keep both, you can see later whether ` +
    "somebody has changed the log. Two people who compare them see whether the site shows them different logs.",
  noHead: "The newest entry of the log did not arrive.",
  more: "More about the log, and how to check this site from outside (opens a new tab)",
  site: "Audit this site",
  draws: (count) => `Your browser draws ${count.toLocaleString("en")} reports of two made-up answers, with the very code ` +
    "that makes yours, and counts how well the reports tell the two apart. Nothing is sent. Such a count can show that " +
    "alpha is larger than stated. The tables above prove that it is not.",
  which: "Question",
  audited: (number, text, alpha) => `${number}. ${text} (alpha ${alpha})`,
  beyond: (reports, most, alpha) => `${reports.toLocaleString("en")} reports can show an alpha of ${most} at most, and ` +
    `this question's is ${alpha}. This audit cannot find out what lies between; that reports keep to ${alpha} is proved by ` +
    "the tables above.",
  draw: (count) => `Draw ${count.toLocaleString("en")} reports`,
  progress: "Reports drawn",
  stop: "Stop",
  stopped: "Stopped.",
  found: ({ reports, hits, n, least, promised }) => `With 95% confidence, these ${reports.toLocaleString("en")} reports ` +
    `show that alpha is at least ${least}. Stated: ${promised}. The first half decided which mark tells the two answers ` +
    `apart best. In the second half, ${hits[0].toLocaleString("en")} of ${n.toLocaleString("en")} reports of the one ` +
    `answer and ${hits[1].toLocaleString("en")} of the other had it.`,
};

export const BUDGET = {
  kept: "This list stays on this device and is never sent. It says nothing about your answers.",
  adds: "What several reports can tell about one person adds up.",
  none: "The list is empty.",
  off: "This device keeps no list.",
  columns: ["Survey", "Day", "Protection"],
  together: (sum) => `Together: ${sum}. `,
  clear: "Clear the list",
  shared: "This is a shared device: keep nothing",
  keep: "Keep a list from now on",
};

// How each mechanism randomizes.

const DRAWN = "A whole number from 0 to 2^53−1 is drawn, and how many of the row's numbers it reaches";
const NOISE = "Your group counts 1 and the others 0. For each a whole number from 0 to 2^53−1 is drawn, and how many " +
  "of the numbers below it reaches, less half of how many there are, is added.";

export const METHODS = {
  randomized_response: "Randomized response. Each other option is reported with the chance below, otherwise yours.",
  bitwise: "Bitwise randomized response. Your option is marked and the others are not; then every mark is " +
    "flipped with the chance below, each on its own.",
  laplace: "Laplace noise in each group. Your group counts 1 and the others 0; each is flipped with the chance " +
    "“flip”, each on its own. Then a 1 grows and a 0 shrinks by a distance whose binary digits have the chances " +
    "“magnitude”. The distance does not depend on your answer.",
  subset: "Subset selection. A set of “m” options is reported. Yours is in it with the chance “in”; the others in " +
    "it are drawn at random.",
  exponential: "Exponential mechanism. One option is reported, a near one more likely than a far one. Each row below " +
    `belongs to one answer. ${DRAWN} is the option, counted from 0.`,
  osgt: `OSGT noise in each group. ${NOISE}`,
  gaussian: `Gaussian noise in each group. ${NOISE}`,
  one_bit: "One bit. Your number is rounded at random to the lowest or the highest one, the nearer more likely, so " +
    "that it is right on average. With the chance below the other one of the two is reported instead.",
  laplace_mean: "Laplace noise on your number. It is rounded at random to one of the grid points between the lowest " +
    `and the highest number, and there is a row below for each. ${DRAWN} is the step that is reported, counted ` +
    "from below the lowest number to above the highest.",
  multiple: "Sampling. “sample” of the options are picked at random, whatever you answer. For each of these is " +
    "reported whether you ticked it, and with the chance “other” the opposite.",
  grid: "Sampling. “sample” of the items are picked at random, whatever you answer. For each of these each other " +
    "option is reported with the chance “other”, otherwise yours.",
};
