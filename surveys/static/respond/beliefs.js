// More about the protection, in a folded part of the promise: whose words are whose, what would weaken it, and how far a
// report moves a guess.

import { factor, totalDelta, totalFactor } from "./certificate.js";
import { element, table } from "./dom.js";
import { belief } from "./exact.js";
import { apart } from "./promise.js";
import { BELIEFS, BY, shown } from "./words.js";

const PRIORS = [5, 20, 50];

/** Whose words are whose, what would weaken the protection, and the beliefs after one answer and after all. */
export function beliefs(definition) {
  const { questions } = definition;
  const largest = questions.map(factor).reduce(([a, b], [c, e]) => (c * b > a * e ? [c, e] : [a, b]));
  const factors = [...(questions.length > 1 ? [largest] : []), totalFactor(definition)];
  const [before, one, whole] = BELIEFS.columns;
  const guesses = BELIEFS.guesses + apart(totalDelta(definition));
  const columns = [before, ...(questions.length > 1 ? [one] : []), whole];
  const cells = (prior) => factors.map((each) => element("td", {}, BELIEFS.between(...belief(prior, each))));
  const rows = PRIORS.map((prior) => [shown(prior), cells(prior)]);
  return [
    ...aboutLot(definition),
    element("p", {}, BELIEFS.whose(BY)),
    element("p", {}, BELIEFS.weaker),
    element("p", {}, BELIEFS.readers),
    table(guesses, columns, rows, element("caption", {}, guesses)),
  ];
}

function aboutLot({ parts, form }) {
  const rounded = parts.some(({ questions }) => questions.length > 1 && questions.some(({ kind }) => kind === "mean"));
  const said = [form !== undefined && BELIEFS.drawn, rounded && BELIEFS.rounded].filter(Boolean);
  return said.length > 0 ? [element("p", {}, said.join(" "))] : [];
}
