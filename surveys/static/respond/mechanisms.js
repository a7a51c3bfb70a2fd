// The mechanisms on their integer tables. Every decision is the comparison u < threshold of a uniform integer u in
// 0..2^53-1, so a threshold t stands for the probability t / 2^53 exactly. What is drawn does not depend on the answer:
// noise first, then the answer is put under it. `answer` is what is randomized, d the number of categories.

import { sample } from "./uniform.js";

// Randomized response: a shift of 0 keeps the true category; each of the other d-1 has the chance other / 2^53.
// The products k * other stay below 2^53 (the certificate checks it), so they are exact.
function randomizedResponse(answer, d, table, uniform) {
  const u = uniform();
  let shift = 0;
  for (let k = 1; k < d; k += 1) shift += u < k * table.other ? 1 : 0;
  return (answer + shift) % d;
}

// Bitwise randomized response: the answer as d bits, one of them 1, each flipped with the chance flip / 2^53.
function bitwise(answer, d, table, uniform) {
  const flips = Array.from({ length: d }, () => uniform() < table.flip);
  return flips.map((flip, j) => (flip !== (j === answer) ? "1" : "0")).join("");
}

// Subset selection: m different categories. The true one is among them with the chance in / 2^53; the others come from
// a shuffle of the d-1 other categories, given as steps from the answer. m of them are drawn even where m-1 are used.
function subset(answer, d, table, uniform) {
  const inside = uniform() < table.in;
  const steps = sample(d - 1, table.m, uniform).map((k) => k + 1);
  if (inside) steps[table.m - 1] = 0;
  return increasing(steps.map((step) => (answer + step) % d));
}

// Laplace noise in each bin: one such bit, which alone depends on the answer, and a magnitude whose binary digits are
// drawn one by one. Together they are exactly a 0 or 1 plus two-sided geometric noise.
function laplace(answer, d, table, uniform) {
  return Array.from({ length: d }, (_, j) => {
    const flip = uniform() < table.flip;
    let magnitude = 0;
    table.magnitude.forEach((threshold, k) => {
      magnitude += uniform() < threshold ? 2 ** k : 0;
    });
    return flip !== (j === answer) ? 1 + magnitude : 0 - magnitude;
  });
}

// Any other noise in each bin (Gaussian, OSGT): the values -J..J with the weights between 2J cumulative thresholds.
function binNoise(answer, d, table, uniform) {
  const noises = Array.from({ length: d }, () => reached(table.noise, uniform()) - table.noise.length / 2);
  return noises.map((noise, j) => noise + (j === answer ? 1 : 0));
}

// The exponential mechanism on a scale: the answer's row of cumulative thresholds gives the category to report.
function exponential(answer, d, table, uniform) {
  return reached(table.rows[answer], uniform());
}

// Laplace noise on a number's grid 0..G, cut to B steps beyond both ends: the row gives 0..G+2B, reported from -B on.
function laplaceMean(answer, d, table, uniform) {
  const beyond = (table.rows[0].length + 1 - table.rows.length) / 2;
  return reached(table.rows[answer], uniform()) - beyond;
}

// A number as one bit, already rounded to an end of its range: randomized response on two categories.
function oneBit(answer, d, table, uniform) {
  return randomizedResponse(answer, 2, table, uniform);
}

// Several yes or no answers: `sample` of the items at random, and for each of these the answer's bit, flipped with the
// chance other / 2^53. The choice of items is reported, so every report has one shape.
function multiple(answer, d, table, uniform) {
  const items = increasing(sample(answer.length, table.sample, uniform));
  return items.map((item) => [item, randomizedResponse(answer[item] ? 1 : 0, 2, table, uniform)]);
}

// Several items with the same d options: `sample` of the items at random, and for each of these randomized response.
function grid(answer, d, table, uniform) {
  const items = increasing(sample(answer.length, table.sample, uniform));
  return items.map((item) => [item, randomizedResponse(answer[item], d, table, uniform)]);
}

// How many cumulative thresholds u has reached; every one is compared, whatever u is.
function reached(thresholds, u) {
  return thresholds.reduce((count, threshold) => count + (u < threshold ? 0 : 1), 0);
}

function increasing(numbers) {
  return numbers.sort((a, b) => a - b);
}

export const MECHANISMS = {
  randomized_response: randomizedResponse,
  bitwise,
  subset,
  laplace,
  osgt: binNoise,
  gaussian: binNoise,
  exponential,
  laplace_mean: laplaceMean,
  one_bit: oneBit,
  multiple,
  grid,
};
