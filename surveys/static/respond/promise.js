// What the page says before the first question: what will happen to an answer, and how much a report can tell.

import { element, panel } from "./dom.js";
import { oddsFactor, totalAlpha, totalFactor } from "./certificate.js";

const WEAK_ALPHA = 4;
const WEAK_TOTAL = 8;
const JOURNEY = [
  ["Your answer", "stays on this page"],
  ["Randomized", "here, in your browser"],
  ["The report", "is all that is sent"],
];

/** A factor of the certificate in words; beyond a million its digits say nothing more. */
export function upTo(factor) {
  return factor.split(".")[0].length > 6 ? "more than a million times" : `at most ${factor} times`;
}

/** The view {node, heading} that stands above the questions. */
export function promise(definition) {
  const { questions } = definition;
  const several = questions.length > 1;
  const steps = JOURNEY.map(([what, where]) =>
    element("li", {}, element("strong", {}, what), " ", element("span", {}, where)));
  return panel("promise", "What will happen",
    element("p", {}, "You always answer truthfully; this page randomizes every answer before anything leaves " +
      "your browser. Your answers themselves are never sent and never stored."),
    element("ol", { class: "journey" }, ...steps),
    element("p", {}, "From many reports together, the shares among all respondents can be worked out."),
    element("h3", {}, "How much a report can tell"),
    element("p", {}, "Whatever you answer, and whatever anybody guesses about you, what is sent can change " +
      "the odds of the guess only so far:"),
    element("dl", { class: "limits" },
      limit(several ? "What is sent for one question" : "Your report", largestFactor(questions)),
      several ? limit(`The whole report, all ${questions.length} questions`, totalFactor(definition)) : null),
    isWeak(definition) ? element("p", { class: "caution" }, "This is weak protection: somebody who gets hold " +
      "of your report could learn much from it. Take part only if you would not mind.") : null,
    element("p", { class: "hint" },
      "Please answer once. Each further time the same person answers, more can be told."));
}

function largestFactor(questions) {
  const factors = questions.map((question) => oddsFactor(question).text);
  return factors.reduce((largest, text) => (Number(text) > Number(largest) ? text : largest));
}

function isWeak(definition) {
  return Number(totalAlpha(definition)) > WEAK_TOTAL ||
    definition.questions.some((question) => Number(question.alpha) > WEAK_ALPHA);
}

function limit(what, factor) {
  return element("div", { class: "limit" }, element("dt", {}, what),
    element("dd", {}, element("strong", {}, upTo(factor)), element("span", {}, example(Number(factor)))));
}

/** Even odds multiplied by the factor, rounded up: never a promise too strong. */
function example(factor) {
  const percent = Math.ceil((1000 * factor) / (1 + factor)) / 10;
  if (percent >= 100) return "A guess that was 50% likely before can then be as good as certain.";
  return `A guess that was 50% likely before is then at most ${percent}% likely.`;
}
