// The certificate: a definition is asked about only where every answer that its form can give yields a report (shape.js)
// and its integer tables keep the alpha that it states, proved in whole numbers only (BigInt).
//
// Partial sums of the Taylor series are lower bounds of e^alpha. Where a / b is the largest ratio of the chances of a
// report under two answers, a / b <= (partial sum) therefore proves that it is at most e^alpha. Where a report has
// several independent parts in which two answers can differ, each keeps an equal share of alpha.
// docs/mathematics.md has the argument.

import { expBelow, millionths, RESOLUTION, trillionths, upward } from "./exact.js";
import { keepsDelta, worstRatio } from "./weights.js";
import { parse } from "./canonical.js";
import { fitTogether, frame, wellFormed, WITH_DELTA } from "./shape.js";

// For each mechanism: the largest ratio a / b of the chances of one part of the report under two answers, as a
// fraction, and in how many independent parts two answers can differ.
const RATIOS = {
  randomized_response: ({ table, options }) => one(moved(table.other, options.length)),
  bitwise: ({ table }) => ({ ratio: moved(table.flip, 2), parts: 2n }),
  // The digits of the magnitude do not depend on the answer.
  laplace: ({ table }) => ({ ratio: moved(table.flip, 2), parts: 2n }),
  subset: ({ table, options }) => one(chosen(table, options.length)),
  exponential: ({ table }) => one(worstRatio(table.rows)),
  laplace_mean: ({ table }) => one(worstRatio(table.rows)),
  one_bit: ({ table }) => one(moved(table.other, 2)),
  multiple: ({ table }) => ({ ratio: moved(table.other, 2), parts: BigInt(table.sample) }),
  grid: ({ table, options }) => ({ ratio: moved(table.other, options.length), parts: BigInt(table.sample) }),
};
const assessed = new WeakMap();

function one(ratio) {
  return { ratio, parts: 1n };
}

// Moving to each of d-1 other categories with the chance t / 2^53.
function moved(t, d) {
  const other = BigInt(t);
  return [RESOLUTION - BigInt(d - 1) * other, other];
}

// m of d categories: each set with the true one has the chance in / 2^53 shared among C(d-1, m-1) sets, each other set
// the rest shared among C(d-1, m), and the second number of sets is (d-m)/m times the first.
function chosen(table, d) {
  const [m, inside] = [BigInt(table.m), BigInt(table.in)];
  return [inside * (BigInt(d) - m), (RESOLUTION - inside) * m];
}

// a >= b says that the true answer is not the unlikelier one, so the ratio is bounded in both directions.
function atMost([a, b], [numerator, denominator]) {
  return b > 0n && a >= b && a * denominator <= b * numerator;
}

// A question's {kept, factor}: whether its table keeps its alpha, and the factor by which a report can change the odds
// between two answers, as an exact fraction: from the table; with a delta an upper bound of e^alpha. Worked out
// once for every question, which must be well-formed.
function assess(question) {
  if (!assessed.has(question)) {
    assessed.set(question, WITH_DELTA.includes(question.mechanism) ? assessNoise(question) : assessRatio(question));
  }
  return assessed.get(question);
}

function assessRatio(question) {
  const { ratio, parts } = RATIOS[question.mechanism](question);
  const kept = atMost(ratio, expBelow(millionths(question.alpha), parts));
  return { kept, factor: ratio.map((side) => side ** parts) };
}

function assessNoise({ table, alpha, delta }) {
  const [numerator, denominator] = expBelow(millionths(alpha), 1n);
  const kept = keepsDelta(table.noise, [numerator, denominator], [trillionths(delta), 10n ** 12n]);
  return { kept, factor: [numerator * (2n ** 100n + 1n), denominator * 2n ** 100n] };
}

/**
 * The definition in these bytes, as {definition, problem}: `problem` is null, or a sentence that says why no page may ask
 * its questions, and then there is no definition.
 */
export function certify(bytes) {
  let definition = null;
  try {
    definition = parse(bytes);
    if (definition.format !== 1) return refusal("This page does not know this format of survey.");
    frame(definition);
  } catch {
    return refusal("The survey's definition is not in the form that this page can read.");
  }
  const { questions } = definition;
  const problem = questions.map(problemOf).find((sentence) => sentence !== null) ?? problemOfAll(questions);
  return problem === null ? { definition, problem } : refusal(problem);
}

function refusal(problem) {
  return { definition: null, problem };
}

function problemOf(question, index) {
  try {
    wellFormed(question);
  } catch {
    return `Not every answer to question ${index + 1} could be reported.`;
  }
  if (assess(question).kept) return null;
  return `The table of the question “${question.text}” does not keep the alpha that it states.`;
}

function problemOfAll(questions) {
  return fitTogether(questions) ? null : "Its questions do not fit together in one report.";
}

// `delta` is null, or a decimal string: apart from a chance of delta the odds change by the factor at most.
export function oddsFactor(question) {
  const delta = WITH_DELTA.includes(question.mechanism) ? question.delta : null;
  return { text: upward(assess(question).factor), delta };
}

// Questions compose: their alphas add, so their factors multiply.
export function totalFactor(definition) {
  const factors = definition.questions.map((question) => assess(question).factor);
  return upward(factors.reduce(([a, b], [c, e]) => [a * c, b * e], [1n, 1n]));
}

export function totalAlpha(definition) {
  return decimalText(definition.questions.reduce((sum, question) => sum + millionths(question.alpha), 0n), 6);
}

// The deltas of the questions add as well; null where no question has one.
export function totalDelta(definition) {
  const deltas = definition.questions.map((question) => oddsFactor(question).delta).filter((delta) => delta !== null);
  if (deltas.length === 0) return null;
  return decimalText(deltas.reduce((sum, delta) => sum + trillionths(delta), 0n), 12);
}

// value / 10^places as the shortest decimal string.
function decimalText(value, places) {
  const digits = value.toString().padStart(places + 1, "0");
  const decimals = digits.slice(-places).replace(/0+$/, "");
  return decimals ? `${digits.slice(0, -places)}.${decimals}` : digits.slice(0, -places);
}
