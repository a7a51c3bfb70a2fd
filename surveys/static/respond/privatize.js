// From the definition and the answers to the report: pure, and the only path an answer can take.

import { MECHANISMS } from "./mechanisms.js";
import { decimal, gridPoint } from "./rounding.js";
import { uniformFrom, uuid4From } from "./uniform.js";

// The exact body to send. `answers` maps every question's key to its answer: the index of a category; for a mean a
// decimal string; for a multiple choice a list of booleans, one per option; for a grid a list of indices, one per item.
// Words are used in this order: four for the report's id, then two for each uniform integer, questions in the order
// of the definition.
export function makeReport(definition, digest, answers, words) {
  const reportId = uuid4From(words);
  const uniform = uniformFrom(words);
  const randomized = {};
  for (const question of definition.questions) {
    const answer = answers instanceof Map ? answers.get(question.key) : answers[question.key];
    if (!isAnswer(question, answer)) throw new RangeError(`No answer for ${question.key}`);
    randomized[question.key] = randomize(question, answer, uniform);
  }
  return JSON.stringify({ report_id: reportId, digest, answers: randomized });
}

function randomize(question, answer, uniform) {
  const { kind, mechanism, table, low, high, options = [] } = question;
  const steps = mechanism === "one_bit" ? 1 : table.rows?.length - 1;
  const input = kind === "mean" ? gridPoint(answer, low, high, steps, uniform) : answer;
  return MECHANISMS[mechanism](input, options.length, table, uniform);
}

function isAnswer({ kind, options = [], items = [] }, answer) {
  const isCategory = (value) => Number.isInteger(value) && value >= 0 && value < options.length;
  const isList = (length, fits) => Array.isArray(answer) && answer.length === length && Array.from(answer).every(fits);
  if (kind === "mean") return decimal(answer) !== null;
  if (kind === "multiple_choice") return isList(options.length, (value) => typeof value === "boolean");
  if (kind === "grid") return isList(items.length, isCategory);
  return isCategory(answer);
}

// The bin of a number, a decimal string: [edge i, edge i+1); numbers beyond the outer edges count in the outer bins.
export function category({ edges }, number) {
  return edges.slice(1, -1).filter((edge) => decimal(edge) <= decimal(number)).length;
}
