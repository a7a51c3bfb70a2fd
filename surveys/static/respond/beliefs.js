// More on the protection, in a folded part of the promise: what a report says, how far it moves a guess, who could
// learn what, who wrote which texts, and what would weaken the protection.

import { factor, totalDelta, totalFactor } from "./certificate.js";
import { element, table } from "./dom.js";
import { belief } from "./exact.js";
import { apart, believed, ofHundred, sentences, strength, strengths, typical } from "./promise.js";
import { always } from "./routing.js";
import { BELIEFS, BY, shown, STRENGTH } from "./words.js";

const PRIORS = [5, 20, 50];

/** Return all nodes of the folded part, including `folded`. */
export function beliefs(definition, folded = []) {
  const { all } = strengths(definition);
  const delta = apart(totalDelta(definition));
  return [
    ...ofAll(definition),
    example(definition, all),
    element("p", {}, believed(totalFactor(definition), BELIEFS) + delta),
    ...(all < 2 ? [element("p", {}, BELIEFS.truthfully)] : []),
    element("h3", {}, BELIEFS.learn),
    element("dl", {}, ...BELIEFS.who.map(([who, what]) =>
      element("div", {}, element("dt", {}, who), " ", element("dd", {}, what)))),
    ...folded,
    ...aboutLot(definition),
    element("p", {}, BELIEFS.whose(BY)),
    element("p", {}, BELIEFS.weaker),
    element("p", {}, BELIEFS.readers),
    guesses(definition, delta),
  ];
}

/** Return the strength of all answers together and, if it differs, of the least protected one. */
function ofAll(definition) {
  const { one, all } = strengths(definition);
  const said = () => BELIEFS.together(definition.questions.length, STRENGTH[one].name);
  return one < all ? [element("p", {}, strength(all), said())] : [];
}

/** Return what reports say about the typical question, in pictures and words. */
function example(definition, all) {
  const question = typical(definition);
  // Its number before any answer.
  const number = definition.questions.filter(always).indexOf(question) + 1;
  const named = definition.questions.length > 1 && number > 0 ? `${BELIEFS.example(number)} ` : "";
  return element("p", {},
    element("span", { class: "hundreds" }, ...ofHundred(question).map(({ share }) => icons(share))),
    named + sentences(question), all < 2 ? ` ${BELIEFS.either}` : "");
}

/** Return 10 by 10 squares, `count` of them full, from the bottom up. */
function icons(count) {
  const squares = Array.from({ length: 100 }, (_, i) => `M${10 * (i % 10)} ${90 - 10 * Math.floor(i / 10)}h7v7h-7z`);
  return element("svg", { viewBox: "-1 -1 99 99", "aria-hidden": "true" },
    element("path", { class: "full", d: squares.slice(0, count).join("") }),
    element("path", { d: squares.slice(count).join("") }));
}

/** Return a table of the beliefs after one answer and after all. */
function guesses(definition, delta) {
  const { questions } = definition;
  const largest = questions.map(factor).reduce(([a, b], [c, e]) => (c * b > a * e ? [c, e] : [a, b]));
  const factors = [...(questions.length > 1 ? [largest] : []), totalFactor(definition)];
  const [before, one, whole] = BELIEFS.columns;
  const title = BELIEFS.guesses + delta;
  const columns = [before, ...(questions.length > 1 ? [one] : []), whole];
  const cells = (prior) => factors.map((each) => element("td", {}, BELIEFS.between(...belief(prior, each))));
  const rows = PRIORS.map((prior) => [shown(prior), cells(prior)]);
  return table(title, columns, rows, element("caption", {}, title));
}

function aboutLot({ parts, form }) {
  const rounded = parts.some(({ questions }) => questions.length > 1 && questions.some(({ kind }) => kind === "mean"));
  const said = [form !== undefined && BELIEFS.drawn, rounded && BELIEFS.rounded].filter(Boolean);
  return said.length > 0 ? [element("p", {}, said.join(" "))] : [];
}
