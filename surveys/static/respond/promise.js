// What the page says before the first question: what will happen to an answer, and how much a report can tell.

import { element, panel } from "./dom.js";
import { oddsFactor, totalAlpha, totalDelta, totalFactor } from "./certificate.js";
import { decimal } from "./rounding.js";

const WEAK_ALPHA = 4;
const WEAK_TOTAL = 8;
const JOURNEY = [
  ["Your answer", "stays on this page"],
  ["Randomized", "here, in your browser"],
  ["The report", "is all that is sent"],
];

/** A factor of the certificate in words; beyond a million its digits say nothing more. */
export function upTo(factor) {
  return factor.split(".")[0].length > 6 ? "more than a million-fold" : `at most ${factor}-fold`;
}

/** What oddsFactor says about one question, in words. */
export function within({ text, delta }) {
  return delta === null ? upTo(text) : `${upTo(text)}, apart from a chance of at most ${oneIn(delta)}`;
}

/** A small delta as "1 in 100,000": never a smaller chance than it is. */
export function oneIn(delta) {
  return `1 in ${(decimal("1") / decimal(delta)).toLocaleString("en")}`;
}

/** The view {node, heading} that stands above the questions. */
export function promise(definition) {
  const { questions } = definition;
  const several = questions.length > 1;
  const weak = isWeak(definition);
  const steps = JOURNEY.map(([what, where]) =>
    element("li", {}, element("strong", {}, what), " ", element("span", {}, where)));
  return panel("promise", "What will happen",
    element("p", {}, "Please answer truthfully. Before anything leaves your browser, this page randomizes every " +
      "answer: it mixes it with chance, as if it rolled dice. What is sent may agree with your answer or differ " +
      "from it, and nobody can be sure which."),
    element("ol", { class: "journey" }, ...steps),
    element("p", {}, "Your answers themselves are never sent and never stored. Over many reports the effect of " +
      "chance evens out, so the survey still learns how common each answer is."),
    element("h3", {}, "How much a report can tell"),
    element("p", {}, "Whoever sees your report may guess better than before what you answered, but only so far. " +
      "Whatever the guess, and whatever you answered, its odds change:"),
    element("dl", { class: "limits" },
      limit(several ? "By what is sent for one question" : "By your report", largestFactor(questions)),
      several ? limit("By the whole report", totalFactor(definition), weak ? "" : extreme(questions)) : null),
    totalDelta(definition) === null ? null : element("p", {}, "This leaves out a chance of at most " +
      `${oneIn(totalDelta(definition))} that what is sent happens to tell more than that.`),
    weak ? element("p", { class: "caution" }, "This is weak protection: somebody who gets hold " +
      "of your report could learn much from it. Take part only if you would not mind.") : null,
    element("p", { class: "hint" },
      "Please take part only once: with a second report from the same person, others can guess better."));
}

/** Why the whole factor is seldom reached; where the protection is weak it may well be, so it is not said there. */
function extreme(questions) {
  return " That is the extreme: the parts for all " +
    `${questions.length} questions would have to speak for the same guess.`;
}

function largestFactor(questions) {
  const factors = questions.map((question) => oddsFactor(question).text);
  return factors.reduce((largest, text) => (Number(text) > Number(largest) ? text : largest));
}

function isWeak(definition) {
  return Number(totalAlpha(definition)) > WEAK_TOTAL ||
    definition.questions.some((question) => Number(question.alpha) > WEAK_ALPHA);
}

function limit(what, factor, more = "") {
  return element("div", { class: "limit" }, element("dt", {}, what),
    element("dd", {}, element("strong", {}, upTo(factor)), element("span", {}, example(Number(factor)) + more)));
}

/** Even odds multiplied by the factor, rounded up: never a promise too strong. */
function example(factor) {
  const percent = Math.ceil((1000 * factor) / (1 + factor)) / 10;
  if (percent >= 100) return "A guess that was 50% likely before can then be as good as certain.";
  return `A guess that was 50% likely before is then at most ${percent}% likely.`;
}
