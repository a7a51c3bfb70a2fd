// From what a person typed to the answer it is: the group it counts in, or for a mean the number. Pure.

import { category } from "./privatize.js";
import { decimal } from "./rounding.js";

const NUMBER = /^[+-]?(\d+([.,]\d*)?|[.,]\d+)$/;
const THOUSANDS = /^[+-]?[1-9]\d{0,2}[.,]\d{3}$/;

/**
 * Read a typed number for a histogram or a mean, with a decimal dot or comma. Returns {} for nothing typed,
 * {problem: sentence} for what is no number, else {index} of the group or, for a mean, {decimal}, a decimal string.
 */
export function readNumber(question, typed) {
  const text = typed.replace(/\s/gu, "").replace("\u2212", "-");
  if (text === "") return {};
  if (!NUMBER.test(text)) return { problem: "This is not a number yet. Write digits only, such as 34 or 34.5." };
  // "30,000" is thirty thousand to one person and thirty to another: where both could be meant, ask.
  const ends = question.edges ?? [question.low, question.high];
  if (ends.some((end) => Math.abs(Number(end)) >= 1000) && THOUSANDS.test(text)) {
    return { problem: `Write thousands without a comma or dot: ${text.replace(/[.,]/, "")}.` };
  }
  const plain = plainDecimal(text);
  if (decimal(plain) === null) return { problem: "This number is too long. Write fewer digits." };
  return question.edges ? { index: category(question, plain) } : { decimal: plain };
}

/** ",5" is "0.5", "+3." is "3". */
function plainDecimal(text) {
  const [whole, decimals] = text.replace(/[+-]/, "").split(/[.,]/);
  const sign = text.startsWith("-") ? "-" : "";
  return `${sign}${whole || "0"}${decimals ? `.${decimals}` : ""}`;
}

/** How an answer will count, in words: "Counts as: 30 to under 35 years." */
export function countsAs(question, index) {
  const withheld = question.prefer_not_to_say && index === question.options.length - 1;
  const unit = question.unit && !withheld ? ` ${question.unit}` : "";
  return `Counts as: ${question.options[index]}${unit}.`;
}

/** The same for the number of a mean; beyond an end of the range it counts as that end, and this says so. */
export function countsAsNumber({ low, high, unit }, number) {
  const named = unit ? ` ${unit}` : "";
  if (decimal(number) < decimal(low)) return `Counts as: ${low}${named}, the lowest number of this question.`;
  if (decimal(number) > decimal(high)) return `Counts as: ${high}${named}, the highest number of this question.`;
  return `Counts as: ${number}${named}.`;
}
