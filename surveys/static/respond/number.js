// From what a person typed to the group it counts in. Pure: text in, group or problem out.

import { category } from "./privatize.js";

const NUMBER = /^[+-]?(\d+([.,]\d*)?|[.,]\d+)$/;
const THOUSANDS = /^[+-]?[1-9]\d{0,2}[.,]\d{3}$/;

/**
 * Read a typed number for a histogram question, with a decimal dot or comma.
 * Returns {} for nothing typed, {problem: sentence} for what is no number, else {index} of the group.
 */
export function readNumber(question, typed) {
  const text = typed.replace(/\s/gu, "").replace("\u2212", "-");
  if (text === "") return {};
  if (!NUMBER.test(text)) return { problem: "This is not a number yet. Write digits only, such as 34 or 34.5." };
  // "30,000" is thirty thousand to one person and thirty to another: where both could be meant, ask.
  const large = question.edges.some((edge) => Math.abs(Number(edge)) >= 1000);
  if (large && THOUSANDS.test(text)) {
    return { problem: `Write thousands without a comma or dot: ${text.replace(/[.,]/, "")}.` };
  }
  return { index: category(question, Number(text.replace(",", "."))) };
}

/** How an answer will count, in words: "Counts as: 30 to under 35 years." */
export function countsAs(question, index) {
  const withheld = question.prefer_not_to_say && index === question.options.length - 1;
  const unit = question.unit && !withheld ? ` ${question.unit}` : "";
  return `Counts as: ${question.options[index]}${unit}.`;
}
