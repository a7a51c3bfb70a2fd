// The certificate: a definition is asked about only where every answer that its form can give yields a report
// (shape.js) and its integer tables keep the alpha that it states, proved in whole numbers only (BigInt).
//
// Partial sums of the Taylor series are lower bounds of e^alpha. Where a / b is the largest ratio of the chances of a
// report under two answers, a / b <= (partial sum) therefore proves that it is at most e^alpha. Where a report has
// several independent parts in which two answers can differ, each keeps an equal share of alpha.
// docs/mathematics.md has the argument.

import { expBelow, upward } from "./exact.js";
import { worstTogether } from "./joint.js";
import { translated } from "./languages.js";
import { alone, apartFrom, jointOf } from "./lot.js";
import { MECHANISMS } from "./mechanisms.js";
import { decimal, millionths, trillionths } from "./rules.js";
import { fitTogether, frame, hasDelta, parse, wellFormed } from "./shape.js";

const FORMAT = 1;
const FORMAT_WITH_FORMS = 2;
const assessed = new WeakMap();

// a >= b says that the true answer is not the unlikelier one, so the ratio is bounded in both directions.
function atMost([a, b], [numerator, denominator]) {
  return b > 0n && a >= b && a * denominator <= b * numerator;
}

// A question's {kept, factor}: whether its table keeps its alpha, and the factor by which a report can change the odds
// between two answers, as an exact fraction: from the table; with a delta an upper bound of e^alpha. Worked out
// once for every table, which a question has in all languages; the question must be well-formed.
function assess(question) {
  if (!assessed.has(question.table)) {
    assessed.set(question.table, hasDelta(question) ? assessDelta(question) : assessRatio(question));
  }
  return assessed.get(question.table);
}

function assessRatio(question) {
  const { ratio, parts } = MECHANISMS[question.mechanism].worst(question);
  const kept = atMost(ratio, expBelow(millionths(question.alpha), parts));
  return { kept, factor: ratio.map((side) => side ** parts) };
}

function assessDelta(question) {
  const [numerator, denominator] = expBelow(millionths(question.alpha), 1n);
  const delta = [trillionths(question.delta), 10n ** 12n];
  const kept = MECHANISMS[question.mechanism].keeps(question, [numerator, denominator], delta);
  return { kept, factor: above([numerator, denominator]) };
}

// An upper bound of the power of e of which this is expBelow's lower one.
function above([numerator, denominator]) {
  return [numerator * (2n ** 100n + 1n), denominator * 2n ** 100n];
}

/**
 * The definition in these bytes, as {definition, problem}. `problem` is null, or says why no page may ask its
 * questions, and then there is no definition: {reason, number, text}, reason being "format", "form", "together" or, of
 * the question with this number and text, "gap" where an answer could not be reported and "weak" where its alpha is
 * not kept; of questions with these `texts` that are randomized together, "joint" where theirs is not.
 */
export function certify(bytes) {
  let definition = null;
  try {
    definition = parse(bytes);
    if (definition.format !== ("forms" in definition ? FORMAT_WITH_FORMS : FORMAT)) return refusal({ reason: "format" });
    frame(definition);
  } catch {
    return refusal({ reason: "form" });
  }
  const problem = alone(definition).map(problemOf).find((each) => each !== null) ?? problemOfForms(definition) ??
    problemOfAll(definition);
  return problem === null ? { definition, problem } : refusal(problem);
}

function refusal(problem) {
  return { definition: null, problem };
}

function problemOf(question, index) {
  try {
    wellFormed(question);
  } catch {
    return { reason: "gap", number: index + 1 };
  }
  return assess(question).kept ? null : { reason: "weak", number: index + 1, text: question.text };
}

function problemOfForms(definition) {
  const weak = (definition.forms ?? []).map((form) => jointOf(definition, form)).find((joint) => joint && !keptTogether(joint));
  if (!weak) return null;
  const texts = definition.questions.filter(({ key }) => weak.keys.includes(key)).map(({ text }) => text);
  return { reason: "joint", texts };
}

function keptTogether(joint) {
  return atMost(factorTogether(joint), expBelow(millionths(joint.alpha), 1n));
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

// By how much a report can change the odds between two answers, as an exact fraction; apart from a chance of delta.
export function factor(question) {
  return assess(question).factor;
}

// The same between two combinations of answers that are randomized together.
export function factorTogether({ table, sizes }) {
  return worstTogether(table, sizes);
}

// The same as a text that is never too small; `delta` is null, or a decimal string.
export function oddsFactor(question) {
  return { text: upward(factor(question)), delta: hasDelta(question) ? question.delta : null };
}

// What one person is asked, in parts that are drawn one by one, compose: their alphas add, so their factors multiply.
export function totalFactor({ questions, joint }) {
  return [...apartFrom(joint, questions).map(factor), ...(joint ? [factorTogether(joint)] : [])]
    .reduce(([a, b], [c, e]) => [a * c, b * e], [1n, 1n]);
}

// The same for somebody who took part in all waves up to this one; of more than alpha 16 no belief is another.
export function factorOfWaves(definition) {
  const [a, b] = totalFactor(definition);
  const [c, d] = above(expBelow(millionths(`${Math.min(16, definition.wave_of.alpha)}`), 1n));
  return [a * c, b * d];
}

export function totalAlpha({ questions, joint }) {
  const parts = [...apartFrom(joint, questions), ...(joint ? [joint] : [])];
  return decimalText(parts.reduce((sum, { alpha }) => sum + millionths(alpha), 0n), 6);
}

// The deltas of the questions add as well; null where no question has one.
export function totalDelta(definition) {
  const deltas = definition.questions.map((question) => oddsFactor(question).delta).filter((delta) => delta !== null);
  if (deltas.length === 0) return null;
  return decimalText(deltas.reduce((sum, delta) => sum + trillionths(delta), 0n), 12);
}

// And with those of all waves up to this one.
export function deltaOfWaves(definition) {
  const deltas = [totalDelta(definition), definition.wave_of.delta].filter(Boolean).map(decimal);
  return deltas.length > 0 ? decimalText(deltas.reduce((one, other) => one + other), 15) : null;
}

// value / 10^places as the shortest decimal string.
export function decimalText(value, places) {
  const digits = value.toString().padStart(places + 1, "0");
  const decimals = digits.slice(-places).replace(/0+$/, "");
  return decimals ? `${digits.slice(0, -places)}.${decimals}` : digits.slice(0, -places);
}
