// The mechanisms on their integer tables. A uniform integer u in 0..2^53-1 is below a threshold t with the exact chance
// t / 2^53. Draws do not depend on the answer: the noise is drawn first, then applied.

import { keepsDelta, UNITS, weights, worstRatio } from "./exact.js";
import { LIMITS, must, threshold, whole } from "./rules.js";
import { RESOLUTION, sample } from "./uniform.js";

// The mechanism that can randomize several answers together.
export const TOGETHER = "randomized_response";
const CELLS_MAX = 4096;

// Return the number of an answer's values: the options, or the two ends of a number; for a list, of an entry.
export function valuesOf({ kind, options }) {
  return kind === "multiple_choice" ? 2 : options?.length ?? 2;
}

// Return the entries of a list or grid; a report is about some of them.
function entriesOf({ kind, items, options }) {
  return kind === "multiple_choice" ? options : items;
}

// The entries of tables: `fits` is the rule on which the draw relies, `shows` the kind of the integers.

const CHANCE = { fits: threshold, shows: "chances" };
const DIGITS = { fits: digits, shows: "chances" };
const SYMMETRIC = { fits: symmetric, shows: "integers" };
const ROWS_OF_OPTIONS = { fits: rowOfEachOption, shows: "rows" };
const ROWS_OF_STEPS = { fits: rowsBeyondBothEnds, shows: "rows" };
const SIZES = { fits: properSubsets, shows: "integers" };
const SIZE = { fits: (size, [{ options }]) => whole(size, 1, options.length - 1), shows: "counts" };
const ENTRIES_DRAWN = { fits: (count, [question]) => drawnEntries(count, question), shows: "counts" };

// Each question has a size below the number of options, a list or grid also the number of drawn entries. Several have
// at most as many combinations as a tally counts.
function properSubsets(sizes, questions) {
  must(Array.isArray(sizes) && sizes.length === questions.length);
  const options = questions.map((question, place) => {
    const [d, entries, size] = [valuesOf(question), entriesOf(question), sizes[place]];
    const [count, listed, ...others] = entries ? size : [1, size];
    whole(listed, 1, d - 1);
    if (!entries) return d;
    must(Array.isArray(size) && others.length === 0);
    drawnEntries(count, question);
    return d * entries.length;
  });
  must(questions.length === 1 || product(options) <= CELLS_MAX);
}

function drawnEntries(count, question) {
  whole(count, 1, entriesOf(question).length);
  must(valuesOf(question) ** count <= CELLS_MAX);
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

// A row for every point of the grid; each row spans the grid and an equal number of steps beyond both ends.
function rowsBeyondBothEnds(rows) {
  const beyond = lengths(rows) + 1 - rows.length;
  must(beyond >= 0 && beyond % 2 === 0);
}

// Return the common length of all rows; there are at least two.
function lengths(rows) {
  must(Array.isArray(rows) && rows.length >= 2);
  rows.forEach((row) => must(weights(row).length === rows[0].length + 1));
  return rows[0].length;
}

// The certificate: the largest ratio a / b of the chances of a report under two answers, as a fraction. With `parts`,
// the ratio of one of these independent parts in which two answers can differ.

// Product subsets: by keep, those that contain all answers are likelier; all others are equally likely. A subset
// contains `listed` of `all` combinations of answers. Each drawn entry of a list or grid has an answer.
function likelier({ keep, sizes }, counts) {
  const listed = product(sizes.map((size) => (size[1] ?? size) ** (size[0] ?? 1)));
  const [all, kept] = [product(counts.map((d, place) => d ** (sizes[place][0] ?? 1))), BigInt(keep)];
  return [(UNITS - kept) * listed + kept * all, (UNITS - kept) * listed];
}

// The digits of a magnitude do not depend on the answer.
function flipped({ flip }) {
  return [UNITS - BigInt(flip), BigInt(flip)];
}

// The draws: `answer` is what is randomized, d the number of categories.

// Randomized response on product subsets, of answers that are drawn together: for each answer a subset of its `counts`
// values, of the size in the table. With the chance keep / 2^53 all subsets contain their answers, else all are drawn from
// all values. They are drawn as steps from the answers; step 0 is the answer itself.
export function randomizedTogether(answers, { keep, sizes }, counts, uniform) {
  const kept = uniform() < keep;
  const drawn = counts.map((d, place) => sample(d, sizes[place], uniform));
  for (const steps of drawn) steps[0] = kept && !steps.includes(0) ? 0 : steps[0];
  return drawn.map((steps, place) => sorted(steps.map((step) => (answers[place] + step) % counts[place])));
}

// The same for questions; a list or grid gives pairs [entry, subset], for as many entries as the table has. All entries
// are drawn first, question by question.
export function randomizedQuestions(questions, answers, { keep, sizes }, uniform) {
  const drawn = questions.map((question, place) =>
    (entriesOf(question) ? sorted(sample(answers[place].length, sizes[place][0], uniform)) : [null]));
  const every = (of) => drawn.flatMap((entries, place) => entries.map((entry) => of(place, entry)));
  const sets = randomizedTogether(every((place, entry) => Number(answers[place][entry] ?? answers[place])),
    { keep, sizes: every((place) => sizes[place][1] ?? sizes[place]) }, every((place) => valuesOf(questions[place])), uniform);
  return drawn.map((entries, place) => {
    const lists = sets.splice(0, entries.length);
    if (entries[0] === null) return lists[0];
    return entries.map((entry, k) => [entry, questions[place].items ? lists[k] : lists[k][0]]);
  });
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
// drawn one by one. Their sum is exactly a 0 or 1 plus two-sided geometric noise.
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

// Laplace noise on a number's grid 0..G, cut at B steps beyond both ends: a row gives 0..G+2B, reported as -B..G+B.
function laplaceMean(answer, table, d, uniform) {
  const beyond = (table.rows[0].length + 1 - table.rows.length) / 2;
  return reached(table.rows[answer], uniform()) - beyond;
}

// A number as one bit, rounded to an end of its range before: randomized response on two categories.
function oneBit(answer, table, d, uniform) {
  return randomizedResponse(answer, table, 2, uniform);
}

// A list or grid by itself: a draw of one question. The report names the entries, so all reports have one shape.
function drawnAlone(question, answer, table, uniform) {
  return randomizedQuestions([question], [answer], ofEntries(table), uniform)[0];
}

function ofEntries({ sample: count, keep, size = 1 }) {
  return { keep, sizes: [[count, size]] };
}

// Return how many cumulative thresholds u has reached; all are compared, whatever u is.
function reached(thresholds, u) {
  return thresholds.reduce((total, each) => total + (u < each ? 0 : 1), 0);
}

function sorted(numbers) {
  return numbers.sort((a, b) => a - b);
}

// How often a report speaks for an answer: [by a person who gave it, by one who gave another]; on average, if that depends
// on the answer. For a number: how often it is in the upper half, at the highest and at the lowest number.

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

// takes: what it randomizes, one word of a kind's `gives`; entries: the entries of its table; worst(table, counts): the
// certificate, for answers with so many values, and its `parts`, or, for a draw with a delta, keeps(table, power, delta);
// draw(answer, table, d, uniform); speaks(table, d): how often a report speaks for the answer. For a mean also
// steps(table): the steps of the grid to which the number is rounded. outcome.js reads reports back.
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
    entries: { sample: ENTRIES_DRAWN, keep: CHANCE },
    worst: (table) => likelier(ofEntries(table), [2]),
    draw: (answer, table, d, uniform) => drawnAlone({ kind: "multiple_choice", options: answer }, answer, table, uniform),
    speaks: ({ keep }) => among(keep, 1, 2),
  },
  grid: {
    takes: "items",
    entries: { sample: ENTRIES_DRAWN, keep: CHANCE, size: SIZE },
    worst: (table, counts) => likelier(ofEntries(table), counts),
    draw: (answer, table, d, uniform) => drawnAlone({ items: answer, options: { length: d } }, answer, table, uniform),
    speaks: ({ keep, size }, d) => among(keep, size, d),
  },
};
