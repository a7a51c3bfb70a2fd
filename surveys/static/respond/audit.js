// "Check it yourself": what an expert needs to verify this page, from its own pins and the verified definition.

import { element } from "./dom.js";
import { oddsFactor, totalAlpha, totalDelta, totalFactor } from "./certificate.js";
import { oneIn, upTo, within } from "./promise.js";

const RESOLUTION = 2 ** 53;
const DRAWN = "A whole number from 0 to 2^53−1 is drawn, and how many of the row's numbers it reaches";
const NOISE = "Your group counts 1 and the others 0. For each a whole number from 0 to 2^53−1 is drawn, and how many " +
  "of the numbers below it reaches, less half of how many there are, is added.";
const MECHANISMS = {
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
// Entries of tables that are counts; all others are chances.
const COUNTS = ["m", "sample"];

/** A folded <details> with digest, the table of every question and the files, a list of {name, integrity}. */
export function audit(definition, digest, definitionUrl, files) {
  const link = element("a", { href: definitionUrl, target: "_blank", rel: "noopener noreferrer" },
    "The definition, byte for byte (opens a new tab)");
  return element("details", { class: "audit" },
    element("summary", {}, "Check it yourself"),
    element("h2", {}, "The questions"),
    element("p", {}, "This page fetched the survey's definition and found that its SHA-256 is the digest below, " +
      "which every report carries, and that every table keeps the alpha it states. Otherwise it shows no question."),
    element("p", { class: "fingerprint" }, digest),
    element("p", {}, link),
    element("p", {}, `All questions together: ${total(definition)}.`),
    ...definition.questions.map(tableOf),
    element("h2", {}, "The files that run"),
    element("p", {}, "Your browser compared each with its SHA-384 fingerprint before using it. They stand in the " +
      "order of trust: the first ones decide what is sent, the others ask, deliver and explain."),
    element("ul", {}, ...files.map(({ name, integrity }) =>
      element("li", {}, name, element("p", { class: "fingerprint" }, integrity)))));
}

function total(definition) {
  const [factor, delta] = [upTo(totalFactor(definition)), totalDelta(definition)];
  if (delta === null) return `alpha ${totalAlpha(definition)}, odds change ${factor}`;
  return `alpha ${totalAlpha(definition)} and delta ${delta}, odds change ${factor}, apart from a chance of at most ` +
    oneIn(delta);
}

function tableOf(question) {
  const delta = question.delta ? ` and delta ${question.delta}` : "";
  return element("section", { class: "table" },
    element("h3", {}, question.text),
    element("dl", {},
      element("dt", {}, "Guarantee, recomputed here"),
      element("dd", {}, `alpha ${question.alpha}${delta}: odds change ${within(oddsFactor(question))}`),
      element("dt", {}, "Mechanism"),
      element("dd", {}, MECHANISMS[question.mechanism]),
      ...Object.entries(question.table).flatMap(chances)));
}

/** One entry of a table: its integers, each with the chance it stands for; of rows and noise the integers alone. */
function chances([name, value]) {
  const lines = linesOf(name, value).map((line) => element("li", { class: "fingerprint" }, line));
  return [element("dt", {}, `“${name}”`), element("dd", {}, element("ul", {}, ...lines))];
}

function linesOf(name, value) {
  if (COUNTS.includes(name)) return [String(value)];
  if (name === "noise") return [value.join(", ")];
  if (name === "rows") return value.map((row, index) => `${index}: ${row.join(", ")}`);
  return [value].flat().map((threshold) => `${threshold} / 2^53 = ${percent(threshold)}`);
}

function percent(threshold) {
  return `${Number(((100 * threshold) / RESOLUTION).toPrecision(4))}%`;
}
