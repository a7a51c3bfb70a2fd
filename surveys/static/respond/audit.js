// "Check it yourself": what an expert needs to verify this page, from its own pins and the verified definition.

import { element } from "./dom.js";
import { oddsFactor, totalAlpha, totalFactor } from "./certificate.js";
import { upTo } from "./promise.js";

const RESOLUTION = 2 ** 53;
const MECHANISMS = {
  randomized_response: "Randomized response. Each other option is reported with the chance below, otherwise yours.",
  bitwise: "Bitwise randomized response. Your option is marked and the others are not; then every mark is " +
    "flipped with the chance below, each on its own.",
  laplace: "Laplace noise in each group. Your group counts 1 and the others 0; each is flipped with the chance " +
    "“flip”, each on its own. Then a 1 grows and a 0 shrinks by a distance whose binary digits have the chances " +
    "“magnitude”. The distance does not depend on your answer.",
};

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
    element("p", {}, `All questions together: alpha ${totalAlpha(definition)}, odds change ` +
      `${upTo(totalFactor(definition))}.`),
    ...definition.questions.map(tableOf),
    element("h2", {}, "The files that run"),
    element("p", {}, "Your browser compared each with its SHA-384 fingerprint before using it. The first four " +
      "decide what is sent."),
    element("ul", {}, ...files.map(({ name, integrity }) =>
      element("li", {}, name, element("p", { class: "fingerprint" }, integrity)))));
}

function tableOf(question) {
  return element("section", { class: "table" },
    element("h3", {}, question.text),
    element("dl", {},
      element("dt", {}, "Guarantee, recomputed here"),
      element("dd", {}, `alpha ${question.alpha}: odds change ${upTo(oddsFactor(question).text)}`),
      element("dt", {}, "Mechanism"),
      element("dd", {}, MECHANISMS[question.mechanism]),
      ...Object.entries(question.table).flatMap(chances)));
}

/** One entry of a table: its integers, each with the chance it stands for. */
function chances([name, value]) {
  const lines = [value].flat().map((threshold) =>
    element("li", { class: "fingerprint" }, `${threshold} / 2^53 = ${percent(threshold)}`));
  return [element("dt", {}, `“${name}”`), element("dd", {}, element("ul", {}, ...lines))];
}

function percent(threshold) {
  return `${Number(((100 * threshold) / RESOLUTION).toPrecision(4))}%`;
}
