// The mechanisms on their integer tables, each with everything that differs. Every decision is the comparison
// u < threshold of a uniform integer u in 0..2^53-1, so a threshold t stands for the probability t / 2^53 exactly. What
// is drawn does not depend on the answer: noise first, then the answer is put under it.

import { keepsDelta, UNITS, weights, worstRatio } from "./exact.js";
import { LIMITS, must, threshold, whole } from "./rules.js";
import { RESOLUTION, sample } from "./uniform.js";

// The one that randomizes several answers together.
export const TOGETHER = "randomized_response";
const CELLS_MAX = 4096;

// How many values an answer has that goes into a draw: the options, or the two ends of a number.
export function valuesOf({ options }) {
  return options?.length ?? 2;
}

// The entries of tables: `fits` is the rule that the draw takes for granted, `shows` what the integers are.

const CHANCE = { fits: threshold, shows: "chances" };
const DIGITS = { fits: digits, shows: "chances" };
const SYMMETRIC = { fits: symmetric, shows: "integers" };
const ROWS_OF_OPTIONS = { fits: rowOfEachOption, shows: "rows" };
const ROWS_OF_STEPS = { fits: rowsBeyondBothEnds, shows: "rows" };
const SIZES = { fits: properSubsets, shows: "integers" };
const SIZE = { fits: (size, [{ options }]) => whole(size, 1, options.length - 1), shows: "counts" };
const OPTIONS_DRAWN = { fits: (count, [{ options }]) => drawnItems(count, options.length, 2), shows: "counts" };
const ITEMS_DRAWN = { fits: (count, [{ items, options }]) => drawnItems(count, items.length, options.length), shows: "counts" };

// For each question a size that leaves out an option at least; so many combinations of several as a tally counts.
function properSubsets(sizes, questions) {
  must(Array.isArray(sizes) && sizes.length === questions.length);
  sizes.forEach((size, place) => whole(size, 1, valuesOf(questions[place]) - 1));
  must(questions.length === 1 || product(questions.map(valuesOf)) <= CELLS_MAX);
}

function drawnItems(count, of, d) {
  whole(count, 1, of);
  must(d ** count <= CELLS_MAX);
}

function product(counts) {
  return counts.reduce((all, each) => all * BigInt(each), 1n);
}

function digits(magnitude) {
  must(Array.isArray(magnitude) && magnitude.length >= 1 && magnitude.length <= LIMITS.digits);
  magnitude.forEach(threshold);
}

function symmetric(noise) {
  must(weights(noise).length % 2 === 1);
}

function rowOfEachOption(rows, [{ options }]) {
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

// The certificate: the largest ratio a / b of the chances of a report under two answers, as a fraction; of a mechanism
// with `parts` the same of one of so many independent parts in which two answers can differ.

// Product subsets: all are as likely, and those that contain all answers likelier, by what is kept. Of `all` combinations
// of answers a subset contains `listed`.
function likelier({ keep, sizes }, counts) {
  const [listed, all, kept] = [product(sizes), product(counts), BigInt(keep)];
  return [(UNITS - kept) * listed + kept * all, (UNITS - kept) * listed];
}

// The digits of a magnitude do not depend on the answer.
function flipped({ flip }) {
  return [UNITS - BigInt(flip), BigInt(flip)];
}

// The draws: `answer` is what is randomized, d the number of categories.

// Randomized response on product subsets, of answers that are drawn together: a subset of each answer's `counts` values,
// of the size that the table names. With the chance keep / 2^53 all of them contain the answers, else all are drawn from
// all. They are drawn as steps from the answers, where step 0 is the answer itself.
export function randomizedTogether(answers, { keep, sizes }, counts, uniform) {
  const kept = uniform() < keep;
  const drawn = counts.map((d, place) => sample(d, sizes[place], uniform));
  for (const steps of drawn) steps[0] = kept && !steps.includes(0) ? 0 : steps[0];
  return drawn.map((steps, place) => sorted(steps.map((step) => (answers[place] + step) % counts[place])));
}

function randomizedResponse(answer, table, d, uniform) {
  return randomizedTogether([answer], table, [d], uniform)[0];
}

// Bitwise randomized response: the answer as d bits, one of them 1, each flipped with the chance flip / 2^53.
function bitwise(answer, table, d, uniform) {
  const flips = Array.from({ length: d }, () => uniform() < table.flip);
  return flips.map((flip, j) => (flip !== (j === answer) ? "1" : "0")).join("");
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

// Several items with the same d options: `sample` of the items at random, whose answers are randomized together. The choice
// of items is reported, so every report has one shape.
function grid(answer, table, d, uniform) {
  const items = sorted(sample(answer.length, table.sample, uniform));
  const sets = randomizedTogether(items.map((item) => answer[item]), ...ofItems(table, d), uniform);
  return items.map((item, place) => [item, sets[place]]);
}

// The table and the counts of a draw of the items that are drawn.
function ofItems({ sample: count, keep, size = 1 }, d) {
  const [sizes, counts] = [size, d].map((each) => Array.from({ length: count }, () => each));
  return [{ keep, sizes }, counts];
}

// The same of several yes or no answers.
function multiple(answer, table, d, uniform) {
  return grid(answer.map(Number), table, 2, uniform).map(([item, [bit]]) => [item, bit]);
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

function among(keep, size, d) {
  const [kept, byChance] = [keep / RESOLUTION, (1 - keep / RESOLUTION) * (size / d)];
  return [kept + byChance, (kept * (size - 1)) / (d - 1) + byChance];
}

function notFlipped({ flip }) {
  return [1 - flip / RESOLUTION, flip / RESOLUTION];
}

function aboveNone({ noise }) {
  return [noise.length / 2 - 1, noise.length / 2].map((i) => 1 - noise[i] / RESOLUTION);
}

function onTheDiagonal({ rows }) {
  const own = rows.reduce((sum, row, i) => sum + weights(row)[i] / RESOLUTION, 0) / rows.length;
  return [own, (1 - own) / (rows.length - 1)];
}

function inTheUpperHalf({ rows }) {
  const middle = Math.ceil((rows[0].length + 1) / 2);
  return [rows.at(-1), rows[0]].map((row) => 1 - row[middle - 1] / RESOLUTION);
}

const BIN_NOISE = {
  takes: "bins",
  entries: { noise: SYMMETRIC },
  keeps: ({ noise }, power, delta) => keepsDelta(noise, power, delta),
  draw: binNoise,
  speaks: aboveNone,
};

// takes: what it randomizes, one word of a kind's `gives`; entries: what the table holds; worst(table, counts): the
// certificate, of questions whose answers have so many values, and its `parts`, or, for a draw with a delta,
// keeps(table, power, delta); draw(answer, table, d, uniform); speaks(table, d): how often a report speaks for the answer.
// For a mean also steps(table): of the grid that the number is rounded to. What a report says is read back in outcome.js.
export const MECHANISMS = {
  randomized_response: {
    takes: "option",
    entries: { keep: CHANCE, sizes: SIZES },
    worst: likelier,
    draw: randomizedResponse,
    speaks: ({ keep, sizes: [size] }, d) => among(keep, size, d),
  },
  bitwise: {
    takes: "option",
    entries: { flip: CHANCE },
    worst: flipped,
    parts: 2n,
    draw: bitwise,
    speaks: notFlipped,
  },
  laplace: {
    takes: "bins",
    entries: { flip: CHANCE, magnitude: DIGITS },
    worst: flipped,
    parts: 2n,
    draw: laplace,
    speaks: notFlipped,
  },
  osgt: BIN_NOISE,
  gaussian: BIN_NOISE,
  exponential: {
    takes: "step",
    entries: { rows: ROWS_OF_OPTIONS },
    worst: ({ rows }) => worstRatio(rows),
    draw: exponential,
    speaks: onTheDiagonal,
  },
  laplace_mean: {
    takes: "number",
    entries: { rows: ROWS_OF_STEPS },
    worst: ({ rows }) => worstRatio(rows),
    draw: laplaceMean,
    speaks: inTheUpperHalf,
    steps: ({ rows }) => rows.length - 1,
  },
  one_bit: {
    takes: "number",
    entries: { keep: CHANCE, sizes: SIZES },
    worst: likelier,
    draw: oneBit,
    speaks: ({ keep }) => among(keep, 1, 2),
    steps: () => 1,
  },
  multiple: {
    takes: "options",
    entries: { sample: OPTIONS_DRAWN, keep: CHANCE },
    worst: (table) => likelier(...ofItems(table, 2)),
    draw: multiple,
    speaks: ({ keep }) => among(keep, 1, 2),
  },
  grid: {
    takes: "items",
    entries: { sample: ITEMS_DRAWN, keep: CHANCE, size: SIZE },
    worst: (table, [d]) => likelier(...ofItems(table, d)),
    draw: grid,
    speaks: ({ keep, size }, d) => among(keep, size, d),
  },
};
