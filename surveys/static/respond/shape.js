// The shape of a definition: everything that the form and the draw read, and no field that nobody reads.
//
// Whether a report can be made must not depend on the answer, or its absence would tell the answer. So every answer that
// the form lets somebody give to a question of this shape is one that privatize.js takes and its mechanism can report:
// as many options as bins, a row for every category, no answer but a number where only numbers are drawn.
// surveys/definition/shape.py has the same rules.

import { millionths, must, threshold, trillionths, whole } from "./exact.js";
import { decimal } from "./rounding.js";
import { weights } from "./weights.js";

const QUESTIONS_MAX = 200;
const CATEGORIES_MAX = 256;
const ITEMS_MAX = 64;
const DIGITS_MAX = 50; // a sum of 2^0 to 2^49 is exact
const TABLES_MAX = 12000;
const [TITLE_MAX, TEXT_MAX, OPTION_MAX, UNIT_MAX] = [200, 2000, 200, 40];
const KEY = /^[a-z][a-z0-9_]{0,39}$/;
const NUMBER = /^-?(?:0|[1-9][0-9]{0,11})(?:\.[0-9]{1,6})?$/;
const BLANK = /^[\s\u0085]*$/;
const FORBIDDEN = /[\u0000-\u0009\u000b-\u001f\p{Cs}]/u; // control characters but the end of a line; half characters

export const WITH_DELTA = ["osgt", "gaussian"];
const OF_OPTIONS = ["randomized_response", "subset", "bitwise"];
const SHARED = ["key", "kind", "text", "note", "prefer_not_to_say", "alpha", "mechanism", "table"];

// For each kind: its own fields, the mechanisms that fit it, and the rule of these fields.
const KINDS = {
  yes_no: { own: ["options"], fitting: OF_OPTIONS, rule: (question) => must(asked(question) === 2) },
  single_choice: { own: ["options"], fitting: OF_OPTIONS, rule: asked },
  ordered: { own: ["options"], fitting: [...OF_OPTIONS, "exponential"], rule: asked },
  multiple_choice: { own: ["options"], fitting: ["multiple"], rule: asked },
  grid: {
    own: ["items", "options"],
    fitting: ["grid"],
    rule(question) {
      asked(question);
      differentTexts(question.items, ITEMS_MAX);
    },
  },
  histogram: {
    own: ["edges", "options", "unit"],
    fitting: ["laplace", ...OF_OPTIONS, ...WITH_DELTA],
    rule(question) {
      increasing(question.edges);
      text(question.unit, UNIT_MAX, true);
      must(asked(question) === question.edges.length - 1);
    },
  },
  mean: {
    own: ["low", "high", "unit"],
    fitting: ["one_bit", "laplace_mean"],
    rule({ low, high, unit, prefer_not_to_say: refusable }) {
      increasing([low, high]);
      text(unit, UNIT_MAX, true);
      must(!refusable); // what is drawn is a number, so there is no way to report anything else
    },
  },
};

// For each mechanism the entries of its table, each with its rule: what the draw in mechanisms.js takes for granted.
const TABLES = {
  randomized_response: { other: threshold },
  bitwise: { flip: threshold },
  subset: { m: (m, { options }) => whole(m, 1, options.length - 1), in: threshold },
  laplace: { flip: threshold, magnitude: digits },
  osgt: { noise: symmetric },
  gaussian: { noise: symmetric },
  exponential: { rows: (rows, { options }) => must(lengths(rows) === options.length - 1 && rows.length === options.length) },
  one_bit: { other: threshold },
  laplace_mean: { rows: beyondBothEnds },
  multiple: { sample: (sample, { options }) => whole(sample, 1, options.length), other: threshold },
  grid: { sample: (sample, { items }) => whole(sample, 1, items.length), other: threshold },
};

// RangeError, or any other error, unless the definition as a whole has the right shape; its questions are not looked at.
export function frame(definition) {
  exactly(definition, ["format", "title", "introduction", "questions"]);
  text(definition.title, TITLE_MAX);
  text(definition.introduction, TEXT_MAX, true);
  const { questions } = definition;
  must(Array.isArray(questions) && questions.length >= 1 && questions.length <= QUESTIONS_MAX);
}

// Whether no two of these well-formed questions have the same key, and their tables are not too long together.
export function fitTogether(questions) {
  const integers = questions.reduce((count, { table }) => count + Object.values(table).flat(2).length, 0);
  return new Set(questions.map(({ key }) => key)).size === questions.length && integers <= TABLES_MAX;
}

// RangeError, or any other error, unless the question has the shape of its kind and its mechanism.
export function wellFormed(question) {
  const { key, kind, mechanism, table } = question;
  must(typeof kind === "string" && Object.hasOwn(KINDS, kind));
  const { own, fitting, rule } = KINDS[kind];
  must(fitting.includes(mechanism));
  exactly(question, [...SHARED, ...own, ...(WITH_DELTA.includes(mechanism) ? ["delta"] : [])]);
  must(typeof key === "string" && KEY.test(key));
  text(question.text, TEXT_MAX);
  text(question.note, TEXT_MAX, true);
  must(typeof question.prefer_not_to_say === "boolean");
  millionths(question.alpha);
  if (WITH_DELTA.includes(mechanism)) trillionths(question.delta);
  rule(question);
  exactly(table, Object.keys(TABLES[mechanism]));
  for (const [name, fits] of Object.entries(TABLES[mechanism])) fits(table[name], question);
}

// How many options there are beside "Prefer not to say", which is the last one where the question has it.
function asked({ options, prefer_not_to_say: refusable }) {
  differentTexts(options, CATEGORIES_MAX);
  const count = options.length - (refusable ? 1 : 0);
  must(count >= 2);
  return count;
}

function differentTexts(list, most) {
  must(Array.isArray(list) && list.length >= 2 && list.length <= most);
  list.forEach((each) => text(each, OPTION_MAX));
  must(new Set(list).size === list.length);
}

function text(value, most, mayBeEmpty = false) {
  must(typeof value === "string" && [...value].length <= most && !FORBIDDEN.test(value));
  must(mayBeEmpty || !BLANK.test(value));
}

// Decimal strings, each greater than the one before.
function increasing(numbers) {
  must(Array.isArray(numbers) && numbers.length >= 2 && numbers.length <= CATEGORIES_MAX + 1);
  must(numbers.every((number) => typeof number === "string" && NUMBER.test(number)));
  must(numbers.every((number, i) => i === 0 || decimal(numbers[i - 1]) < decimal(number)));
}

function digits(magnitude) {
  must(Array.isArray(magnitude) && magnitude.length >= 1 && magnitude.length <= DIGITS_MAX);
  magnitude.forEach(threshold);
}

function symmetric(noise) {
  must(weights(noise).length % 2 === 1);
}

// The common length of all rows, of which there are at least two.
function lengths(rows) {
  must(Array.isArray(rows) && rows.length >= 2);
  rows.forEach((row) => must(weights(row).length === rows[0].length + 1));
  return rows[0].length;
}

// A row for every point of the grid; each spans the grid and an equal number of steps beyond both ends.
function beyondBothEnds(rows) {
  const beyond = lengths(rows) + 1 - rows.length;
  must(beyond >= 0 && beyond % 2 === 0);
}

function exactly(object, names) {
  must(typeof object === "object" && object !== null && !Array.isArray(object));
  must(JSON.stringify(Object.keys(object).sort()) === JSON.stringify([...names].sort()));
}
