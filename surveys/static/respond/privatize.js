// From the definition and the answers to the report: pure, and the only path an answer can take.

import { MECHANISMS } from "./mechanisms.js";
import { uniformFrom, uuid4From } from "./uniform.js";

// The exact body to send. `answers` maps every question's key to the index of a category. Words are used in this
// order: four for the report's id, then two for each uniform integer, questions in the order of the definition.
export function makeReport(definition, digest, answers, words) {
  const reportId = uuid4From(words);
  const uniform = uniformFrom(words);
  const randomized = {};
  for (const question of definition.questions) {
    const answer = answers instanceof Map ? answers.get(question.key) : answers[question.key];
    const d = question.options.length;
    if (!Number.isInteger(answer) || answer < 0 || answer >= d) throw new RangeError(`No answer for ${question.key}`);
    randomized[question.key] = MECHANISMS[question.mechanism](answer, d, question.table, uniform);
  }
  return JSON.stringify({ report_id: reportId, digest, answers: randomized });
}

// The bin of a number: [edge i, edge i+1); numbers beyond the outer edges count in the outer bins.
export function category(question, number) {
  return question.edges.slice(1, -1).filter((edge) => Number(edge) <= number).length;
}
