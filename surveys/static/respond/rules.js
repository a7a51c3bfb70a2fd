// What the values in a definition may be: numbers, texts and lists. Every rule is a function that throws RangeError, or
// any other error where it meets data of a wrong type. surveys/survey/definition/ has the same rules and limits.

import { RESOLUTION } from "./uniform.js";

export const LIMITS = {
  questions: 200,
  categories: 256,
  items: 64,
  // Integers in all tables.
  tables: 12000,
  // Of a magnitude: a sum of 2^0 to 2^49 is exact.
  digits: 50,
  // And so on: characters.
  title: 200,
  text: 2000,
  consent: 10000,
  option: 200,
  unit: 40,
  languages: 16,
};
// The shortest notation of each number only.
const ALPHA = /^(?:0|[1-9]\d{0,2})(?:\.\d{0,5}[1-9])?$/;
const ALPHA_MILLIONTHS = [10000n, 16000000n];
const DELTA = /^0\.\d{0,11}[1-9]$/;
const DELTA_MAX = 10n ** 9n;
const NUMBER = /^-?(?:0|[1-9]\d{0,11})(?:\.\d{1,6})?$/;
const DECIMAL = /^-?\d{1,15}(?:\.\d{1,15})?$/;
// Nothing of it can be seen. The characters are listed, so that all browsers and the server call the same texts blank.
export const BLANK =
  /^[\u034f\s\ufe00-\ufe0f\u0085\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]*$/u;
// Control characters but the end of a line, half characters, and code points that are no characters.
const FORBIDDEN = /[\u0000-\u0009\u000b-\u001f\p{Cs}\p{Noncharacter_Code_Point}]/u;

export function must(condition) {
  if (!condition) throw new RangeError("rule");
}

// Numbers

// The decimal string as an integer number of millionths. RangeError where it is not one that may be used.
export function millionths(alpha) {
  must(typeof alpha === "string" && ALPHA.test(alpha));
  const [integer, decimals = ""] = alpha.split(".");
  const value = BigInt(integer + decimals.padEnd(6, "0"));
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

// An integer from low to high.
export function whole(number, low, high) {
  must(Number.isSafeInteger(number) && number >= low && number <= high);
}

// A list of different integers from 0 to below `count`, in their order.
export function positions(list, count) {
  list.forEach((each, i) => whole(each, i === 0 ? 0 : list[i - 1] + 1, count - 1));
}

// An integer of a table that stands for a chance which is neither none nor certain.
export function threshold(t) {
  whole(t, 1, RESOLUTION - 1);
}

// The decimal string as an integer number of 10^-15; null where it is none.
export function decimal(number) {
  if (typeof number !== "string" || !DECIMAL.test(number)) return null;
  const [integer, decimals = ""] = number.split(".");
  return BigInt(integer + decimals.padEnd(15, "0"));
}

// The shortest notation of a decimal string: "1.50" is "1.5", and no zero has a sign.
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
