// The page's texts in English for folded parts and for the time after sending; loaded with the first of these.

export const AUDIT = {
  questions: "The questions",
  checked: "This page has loaded the survey's definition. Its SHA-256 is the digest below, which every report carries. Every table keeps the alpha that it states. Otherwise the page would show no question.",
  definition: "The definition, byte for byte (a file)",
  // How far a report can change the odds of a guess.
  most: (factor) => `by a factor of at most ${factor}`,
  million: "by a factor of more than a million",
  apart: (change, chance) => `${change}, apart from a chance of at most ${chance}`,
  total: (strength, change) => `All questions together: ${strength}, the odds of a guess change ${change}.`,
  strength: (alpha, delta) => (delta ? `alpha ${alpha} and delta ${delta}` : `alpha ${alpha}`),
  files: "The files that run",
  order: "Your browser compares each with its SHA-384 fingerprint before using it. page.js does everything up to sending; what decides what is sent comes first in it. The others hold the words and show what is opened.",
  shared: "Questions for all respondents",
  form: (number, total, percent) => `Part ${number} of ${total}, drawn with a chance of ${percent}%`,
  own: ": yours",
  totalWith: (strength, change) => `With the questions for all: ${strength}, the odds of a guess change ${change}.`,
  keptTogether: (strength, change) => `${strength}: from all of these answers together, the odds of a guess change ${change}`,
  guarantee: "Guarantee, recomputed here",
  kept: (strength, change) => `${strength}: from this one answer, the odds of a guess change ${change}`,
  mechanism: "Mechanism",
  entry: (name) => `“${name}”`,
  chance: (threshold, percent) => `${threshold} / 2^53 = ${percent}%`,
  program: "The program of this site",
  release: (version, commit) => `This site says that it runs version ${version}${commit ? `, commit ${commit}` : "; it does not name the commit"}.`,
  source: "Its source is published at ",
  noSource: "It does not say where the source is published. Ask its operator.",
  manifest: "The manifest lists every file that it serves to respondents. Its fingerprint:",
  log: "The site's log",
  head: (number, day) => `A log lists what this site serves. It has ${number} entries, the newest of ${day}. Below is one fingerprint of all of them. If you keep it with their number, you can see later whether someone has changed the log. Two people who compare fingerprints of the same number see whether the site shows them different logs.`,
  noHead: "The fingerprint of the log did not arrive.",
  more: "The program's version and source, more about the log, and how to check this site from outside (opens a new tab)",
  site: "Audit this site",
  draws: (count) => `Your browser draws ${count.toLocaleString("en")} reports of two made-up answers, with the very code that makes yours, and counts how well the reports distinguish the two. Nothing is sent. The count could show that alpha is larger than stated. The tables above prove that it is not.`,
  which: "Question",
  jointly: "The two made-up people answer each of these questions differently. A report distinguishes them if it holds all answers of one of them.",
  audited: (number, text, alpha) => `${number}. ${text} (alpha ${alpha})`,
  beyond: (reports, most, alpha) => `${reports.toLocaleString("en")} reports can show an alpha of at most ${most}; the stated one is ${alpha}. This audit cannot check what lies between. The tables above prove that reports keep alpha ${alpha}.`,
  draw: (count) => `Draw ${count.toLocaleString("en")} reports`,
  progress: "Reports drawn",
  stop: "Stop",
  stopped: "Stopped.",
  found: ({ reports, hits, n, least, promised }) => `With 95% confidence, these ${reports.toLocaleString("en")} reports show that alpha is at least ${least}. Stated: ${promised}. The first half decided which mark distinguishes the two answers best. In the second half, ${hits[0].toLocaleString("en")} of ${n.toLocaleString("en")} reports of the one answer and ${hits[1].toLocaleString("en")} of the other had it.`,
};

// More about the protection, in a folded part of the promise; `either` and `truthfully` only if it is strong or
// moderate.
export const BELIEFS = {
  together: (count, one) => ` of all ${count} answers; of each alone: ${one}.`,
  example: (number) => `Question ${number}, for example:`,
  either: "Your report could come from either group.",
  belief: (prior, high, low) => `If someone guessed your answer with ${prior}% certainty, your whole report could raise that to at most ${high}%, or lower it to ${low > 0 ? `${low}%` : "almost 0%"}.`,
  truthfully: "Please answer truthfully: the randomizing protects you. Lying does not reliably protect you more, and it distorts the result.",
  learn: "Who could learn what",
  who: [
    ["This page:", "your answers, until you send."],
    ["The network:", "when you take part."],
    ["Staff, thieves, courts:", "your report, in a table without names, addresses or times."],
    ["The results:", "how common answers are."],
  ],
  drawn: "This browser drew your questions before it showed any. Your report says which ones you got.",
  rounded: "Numbers that are randomized together with other answers are first rounded at random to the lowest or the highest one.",
  whose: ({ page, survey }) => `“${page}” marks what the page itself has computed. “${survey}” marks what the survey's authors have written; no one has checked it.`,
  weaker: "Your protection gets weaker if you take part twice, if a device or a browser extension reads along, or if someone looks over your shoulder. So please take part only once.",
  readers: "People who read only the published results usually learn less, since your report is one of many there. Anyone who sees it arrive, such as the people who run this site, can learn all that is said here.",
  wave: "This survey follows an earlier one. If you took part in that too, all your reports count as one: ",
  guesses: "How far a guess about an answer can move, in percent.",
  columns: ["Before", "From one answer alone", "From the whole report"],
  between: (low, high) => `${low} to ${high}`,
};

export const BUDGET = {
  kept: "This list stays on this device and is never sent. It says nothing about your answers.",
  adds: "What several reports can reveal about one person adds up.",
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
const NOISE = "Your group counts 1 and the others 0. For each a whole number from 0 to 2^53−1 is drawn, and how many of the numbers below it reaches, less half of how many there are, is added.";

export const METHODS = {
  randomized_response: "Randomized response. “sizes” says how many options of each question are sent; of lists: entries × options.",
  bitwise: "Bitwise randomized response. Your option is marked and the others are not; then every mark is flipped with the chance below, each on its own.",
  laplace: "Laplace noise in each group. Your group counts 1 and the others 0; each is flipped with the chance “flip”, each on its own. Then a 1 grows and a 0 shrinks by a distance whose binary digits have the chances “magnitude”. The distance does not depend on your answer.",
  exponential: `Exponential mechanism. One option is reported, a near one more likely than a far one. Each row below belongs to one answer. ${DRAWN} is the option, counted from 0.`,
  osgt: `OSGT noise in each group. ${NOISE}`,
  gaussian: `Gaussian noise in each group. ${NOISE}`,
  one_bit: "One bit. Your number is rounded at random to the lowest or the highest one, the nearer more likely, so that it is right on average. With the chance “keep” that one is sent; otherwise one of the two at random.",
  laplace_mean: `Laplace noise on your number. It is rounded at random to one of the grid points between the lowest and the highest number, and there is a row below for each. ${DRAWN} is the step that is reported, counted from below the lowest number to above the highest.`,
  multiple: "Sampling. “sample” of the options are picked at random, whatever you answer. With the chance “keep” what is sent says of all of these whether you ticked them; otherwise all of it is random.",
  grid: "Sampling. “sample” of the items are picked at random, whatever you answer. For each of these “size” options are sent. With the chance “keep” all your answers to these are among them; otherwise all of it is random.",
  ranking: "Sampling. “sample” of the items are picked at random, whatever you answer. With the chance “keep” your order of these is sent; otherwise an order at random.",
};

export const THANKS = {
  results: "See the results of this survey",
  // For people who were sent here by another site.
  code: "Completion code: ",
  copy: "Copy the code",
  copied: "Copied",
  back: (host) => `Back to ${host}`,
  same: "All respondents see the same here. It contains none of your answers.",
  repeated: "Your report had already been recorded, once. Your answers are cleared from this page.",
  // By the strength of all answers together.
  differs: [
    "What was sent may differ from what you answered: that is what protects you.",
    "What was sent may differ from what you answered, but it can reveal much about it.",
    "What was sent may differ from what you answered, but it can come close to revealing it.",
  ],
  left: "What left your browser",
  routed: "The report also covers questions that you were not asked. All who are not asked a question get the same answer to it, and that answer is randomized like any other.",
  form: (number, total) => `This survey has ${total} parts, and each person is asked one. The report says that you were asked part ${number}.`,
  // The texts of the questions; none if these are all questions.
  together: (texts) => `${texts.length > 0 ? `Randomized together: ${quoted(texts)}` : "These answers were randomized together"}. Either all of your answers are among what was sent, or all of it is random. What is random can happen to hold your answers.`,
  signed: "A signature was sent with it, at the end. It says that the report comes from an invited person, but not from whom: the server signed the report without seeing it.",
  question: "Question",
  reported: "What was reported",
  marked: "Marked:",
  unmarked: "No option is marked",
  among: "One of these, or another:",
  picked: "Picked at random:",
  yes: "yes",
  no: "no",
  bytes: (count) => `The ${count} bytes that were sent`,
};

// After sending in a designer's preview.
export const PREVIEW = {
  title: "Nothing was sent",
  nothing: "This is a preview: the page made the report below and has already deleted it. A respondent sees what follows once the server has taken the report.",
  again: "Begin again",
};

export const REFUSED = {
  title: "Your report was not recorded",
  404: "This survey no longer exists. Nothing was recorded.",
  409: "The report belongs to other questions than the survey asks now. Nothing was recorded.",
  410: "The survey closed before the report arrived. Nothing was recorded.",
  early: "The survey has not begun. Nothing was recorded.",
  fault: "The server could not read the report. The survey's software is at fault, not you. Nothing was recorded.",
  advice: "There is nothing more to do here, and answering again would send a second report. Please inform the person who invited you.",
  cleared: "Your answers are cleared from this page, and the report will not be sent again.",
};

// For an incomplete link.
export const LOST = {
  title: "Enter your code",
  code: "The code from your letter, card or poster",
  hint: "Spaces, hyphens and capital letters do not matter. You can also paste the whole link.",
  open: "Open the survey",
  wrong: "This is not a code: a letter is missing, added or mistyped.",
  unknown: "No survey has this code.",
};

// For a survey by invitation.
export const INVITED = {
  promise: "Your invitation lets in one report. The server signs that report without seeing it, and the signature lets it in. So the signature shows no one which invitation the report came from, not even the operator of this site. If someone has already used your invitation, the page learns that only after your last answer. Otherwise anyone with your link could find out whether you took part.",
  group: (name) => `You were invited in the group “${name}”, and your report will say so. `,
  groups: (names) => `Each report names its group, and results are published for each group: ${quoted(names)}. For a group with too few reports nothing is published. The group is not secret: only your answers are randomized.`,
  wrongKey: "This survey's keys are not sound",
  revoked: "This invitation is no longer valid",
  changed: "Your invitation's link was changed on its way",
  missing: "This survey is by invitation",
  missingWhy: "Your link has no invitation, or is incomplete. Please open the link that you were sent, exactly as you got it. Nothing has been sent.",
  fleeting: "The report has not been sent yet. Please keep this page open: this browser does not let it keep the report.",
  why: "Your invitation is used when you press the button. Someone who watches the server could see the report arrive at the same moment. A later moment reveals less.",
  later: (shortest, longest) => `Send my report ${shortest} to ${longest} minutes later, at a random moment`,
  waiting: "Your report waits",
  until: (time) => `Your invitation is used. The page sends the report at ${time}, by itself. If the survey closes before, the report is not counted.`,
  closing: "Please leave this page open until then, or open your link again in this browser later. A private window forgets the report when you close the window.",
  instead: "Send it now",
  wrong: "The server's signature is wrong",
  wrongWhy: "So the page has not sent your report: another signature could make it recognizable. The report is kept. If trying again does not help, please inform the person who invited you.",
  again: "Try again",
  refused: "Your report was not sent",
  takenBack: "It was revoked. Please ask the person who invited you for a new link.",
  unsigned: "Your link was used before, perhaps by you on another device, or it was revoked, or it is damaged. The server does not say which, so that no one else with your link can find out whether you took part. Please ask the person who invited you for a new link.",
  early: "The survey has not begun. Please open your link again once it has.",
  404: "This survey no longer exists.",
  410: "The survey has closed.",
  fault: "The server could not read what the page sent. The survey's software is at fault, not you. Please inform the person who invited you.",
  deleted: "Your answers are cleared from this page, and the report was deleted. No one has seen it.",
};

// For a survey with a relay.
export const RELAY = {
  promise: (host) => `Your report goes through a relay, ${host}, which someone else runs. The relay sees where the report comes from, but cannot read it. This site reads the report, but does not see where it comes from. Together the two could find out.`,
  lost: (host) => `The page cannot reach the relay ${host}, and keeps trying. If you let it send directly to this site instead, the site sees your IP address, as it did when you opened this page.`,
  direct: "Send without the relay",
};

// For the page inside another site's page.
export const FRAME = {
  refused: "This survey is not shown inside this page",
  why: "The survey allows only pages that it names, and the page around it is not known to be one of them. That page could lay something over the questions, so none is asked here. In a window of its own the address bar shows whose page it is.",
  followed: "In this browser the page around the survey could see where in the survey you are, and so learn about your answers. So nothing is asked here.",
  held: (host) => `You see this survey inside a page of ${host}. Your browser remembers only for pages of ${host} that you took part.`,
  alone: "Open the survey in a window of its own",
};

export const ANSWERED = {
  recorded: "Someone has already answered this survey in this browser",
  recordedFate: "The report was recorded. Thank you. We do not keep its contents here.",
  refused: "This browser has already sent a report",
  refusedFate: "The report reached the server but was not recorded. We do not keep its contents here.",
  elsewhere: "That was at another link with exactly the same questions. ",
  older: "That was an earlier version of this survey. ",
  again: "Answer this version too",
  both: "Two reports reveal more than one",
  sum: "Both reports together can reveal more about you than this page states for one report: their alphas add up.",
  used: "This link was used on this device",
  single: "A link lets in one report. Another person needs a link of their own.",
  another: "Another person wants to answer on this device",
  really: "Is it really someone else?",
  twice: "If the same person answers twice, both reports together can reveal more about them than this page states for one report. For someone else, it states the same as for you.",
  yes: "Yes, another person answers now",
};

// Reasons why a survey is not asked.
export const NOT_ASKED = {
  nowhere: "No survey has this link",
  nowhereWhy: (sent) => `The link may be incomplete, or its survey is gone. Please open it once more, whole, as you got it. ${sent}`,
  closed: "This survey is closed",
  closedWhy: "It no longer takes answers, so there is nothing to fill in here. Thank you for your visit.",
  early: "This survey has not begun",
  earlyWhy: (when) => `It begins on ${when}. Please open this page again then. Until then there is nothing to fill in, and nothing is sent or stored.`,
  refusal: "This page will not ask any questions",
  weaker: "Your answers would be less protected than stated.",
  noQuestion: "So the page shows no question.",
  old: "This browser is too old for this page",
  oldWhy: (name) => `It does not have ${name}, which the page needs. Please update this browser, or open the link in another browser or on another device.`,
  elsewhere: "This survey is open in another tab",
  elsewhereWhy: "Please answer it there. Once you close that tab, this page goes on by itself.",
  here: "Answer here instead",
  unknown: "Did you answer this survey before?",
  unknownWhy: "This browser does not say whether it has already sent a report to this survey. Please take part only once: two reports together can reveal more about you than the survey promises.",
  first: "No, I have not answered yet",
  chance: "This browser's random numbers are not working",
  chanceWhy: "The page needs random numbers to randomize your answers, and those of this browser repeat themselves. So it asks nothing, and nothing has been sent. Another browser or device may work.",
  insecure: "This page must be opened over https",
  insecureWhy: "Without encryption, someone on the network could change this page, and you could not rely on what it says. Please open the same link with https:// at the beginning. Nothing has been sent.",
};

// Problems of a definition that certify finds.
export const PROBLEMS = {
  format: () => "This page does not know this format of survey.",
  form: () => "The survey's definition is not in the form that this page can read.",
  gap: ({ number }) => `Not every answer to question ${number} could be reported.`,
  weak: ({ texts }) => `The table for ${quoted(texts)} does not keep the alpha that it states.`,
  together: () => "Its questions do not fit together in one report.",
};

// How to read a report, by the form in which its mechanism reads it back.
export const READING = {
  marked: () => "Where options are marked: chance may have marked some and left out others, so there may be several or none, whatever you chose.",
  figures: () => "Where groups have numbers: chance may have changed any of them, so your group need not have the largest.",
  among: () => "Where several options are named: chance took part in choosing them, and yours need not be among them.",
  near: () => "Where options have an order: chance may have moved the report along it.",
  end: () => "Where a number is reported as its lowest or highest: chance turned it into one of the two, more often into the nearer one, and may then have swapped them.",
  step: () => "Where the steps count as numbers: chance made the first or the last of your answer, more often the nearer one, and may then have swapped them.",
  number: () => "Where a number is reported: chance may have changed it, even to one that you could not have answered.",
  ticked: (table) => `Where several options could be ticked: ${sampled(table)}; chance may have reversed the answer.`,
  picked: (table) => `Where several items were asked about: ${sampled(table)}, and chance may have changed the answer.`,
  paired: ({ sample }) => `Where items were put in order: your browser reported an order of ${sample} of them only, and chance may have changed it.`,
};

function quoted(texts) {
  return texts.map((text) => `“${text}”`).join(", ");
}

function sampled({ sample }) {
  const [items, that] = sample > 1 ? ["some of them", "those"] : ["one item", "that one"];
  return `your browser picked ${items} at random and reported only ${that}`;
}

// For kinds in files of their own: like ASKED; for dates also by the number of characters of a date.
export const SELDOM = {
  date: {
    missing: "Please enter a date.",
    4: "Enter the year, such as 1984. Only the span it falls into is used.",
    7: "Enter the year and choose the month. Only the span they fall into is used.",
    10: "Enter the day. Only the span it falls into is used.",
    year: "Year",
    month: "Month",
  },
  ranking: {
    missing: "Please put these in your order, and confirm it.",
    hint: "Move the items up or down until they are in your order. Then confirm it.",
    drawn: (count, all) => {
      const [pick, these] = count < all ? [`Your browser will pick ${count} of the items at random, whatever you answer. It`, "these"] : ["Your browser", "the items"];
      return `${pick} will send a randomized answer about the order of ${these}, and nothing else.`;
    },
    up: (item) => `Up: ${item}`,
    down: (item) => `Down: ${item}`,
    confirm: "This is my order",
    confirmed: "Confirmed. If you move an item, please confirm again.",
    moved: (item, place, count) => `${item}: now place ${place} of ${count}. Please confirm your order.`,
    speaks: [
      (count) => `If 100 people put two of the items in your order, about ${count} of their reports about both would say so.`,
      (count) => `If 100 others put them the other way round, about ${count} would.`,
    ],
  },
};
