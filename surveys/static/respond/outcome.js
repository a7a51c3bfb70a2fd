// What is shown once there is a report. Nothing here knows an answer: all of it is made from the report and the
// server's reply, so it is the same for any two answers that gave the same report.

import { button, element, panel } from "./dom.js";

const REASONS = {
  network: "The network or the server cannot be reached.",
  busy: "The server is busy and asked for a pause.",
  server: "The server has a problem at the moment.",
};
const REFUSALS = {
  404: "There is no survey at this address any more.",
  409: "Its questions are not the ones the survey has now.",
  410: "The survey closed before it arrived.",
};
const FAULT = "The server could not read it. This is a fault of the survey's software, not of yours.";
const READING = {
  bitwise: "Where options are marked: chance marked some and left others out, so there may be several or none, " +
    "whatever you chose.",
  laplace: "Where groups have numbers: chance may have shifted any of them, so the largest need not be that of " +
    "your group.",
  subset: "Where several options are named: they were drawn with chance, and yours need not be among them.",
  exponential: "Where options have an order: chance may have moved the report along it.",
  one_bit: "Where a number is reported as its lowest or highest: chance turned it into one of the two, more often " +
    "into the nearer one, and may then have swapped them.",
  laplace_mean: "Where a number is reported: chance has shifted it, possibly beyond what you could have answered.",
  multiple: "Where several options could be ticked: your browser picked $items at random and reported only $that; " +
    "chance may have turned the answer round.",
  grid: "Where several items were asked about: your browser picked $items at random and reported only $that, and " +
    "chance may have changed the answer.",
};
READING.osgt = READING.laplace;
READING.gaussian = READING.laplace;

/** While the report is on its way: the view with waiting(pause) and trying(), as `deliver` calls them. */
export function sending(lasting, onTryNow) {
  const status = element("p", { role: "status" });
  const again = button("Try again now", { class: "button", hidden: true }, () => {
    if (again.getAttribute("aria-disabled") !== "true") onTryNow();
  });
  const keep = lasting
    ? "You may close this page. This browser keeps the finished report and sends it when you open the page again."
    : "Please keep this page open: this browser does not let it keep the report.";
  const view = panel("outcome", "Sending your report",
    element("p", {}, "Your answers have been randomized and cleared from this page. Only the finished report is " +
      "left, and however often it has to be sent, it is always the same one."),
    status, again, element("p", { class: "hint" }, keep));

  function trying() {
    status.textContent = "Sending…";
    again.setAttribute("aria-disabled", "true");
  }
  function waiting({ seconds, reason, mayHurry }) {
    const pause = seconds === 1 ? "1 second" : `${seconds} seconds`;
    status.textContent = `Not sent yet. ${REASONS[reason]} The page tries again in ${pause}.`;
    again.hidden = false;
    again.setAttribute("aria-disabled", String(!mayHurry));
  }
  trying();
  return { ...view, trying, waiting };
}

/** After success: thanks, what was reported in words, and the bytes. */
export function thanks(definition, body, { repeated }, resultsUrl) {
  const { answers } = JSON.parse(body);
  const rows = definition.questions.map((question) => element("tr", {},
    element("th", { scope: "row" }, question.text), element("td", {}, reported(question, answers[question.key]))));
  const reading = new Set(definition.questions.map(readingOf).filter((sentence) => sentence !== undefined));
  return panel("outcome", "Thank you",
    element("p", {}, `${repeated ? "Your report had already been recorded, once." : "Your report is recorded."} ` +
      "Your answers are cleared from this page."),
    resultsUrl ? element("p", {}, element("a", { href: resultsUrl }, "See the results of this survey")) : null,
    element("h3", { id: "reported" }, "What left your browser"),
    element("p", {}, "This is the whole report. It is randomized, so it may differ from what you answered: " +
      "that is what protects you."),
    element("table", { "aria-labelledby": "reported" },
      element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "Question"),
        element("th", { scope: "col" }, "What was reported"))),
      element("tbody", {}, ...rows)),
    ...[...reading].map((sentence) => element("p", { class: "hint" }, sentence)),
    exactBytes(body));
}

/** After a definite no: why, and that nothing was recorded. */
export function refused({ status }, body) {
  return panel("outcome", "Your report was not recorded",
    element("p", {}, `${REFUSALS[status] ?? FAULT} Nothing was recorded.`),
    element("p", {}, "Your answers are cleared from this page, and the report will not be sent again."),
    exactBytes(body));
}

/**
 * For a browser that has a receipt, perhaps of the same questions at another address. `onAnother` is called once the
 * explanation was confirmed.
 */
export function answered({ outcome }, elsewhere, onAnother) {
  const [title, fate] = outcome === "refused"
    ? ["A report was already sent from this browser", "It reached the server but was not recorded."]
    : ["This survey was already answered in this browser", "The report was recorded. Thank you."];
  const where = elsewhere ? "That was at another address, which has exactly the same questions. " : "";
  const confirm = panel("another", "Is it really somebody else?",
    element("p", {}, "If the same person answers twice, two reports together can tell more about them than the " +
      "survey promises for one. Somebody else is protected in full."),
    button("Yes, another person answers now", { class: "button primary" }, onAnother));
  const folded = element("div", { id: "another-person", hidden: true }, confirm.node);
  const ask = button("Another person wants to answer on this device",
    { class: "button", "aria-expanded": "false", "aria-controls": folded.id }, () => {
      folded.hidden = !folded.hidden;
      ask.setAttribute("aria-expanded", String(!folded.hidden));
      if (!folded.hidden) confirm.heading.focus();
    });
  return panel("outcome", title, element("p", {}, `${where}${fate} What it said is not kept here.`), ask, folded);
}

/** A view with a title and paragraphs, given as text, or other nodes. */
export function notice(title, ...parts) {
  const paragraphs = parts.map((part) => (typeof part === "string" ? element("p", {}, part) : part));
  return panel("outcome", title, ...paragraphs);
}

/** How to read what a question's mechanism reports. */
function readingOf({ mechanism, table }) {
  const [items, that] = table.sample > 1 ? ["some of them", "those"] : ["one item", "that one"];
  return READING[mechanism]?.replace("$items", items).replace("$that", that);
}

/** One question's randomized value in words, by its mechanism. */
const REPORTED = {
  randomized_response: ({ options }, value) => options[value],
  exponential: ({ options }, value) => options[value],
  bitwise: ({ options }, value) => marks("Marked:", options.filter((_, index) => value[index] === "1")),
  subset: ({ options }, value) => (value.length === 1
    ? options[value[0]]
    : marks("One of these, or another:", value.map((index) => options[index]))),
  laplace: figures,
  osgt: figures,
  gaussian: figures,
  one_bit: ({ low, high, unit }, value) => withUnit(value === 1 ? high : low, unit),
  laplace_mean({ low, high, unit, table }, value) {
    const number = Number(low) + ((Number(high) - Number(low)) * value) / (table.rows.length - 1);
    return withUnit(minus(Number(number.toPrecision(6))), unit);
  },
  multiple: ({ options }, value) => picked(value.map(([item, bit]) => [options[item], bit === 1 ? "yes" : "no"])),
  grid: ({ items, options }, value) => picked(value.map(([item, option]) => [items[item], options[option]])),
};

function reported(question, value) {
  return REPORTED[question.mechanism](question, value);
}

function marks(title, options) {
  if (options.length === 0) return "No option is marked";
  return element("div", { class: "marks" }, title, list(options.map((option) => [option])));
}

function picked(pairs) {
  return element("div", { class: "marks" }, "Picked at random:",
    list(pairs.map(([item, answer]) => [`${item}: ${answer}`])));
}

function figures({ options }, value) {
  return list(options.map((option, index) =>
    [`${option} `, element("span", { class: "figure" }, minus(value[index]))]));
}

function withUnit(number, unit) {
  return unit ? `${number} ${unit}` : String(number);
}

function minus(number) {
  return String(number).replace("-", "\u2212");
}

function list(items) {
  return element("ul", {}, ...items.map((children) => element("li", {}, ...children)));
}

function exactBytes(body) {
  return element("details", {}, element("summary", {}, `The exact ${body.length} bytes that were sent`),
    element("pre", { class: "bytes" }, body));
}
