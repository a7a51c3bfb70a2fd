// The certificate: a definition is asked about only where every answer that its form can give yields a report
// (shape.js) and its integer tables keep the alpha that it states, proved in whole numbers only (BigInt).
//
// Partial sums of the Taylor series are lower bounds of e^alpha. Where a / b is the largest ratio of the chances of a
// report under two answers, a / b <= (partial sum) therefore proves that it is at most e^alpha. Where a draw has several
// independent parts in which two answers can differ, each keeps an equal share of alpha.
// docs/mathematics.md has the argument.

import { expBelow } from "./exact.js";
import { translated } from "./languages.js";
import { everyPart } from "./lot.js";
import { MECHANISMS, valuesOf } from "./mechanisms.js";
import { millionths, trillionths } from "./rules.js";
import { fitTogether, frame, hasDelta, parse, randomizable, wellFormed } from "./shape.js";

const FORMAT = 1;
const assessed = new WeakMap();

// a >= b says that the true answer is not the unlikelier one, so the ratio is bounded in both directions.
function atMost([a, b], [numerator, denominator]) {
  return b > 0n && a >= b && a * denominator <= b * numerator;
}

// A draw's {kept, factor}: whether its table keeps its alpha, and the factor by which a report can change the odds
// between two answers, as an exact fraction: from the table; with a delta an upper bound of e^alpha. Worked out
// once for every table, which a draw has in all languages; the draw and its questions must be well-formed.
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

// An upper bound of the power of e of which this is expBelow's lower one.
export function above([numerator, denominator]) {
  return [numerator * (2n ** 100n + 1n), denominator * 2n ** 100n];
}

/**
 * The definition in these bytes, as {definition, problem}. `problem` is null, or says why no page may ask its
 * questions, and then there is no definition: {reason, number, texts}, reason being "format", "form", "together", "gap"
 * where an answer to the question with this number could not be reported, or "weak" where the alpha of a draw of the
 * questions with these texts is not kept.
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

// The gap where the rule does not hold.
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

// The first of the problems that a list has, null where it has none.
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

// By how much what is reported of a part, or of a question alone, can change the odds between two answers, as an exact
// fraction; apart from a chance of delta.
export function factor(part) {
  return assess({ questions: [part], ...part }).factor;
}

// What one person is asked, in parts that are drawn one by one, compose: their alphas add, so their factors multiply.
export function totalFactor({ parts }) {
  return parts.map(factor).reduce(([a, b], [c, e]) => [a * c, b * e], [1n, 1n]);
}

export function totalAlpha({ parts }) {
  return decimalText(parts.reduce((sum, { alpha }) => sum + millionths(alpha), 0n), 6);
}

// The deltas of the parts add as well; null where none has one.
export function totalDelta({ parts }) {
  const deltas = parts.flatMap(({ delta = [] }) => delta);
  return deltas.length === 0 ? null : decimalText(deltas.reduce((sum, delta) => sum + trillionths(delta), 0n), 12);
}

// value / 10^places as the shortest decimal string.
export function decimalText(value, places) {
  const digits = value.toString().padStart(places + 1, "0");
  const decimals = digits.slice(-places).replace(/0+$/, "");
  return decimals ? `${digits.slice(0, -places)}.${decimals}` : digits.slice(0, -places);
}
