// The proof that a definition's integer tables keep the alpha that it states, in whole numbers only (BigInt).
//
// Partial sums of the Taylor series are lower bounds of e^alpha. Where a / b is the largest ratio of the chances of a
// report under two answers, a / b <= (partial sum) therefore proves that it is at most e^alpha. Where a report has
// several independent parts in which two answers can differ, each keeps an equal share of alpha.
// docs/mathematics.md has the argument.

import { expBelow, millionths, must, RESOLUTION, threshold, trillionths, upward, whole } from "./exact.js";
import { keepsDelta, worstRatio } from "./weights.js";
import { decimal } from "./rounding.js";

const MOST_OPTIONS = 256;
const KINDS = {
  yes_no: ["randomized_response", "subset", "bitwise"],
  single_choice: ["randomized_response", "subset", "bitwise"],
  ordered: ["randomized_response", "subset", "bitwise", "exponential"],
  histogram: ["laplace", "bitwise", "subset", "randomized_response", "osgt", "gaussian"],
  mean: ["one_bit", "laplace_mean"],
  multiple_choice: ["multiple"],
  grid: ["grid"],
};

// For each mechanism: the largest ratio a / b of the chances of one part of the report under two answers, as a
// fraction, and in how many independent parts two answers can differ. RangeError where a table is malformed.
const RATIOS = {
  randomized_response: ({ table, options }) => one(moved(table.other, options.length)),
  bitwise: ({ table }) => ({ ratio: moved(table.flip, 2), parts: 2n }),
  // The digits of the magnitude do not depend on the answer; they need only be thresholds.
  laplace({ table }) {
    must(Array.isArray(table.magnitude) && table.magnitude.length <= 50);
    table.magnitude.forEach(threshold);
    return { ratio: moved(table.flip, 2), parts: 2n };
  },
  subset: ({ table, options }) => one(chosen(table, options.length)),
  exponential({ table, options }) {
    must(table.rows[0].length === options.length - 1);
    return one(worstRatio(table.rows, options.length));
  },
  // Every row spans the grid and an equal number of steps beyond each end.
  laplace_mean({ table }) {
    const beyond = table.rows[0].length + 1 - table.rows.length;
    must(beyond >= 0 && beyond % 2 === 0);
    return one(worstRatio(table.rows, table.rows.length));
  },
  one_bit: ({ table }) => one(moved(table.other, 2)),
  multiple: ({ table, options }) =>
    ({ ratio: moved(table.other, 2), parts: whole(table.sample, 1, options.length) }),
  grid: ({ table, options, items }) =>
    ({ ratio: moved(table.other, options.length), parts: whole(table.sample, 1, items.length) }),
};
const WITH_DELTA = ["osgt", "gaussian"];
const assessed = new WeakMap();

function one(ratio) {
  return { ratio, parts: 1n };
}

// Moving to each of d-1 other categories with the chance t / 2^53.
function moved(t, d) {
  const other = threshold(t);
  return [RESOLUTION - BigInt(d - 1) * other, other];
}

// m of d categories: each set with the true one has the chance in / 2^53 shared among C(d-1, m-1) sets, each other set
// the rest shared among C(d-1, m), and the second number of sets is (d-m)/m times the first.
function chosen(table, d) {
  const [m, inside] = [whole(table.m, 1, d - 1), threshold(table.in)];
  return [inside * (BigInt(d) - m), (RESOLUTION - inside) * m];
}

// a >= b says that the true answer is not the unlikelier one, so the ratio is bounded in both directions.
function atMost([a, b], [numerator, denominator]) {
  return b > 0n && a >= b && a * denominator <= b * numerator;
}

// A question's {kept, factor}: whether its table keeps its alpha, and the factor by which a report can change the odds
// between two answers, as an exact fraction: from the table; with a delta an upper bound of e^alpha. RangeError, or
// any other error, where the question is malformed. Worked out once for every question.
function assess(question) {
  if (!assessed.has(question)) {
    wellFormed(question);
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
  must(table.noise.length % 2 === 0);
  const [numerator, denominator] = expBelow(millionths(alpha), 1n);
  const kept = keepsDelta(table.noise, [numerator, denominator], [trillionths(delta), 10n ** 12n]);
  return { kept, factor: [numerator * (2n ** 100n + 1n), denominator * 2n ** 100n] };
}

// The shape that the draw takes for granted: a known kind with a mechanism for it, options, items, a range.
function wellFormed({ kind, mechanism, options, items, low, high }) {
  must(Object.hasOwn(KINDS, kind) && KINDS[kind].includes(mechanism));
  if (kind === "mean") must(decimal(low) !== null && decimal(high) !== null && decimal(low) < decimal(high));
  else must(Array.isArray(options) && options.length >= 2 && options.length <= MOST_OPTIONS);
  if (kind === "grid") must(Array.isArray(items) && items.length >= 1);
}

// Null where every question keeps its alpha; otherwise a sentence that names the first that does not.
export function weakness(definition) {
  if (definition.format !== 1) return "This page does not know this format of survey.";
  for (const question of definition.questions) {
    let kept = false;
    try {
      kept = assess(question).kept;
    } catch {
      kept = false; // a table that cannot even be read keeps nothing
    }
    if (!kept) return `The table of the question “${question.text}” does not keep the alpha that it states.`;
  }
  return null;
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
