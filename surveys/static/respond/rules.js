// Rules for values in a definition: numbers, texts and lists. Every rule throws RangeError, or another error for data of a
// wrong type. surveys/survey/definition/ has the same rules and limits.

import { RESOLUTION } from "./uniform.js";

export const LIMITS = {
  questions: 200,
  categories: 256,
  items: 64,
  // Integers in all tables.
  tables: 12000,
  // Binary digits of a magnitude: a sum of 2^0 to 2^49 is exact.
  digits: 50,
  // The rest are characters.
  title: 200,
  text: 2000,
  consent: 10000,
  option: 200,
  unit: 40,
  languages: 16,
};
// Only the shortest notation of a number.
const ALPHA = /^(?:0|[1-9]\d{0,2})(?:\.\d{0,5}[1-9])?$/;
const ALPHA_MILLIONTHS = [10000n, 16000000n];
const DELTA = /^0\.\d{0,11}[1-9]$/;
const DELTA_MAX = 10n ** 9n;
const NUMBER = /^-?(?:0|[1-9]\d{0,11})(?:\.\d{1,6})?$/;
const DECIMAL = /^-?\d{1,15}(?:\.\d{1,15})?$/;
// Invisible texts. The characters are listed, so that all browsers and the server agree on blank texts.
export const BLANK =
  /^[\u034f\s\ufe00-\ufe0f\u0085\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]*$/u;
// Control characters except line ends, lone surrogates, and code points that are no characters.
const FORBIDDEN = /[\u0000-\u0009\u000b-\u001f\p{Cs}\p{Noncharacter_Code_Point}]/u;

export function must(condition) {
  if (!condition) throw new RangeError("rule");
}

// Numbers

// Return an alpha's decimal string in millionths. RangeError unless it is allowed.
export function millionths(alpha) {
  must(typeof alpha === "string" && ALPHA.test(alpha));
  const [integer, decimals = ""] = alpha.split(".");
  const value = BigInt(integer + decimals.padEnd(6, "0"));
  must(value >= ALPHA_MILLIONTHS[0] && value <= ALPHA_MILLIONTHS[1]);
  return value;
}

// Return a delta such as "0.000001" in units of 10^-12. RangeError unless it is allowed.
export function trillionths(delta) {
  must(typeof delta === "string" && DELTA.test(delta));
  const value = BigInt(delta.slice(2).padEnd(12, "0"));
  must(value > 0n && value <= DELTA_MAX);
  return value;
}

// An integer from low to high.
export function whole(number, low, high) {
  must(Number.isSafeInteger(number) && number >= low && number <= high);
}

// A list of different integers from 0 to below `count`, in order.
export function positions(list, count) {
  list.forEach((each, i) => whole(each, i === 0 ? 0 : list[i - 1] + 1, count - 1));
}

// An integer of a table for a chance between 0 and 1.
export function threshold(t) {
  whole(t, 1, RESOLUTION - 1);
}

// Return a decimal string in units of 10^-15; null if it is none.
export function decimal(number) {
  if (typeof number !== "string" || !DECIMAL.test(number)) return null;
  const [integer, decimals = ""] = number.split(".");
  return BigInt(integer + decimals.padEnd(15, "0"));
}

// Return the shortest notation of a decimal string: "1.50" becomes "1.5"; zero has no sign.
export function shortest(number) {
  const short = number.includes(".") ? number.replace(/\.?0+$/, "") : number;
  return short === "-0" ? "0" : short;
}

// Decimal strings, each greater than the one before.
export function increasing(numbers) {
  must(numbers.length >= 2 && numbers.length <= LIMITS.categories + 1);
  must(numbers.every((number) => typeof number === "string" && NUMBER.test(number)));
  must(numbers.every((number, i) => i === 0 || decimal(numbers[i - 1]) < decimal(number)));
}

// Texts and fields

export function text(value, most, mayBeEmpty = false) {
  must(typeof value === "string" && [...value].length <= most && !FORBIDDEN.test(value));
  must(mayBeEmpty || !BLANK.test(value));
}

export function differentTexts(list, most) {
  must(list.length >= 2 && list.length <= most);
  list.forEach((each) => text(each, LIMITS.option));
  must(new Set(list).size === list.length);
}

export function exactly(object, names) {
  must(typeof object === "object" && object !== null && !Array.isArray(object));
  must(JSON.stringify(Object.keys(object).sort()) === JSON.stringify([...names].sort()));
}
