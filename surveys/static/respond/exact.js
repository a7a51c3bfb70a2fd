// Exact arithmetic for the certificate and the draw, in whole numbers only (BigInt). A fraction is [numerator,
// denominator].
//
// A row of a table is published as cumulative thresholds c_1 < ... < c_(k-1), between c_0 = 0 and c_k = 2^53; its
// output z has the chance (c_(z+1) - c_z) / 2^53. Differences of such integers are exact as Numbers, products are
// taken as BigInts.

import { decimal, must } from "./rules.js";
import { RESOLUTION } from "./uniform.js";

export const UNITS = BigInt(RESOLUTION);
const TERMS = 96n;
const FINEST = 2n ** 128n;
const powers = new Map();

// Return a lower bound of e^(alpha / parts) for alpha in millionths: the Taylor series, rounded down to a multiple of
// 2^-128. With 96 terms and alpha at most 16 it is less than one part in 2^100 below the power.
export function expBelow(alpha, parts) {
  const key = `${alpha}/${parts}`;
  if (!powers.has(key)) powers.set(key, series(alpha, 1000000n * parts));
  return powers.get(key);
}

// By Horner's rule, from the innermost bracket of 1 + x (1 + x/2 (1 + x/3 (...))) outwards, x = p/q.
function series(p, q) {
  let [numerator, denominator] = [1n, 1n];
  for (let k = TERMS; k > 0n; k -= 1n) {
    const step = denominator * q * k;
    [numerator, denominator] = [step + p * numerator, step];
  }
  return [(numerator * FINEST) / denominator, FINEST];
}

// Return the range, in percent, of a guess of `prior` percent after its odds change by a factor of at most a / b or b / a,
// rounded outward, so that it never promises too much.
export function belief(prior, [a, b]) {
  const [likely, not] = [BigInt(prior), BigInt(100 - prior)];
  const [most, of] = [likely * a, likely * a + not * b];
  return [Number((100n * likely * b) / (likely * b + not * a)), Number((100n * most + of - 1n) / of)];
}

// Return n for a small delta of about one in n, never understating the chance.
export function oneIn(delta) {
  return decimal("1") / decimal(delta);
}

// Return a number between low and high, rounded at random without bias to 0..steps; others count as the nearer end. The
// position g = steps (x - low)/(high - low) becomes floor(g) + 1 with the chance g - floor(g), else floor(g).
export function gridPoint(answer, low, high, steps, uniform) {
  const [x, from, to] = [answer, low, high].map(decimal);
  const inside = x < from ? from : x > to ? to : x;
  const scaled = (inside - from) * BigInt(steps);
  const threshold = ((scaled % (to - from)) * UNITS) / (to - from);
  return Number(scaled / (to - from)) + (uniform() < Number(threshold) ? 1 : 0);
}

// Return the weights between thresholds. RangeError unless all are positive integers.
export function weights(thresholds) {
  must(Array.isArray(thresholds) && thresholds.length > 0 && thresholds.every(Number.isSafeInteger));
  const bounds = [...thresholds, RESOLUTION];
  const differences = bounds.map((bound, z) => bound - (z > 0 ? bounds[z - 1] : 0));
  must(differences.every((weight) => weight > 0));
  return differences;
}

// Return the largest ratio of an output's chances in two rows, over all outputs and rows of equal length, as a fraction.
export function worstRatio(rows) {
  const table = rows.map(weights);
  return table[0]
    .map((_, z) => extremes(table.map((row) => row[z])))
    .reduce((worst, ratio) => (ratio[0] * worst[1] > worst[0] * ratio[1] ? ratio : worst));
}

function extremes(column) {
  const largest = column.reduce((a, b) => Math.max(a, b));
  const smallest = column.reduce((a, b) => Math.min(a, b));
  return [BigInt(largest), BigInt(smallest)];
}

// Return whether noise with these thresholds in every bin is (alpha, delta)-private; `power` is a lower bound of e^alpha.
//
// Another answer moves a 1 from one bin to another. A bin's value y has the weight a(y) = w(y-1) with the 1 and
// b(y) = w(y) without, so two bins show (y, y') with the weight a(y) b(y') under one answer and b(y) a(y') under the
// other, and delta is the sum of max(a(y) b(y') - power b(y) a(y'), 0) over all pairs, divided by 2^106. In the order
// of rising a/b the y' that count for a y are the first ones, and no fewer for the next y: sums of prefixes suffice.
export function keepsDelta(thresholds, [numerator, denominator], [allowed, one]) {
  const bins = shifts(weights(thresholds).map(BigInt)).sort(byRatio);
  let [total, count, sumA, sumB] = [0n, 0, 0n, 0n];
  for (const [a, b] of bins) {
    const [gain, loss] = [a * denominator, b * numerator];
    while (count < bins.length && gain * bins[count][1] > loss * bins[count][0]) {
      sumA += bins[count][0];
      sumB += bins[count][1];
      count += 1;
    }
    total += gain * sumB - loss * sumA;
  }
  return total * one <= allowed * denominator * UNITS ** 2n;
}

// Return [a(y), b(y)] for every value y of a bin: one more than the noise has.
function shifts(noise) {
  return [...noise, 0n].map((weight, i) => [i > 0 ? noise[i - 1] : 0n, weight]);
}

function byRatio([a, b], [c, e]) {
  const [left, right] = [a * e, c * b];
  return left < right ? -1 : left > right ? 1 : 0;
}
