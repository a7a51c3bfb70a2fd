// Exact arithmetic for the certificate, in whole numbers only (BigInt). A fraction is [numerator, denominator].

export const RESOLUTION = 2n ** 53n;
const TERMS = 96n;
const FINEST = 2n ** 128n;
// The shortest notation of each number only.
const ALPHA = /^(?:0|[1-9][0-9]{0,2})(?:\.[0-9]{0,5}[1-9])?$/;
const ALPHA_MILLIONTHS = [10000n, 16000000n];
const DELTA = /^0\.[0-9]{0,11}[1-9]$/;
const DELTA_MAX = 10n ** 9n;
const powers = new Map();

// The decimal string as an integer number of millionths. RangeError where it is not one that may be used.
export function millionths(alpha) {
  must(typeof alpha === "string" && ALPHA.test(alpha));
  const [whole, decimals = ""] = alpha.split(".");
  const value = BigInt(whole + decimals.padEnd(6, "0"));
  must(value >= ALPHA_MILLIONTHS[0] && value <= ALPHA_MILLIONTHS[1]);
  return value;
}

// A delta such as "0.000001" as an integer number of 10^-12. RangeError where it is not one that may be used.
export function trillionths(delta) {
  must(typeof delta === "string" && DELTA.test(delta));
  const value = BigInt(delta.slice(2).padEnd(12, "0"));
  must(value > 0n && value <= DELTA_MAX);
  return value;
}

// A lower bound of e^(alpha / parts) for alpha in millionths: the Taylor series, cut down to a multiple of 2^-128. With
// 96 terms and alpha at most 16 it is less than one part in 2^100 below the power itself.
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

// An integer of a table as a BigInt. RangeError unless it is one from 1 to 2^53-1.
export function threshold(t) {
  must(Number.isSafeInteger(t) && t > 0);
  return BigInt(t);
}

// An integer from low to high as a BigInt. RangeError otherwise.
export function whole(number, low, high) {
  must(Number.isSafeInteger(number) && number >= low && number <= high);
  return BigInt(number);
}

export function must(condition) {
  if (!condition) throw new RangeError("The definition breaks a rule.");
}

// A fraction as text with one decimal below 100 and none above, always rounded up: never a promise too strong.
export function upward([numerator, denominator]) {
  const tenths = (numerator * 10n + denominator - 1n) / denominator;
  if (tenths >= 1000n) return ((tenths + 9n) / 10n).toString();
  return `${tenths / 10n}.${tenths % 10n}`;
}
