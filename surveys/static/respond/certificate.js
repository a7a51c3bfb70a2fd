// The certificate: the page asks a definition's questions only if every answer that the page accepts yields a report
// (shape.js), and if its integer tables keep the stated alpha, proved in whole numbers only (BigInt).
//
// Partial sums of the Taylor series are lower bounds of e^alpha. If a / b is the largest ratio of the chances of a report
// under two answers, a / b <= (partial sum) therefore proves that the ratio is at most e^alpha. If two answers can differ
// in several independent parts of a draw, each part keeps an equal share of alpha. docs/mathematics.md has the argument.

import { expBelow } from "./exact.js";
import { translated } from "./languages.js";
import { everyPart } from "./lot.js";
import { MECHANISMS, valuesOf } from "./mechanisms.js";
import { millionths, trillionths } from "./rules.js";
import { fitTogether, frame, hasDelta, parse, randomizable, wellFormed } from "./shape.js";

const FORMAT = 1;
const assessed = new WeakMap();

// a >= b: the true answer is at least as likely as others, so the ratio is bounded in both directions.
function atMost([a, b], [numerator, denominator]) {
  return b > 0n && a >= b && a * denominator <= b * numerator;
}

// Return a draw's {kept, factor}: whether its table keeps its alpha, and the factor by which a report can change the
// odds between two answers, an exact fraction; with a delta an upper bound of e^alpha. Computed once per table. The
// draw and its questions must be well-formed.
function assess(part) {
  if (!assessed.has(part.table)) assessed.set(part.table, hasDelta(part) ? assessDelta(part) : assessRatio(part));
  return assessed.get(part.table);
}

function assessRatio({ alpha, mechanism, table, questions }) {
  const { worst, parts = 1n } = MECHANISMS[mechanism];
  const ratio = worst(table, questions.map(valuesOf));
  const kept = atMost(ratio, expBelow(millionths(alpha), parts));
  return { kept, factor: ratio.map((side) => side ** parts) };
}

function assessDelta({ alpha, delta, mechanism, table }) {
  const [numerator, denominator] = expBelow(millionths(alpha), 1n);
  const kept = MECHANISMS[mechanism].keeps(table, [numerator, denominator], [trillionths(delta), 10n ** 12n]);
  return { kept, factor: above([numerator, denominator]) };
}

// Return an upper bound of a power of e from expBelow's lower bound.
export function above([numerator, denominator]) {
  return [numerator * (2n ** 100n + 1n), denominator * 2n ** 100n];
}

/**
 * Return the definition in these bytes, as {definition, problem}. If it may not be asked, `definition` is null and
 * `problem` is {reason, number, texts}, with the reason "format", "form", "together", "gap" (an answer to question
 * `number` could not be reported) or "weak" (a draw of the questions `texts` does not keep its alpha).
 */
export function certify(bytes) {
  let definition = null;
  try {
    definition = parse(bytes);
    if (definition.format !== FORMAT) return refusal({ reason: "format" });
    frame(definition);
  } catch {
    return refusal({ reason: "form" });
  }
  const problem = problemOfQuestions(definition) ?? problemOfDraws(definition) ?? problemOfAll(definition);
  return problem === null ? { definition, problem } : refusal(problem);
}

function refusal(problem) {
  return { definition: null, problem };
}

// Return the gap if the rule does not hold, else null.
function gap(index, rule) {
  try {
    rule();
    return null;
  } catch {
    return { reason: "gap", number: index + 1 };
  }
}

function problemOfQuestions({ questions }) {
  return firstProblem(questions, (question, index) => gap(index, () => wellFormed(question)));
}

function problemOfDraws(definition) {
  const { draws, forms = [], questions } = definition;
  const every = [draws, ...forms.map((form) => form.draws)].flat();
  const misshapen = firstProblem(every, (draw) => gap(questions.findIndex(({ key }) => key === draw.questions[0]),
    () => randomizable(draw, questions.filter(({ key }) => draw.questions.includes(key)))));
  return misshapen ?? firstProblem(everyPart(definition), (part) =>
    (assess(part).kept ? null : { reason: "weak", texts: part.questions.map(({ text }) => text) }));
}

// Return the first problem in a list, null if there is none.
function firstProblem(list, problemOf) {
  return list.map(problemOf).find((each) => each !== null) ?? null;
}

function problemOfAll(definition) {
  let reason = "together";
  try {
    fitTogether(definition);
    reason = "form";
    translated(definition);
    return null;
  } catch {
    return { reason };
  }
}

// Return the factor by which the report on a part, or on a question alone, can change the odds between two answers, as
// an exact fraction, except with probability delta.
export function factor(part) {
  return assess({ questions: [part], ...part }).factor;
}

// Return the factor of a person's parts together. Draws compose: alphas add, so factors multiply.
export function totalFactor({ parts }) {
  return parts.map(factor).reduce(([a, b], [c, e]) => [a * c, b * e], [1n, 1n]);
}

export function totalAlpha({ parts }) {
  return decimalText(parts.reduce((sum, { alpha }) => sum + millionths(alpha), 0n), 6);
}

// Return the sum of the parts' deltas; null if none has one.
export function totalDelta({ parts }) {
  const deltas = parts.flatMap(({ delta = [] }) => delta);
  return deltas.length === 0 ? null : decimalText(deltas.reduce((sum, delta) => sum + trillionths(delta), 0n), 12);
}

// Return value / 10^places as the shortest decimal string.
export function decimalText(value, places) {
  const digits = value.toString().padStart(places + 1, "0");
  const decimals = digits.slice(-places).replace(/0+$/, "");
  return decimals ? `${digits.slice(0, -places)}.${decimals}` : digits.slice(0, -places);
}
