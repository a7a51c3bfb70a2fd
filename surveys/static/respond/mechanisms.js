// The mechanisms on their integer tables, each with everything that differs. Every decision is the comparison
// u < threshold of a uniform integer u in 0..2^53-1, so a threshold t stands for the probability t / 2^53 exactly. What
// is drawn does not depend on the answer: noise first, then the answer is put under it.

import { keepsDelta, UNITS, weights, worstRatio } from "./exact.js";
import { LIMITS, must, threshold, whole } from "./rules.js";
import { RESOLUTION, sample } from "./uniform.js";

// The entries of tables: `fits` is the rule that the draw takes for granted, `shows` what the integers are.

const CHANCE = { fits: threshold, shows: "chances" };
const DIGITS = { fits: digits, shows: "chances" };
const SYMMETRIC = { fits: symmetric, shows: "integers" };
const ROWS_OF_OPTIONS = { fits: rowOfEachOption, shows: "rows" };
const ROWS_OF_STEPS = { fits: rowsBeyondBothEnds, shows: "rows" };

function count(highest) {
  return { fits: (value, question) => whole(value, 1, highest(question)), shows: "counts" };
}

function digits(magnitude) {
  must(Array.isArray(magnitude) && magnitude.length >= 1 && magnitude.length <= LIMITS.digits);
  magnitude.forEach(threshold);
}

function symmetric(noise) {
  must(weights(noise).length % 2 === 1);
}

function rowOfEachOption(rows, { options }) {
  must(lengths(rows) === options.length - 1 && rows.length === options.length);
}

// A row for every point of the grid; each spans the grid and an equal number of steps beyond both ends.
function rowsBeyondBothEnds(rows) {
  const beyond = lengths(rows) + 1 - rows.length;
  must(beyond >= 0 && beyond % 2 === 0);
}

// The common length of all rows, of which there are at least two.
function lengths(rows) {
  must(Array.isArray(rows) && rows.length >= 2);
  rows.forEach((row) => must(weights(row).length === rows[0].length + 1));
  return rows[0].length;
}

// The certificate: the largest ratio a / b of the chances of one part of the report under two answers, as a fraction,
// and in how many independent parts two answers can differ.

function one(ratio) {
  return { ratio, parts: 1n };
}

// Moving to each of d-1 other categories with the chance t / 2^53.
export function moved(t, d) {
  const other = BigInt(t);
  return [UNITS - BigInt(d - 1) * other, other];
}

// The digits of a magnitude do not depend on the answer.
function flipped({ table }) {
  return { ratio: moved(table.flip, 2), parts: 2n };
}

// m of d categories: each set with the true one has the chance in / 2^53 shared among C(d-1, m-1) sets, each other set
// the rest shared among C(d-1, m), and the second number of sets is (d-m)/m times the first.
function chosen({ table, options }) {
  const [m, inside] = [BigInt(table.m), BigInt(table.in)];
  return one([inside * (BigInt(options.length) - m), (UNITS - inside) * m]);
}

function rowsApart({ table }) {
  return one(worstRatio(table.rows));
}

// The draws: `answer` is what is randomized, d the number of categories.

// Randomized response: a shift of 0 keeps the true category; each of the other d-1 has the chance other / 2^53.
// The products k * other stay below 2^53 (the certificate checks it), so they are exact.
function randomizedResponse(answer, table, d, uniform) {
  const u = uniform();
  let shift = 0;
  for (let k = 1; k < d; k += 1) shift += u < k * table.other ? 1 : 0;
  return (answer + shift) % d;
}

// Bitwise randomized response: the answer as d bits, one of them 1, each flipped with the chance flip / 2^53.
function bitwise(answer, table, d, uniform) {
  const flips = Array.from({ length: d }, () => uniform() < table.flip);
  return flips.map((flip, j) => (flip !== (j === answer) ? "1" : "0")).join("");
}

// Subset selection: m different categories. The true one is among them with the chance in / 2^53; the others come from
// a shuffle of the d-1 other categories, given as steps from the answer. m of them are drawn even where m-1 are used.
function subset(answer, table, d, uniform) {
  const inside = uniform() < table.in;
  const steps = sample(d - 1, table.m, uniform).map((k) => k + 1);
  if (inside) steps[table.m - 1] = 0;
  return sorted(steps.map((step) => (answer + step) % d));
}

// Laplace noise in each bin: one such bit, which alone depends on the answer, and a magnitude whose binary digits are
// drawn one by one. Together they are exactly a 0 or 1 plus two-sided geometric noise.
function laplace(answer, table, d, uniform) {
  return Array.from({ length: d }, (_, j) => {
    const flip = uniform() < table.flip;
    let magnitude = 0;
    table.magnitude.forEach((digit, k) => {
      magnitude += uniform() < digit ? 2 ** k : 0;
    });
    return flip !== (j === answer) ? 1 + magnitude : 0 - magnitude;
  });
}

// Any other noise in each bin (Gaussian, OSGT): the values -J..J with the weights between 2J cumulative thresholds.
function binNoise(answer, table, d, uniform) {
  const noises = Array.from({ length: d }, () => reached(table.noise, uniform()) - table.noise.length / 2);
  return noises.map((noise, j) => noise + (j === answer ? 1 : 0));
}

// The exponential mechanism on a scale: the answer's row of cumulative thresholds gives the category to report.
function exponential(answer, table, d, uniform) {
  return reached(table.rows[answer], uniform());
}

// Laplace noise on a number's grid 0..G, cut to B steps beyond both ends: the row gives 0..G+2B, reported from -B on.
function laplaceMean(answer, table, d, uniform) {
  const beyond = (table.rows[0].length + 1 - table.rows.length) / 2;
  return reached(table.rows[answer], uniform()) - beyond;
}

// A number as one bit, already rounded to an end of its range: randomized response on two categories.
function oneBit(answer, table, d, uniform) {
  return randomizedResponse(answer, table, 2, uniform);
}

// Several yes or no answers: `sample` of the items at random, and for each of these the answer's bit, flipped with the
// chance other / 2^53. The choice of items is reported, so every report has one shape.
function multiple(answer, table, d, uniform) {
  return grid(answer.map(Number), table, 2, uniform);
}

// Several items with the same d options: `sample` of the items at random, and for each of these randomized response.
function grid(answer, table, d, uniform) {
  const items = sorted(sample(answer.length, table.sample, uniform));
  return items.map((item) => [item, randomizedResponse(answer[item], table, d, uniform)]);
}

// How many cumulative thresholds u has reached; every one is compared, whatever u is.
function reached(thresholds, u) {
  return thresholds.reduce((total, each) => total + (u < each ? 0 : 1), 0);
}

function sorted(numbers) {
  return numbers.sort((a, b) => a - b);
}

// How often a report speaks for an answer: [of somebody who gave it, of somebody who gave another]. Where that depends on
// the answer, on average; of a number whether it lies in the upper half, at the highest and at the lowest.

function keptOr(t, d) {
  return [1 - ((d - 1) * t) / RESOLUTION, t / RESOLUTION];
}

function among({ table: { m, in: inside }, options }) {
  return [inside / RESOLUTION, (m - inside / RESOLUTION) / (options.length - 1)];
}

function aboveNone({ table: { noise } }) {
  return [noise.length / 2 - 1, noise.length / 2].map((i) => 1 - noise[i] / RESOLUTION);
}

function onTheDiagonal({ table: { rows } }) {
  const own = rows.reduce((sum, row, i) => sum + weights(row)[i] / RESOLUTION, 0) / rows.length;
  return [own, (1 - own) / (rows.length - 1)];
}

function inTheUpperHalf({ table: { rows } }) {
  const middle = Math.ceil((rows[0].length + 1) / 2);
  return [rows.at(-1), rows[0]].map((row) => 1 - row[middle - 1] / RESOLUTION);
}

const BIN_NOISE = {
  takes: "bins",
  entries: { noise: SYMMETRIC },
  keeps: ({ table }, power, delta) => keepsDelta(table.noise, power, delta),
  draw: binNoise,
  speaks: aboveNone,
};

// takes: what it randomizes, one word of a kind's `gives`; entries: what the table holds; worst(question): the
// certificate, or, for a question with a delta, keeps(question, power, delta); draw(answer, table, d, uniform);
// speaks(question): how often a report speaks for the answer. For a mean also steps(table): of the grid that the number
// is rounded to. What a report says is read back in outcome.js.
export const MECHANISMS = {
  randomized_response: {
    takes: "option",
    entries: { other: CHANCE },
    worst: ({ table, options }) => one(moved(table.other, options.length)),
    draw: randomizedResponse,
    speaks: ({ table, options }) => keptOr(table.other, options.length),
  },
  bitwise: {
    takes: "option",
    entries: { flip: CHANCE },
    worst: flipped,
    draw: bitwise,
    speaks: ({ table }) => keptOr(table.flip, 2),
  },
  subset: {
    takes: "option",
    entries: { m: count(({ options }) => options.length - 1), in: CHANCE },
    worst: chosen,
    draw: subset,
    speaks: among,
  },
  laplace: {
    takes: "bins",
    entries: { flip: CHANCE, magnitude: DIGITS },
    worst: flipped,
    draw: laplace,
    speaks: ({ table }) => keptOr(table.flip, 2),
  },
  osgt: BIN_NOISE,
  gaussian: BIN_NOISE,
  exponential: {
    takes: "step",
    entries: { rows: ROWS_OF_OPTIONS },
    worst: rowsApart,
    draw: exponential,
    speaks: onTheDiagonal,
  },
  laplace_mean: {
    takes: "number",
    entries: { rows: ROWS_OF_STEPS },
    worst: rowsApart,
    draw: laplaceMean,
    speaks: inTheUpperHalf,
    steps: ({ rows }) => rows.length - 1,
  },
  one_bit: {
    takes: "number",
    entries: { other: CHANCE },
    worst: ({ table }) => one(moved(table.other, 2)),
    draw: oneBit,
    speaks: ({ table }) => keptOr(table.other, 2),
    steps: () => 1,
  },
  multiple: {
    takes: "options",
    entries: { sample: count(({ options }) => options.length), other: CHANCE },
    worst: ({ table }) => ({ ratio: moved(table.other, 2), parts: BigInt(table.sample) }),
    draw: multiple,
    speaks: ({ table }) => keptOr(table.other, 2),
  },
  grid: {
    takes: "items",
    entries: { sample: count(({ items }) => items.length), other: CHANCE },
    worst: ({ table, options }) => ({ ratio: moved(table.other, options.length), parts: BigInt(table.sample) }),
    draw: grid,
    speaks: ({ table, options }) => keptOr(table.other, options.length),
  },
};
