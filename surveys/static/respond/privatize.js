// From the definition and the answers to the report: pure, and the only path an answer can take.

import { KINDS } from "./kinds.js";
import { MECHANISMS } from "./mechanisms.js";
import { filled } from "./routing.js";
import { uniformFrom, uuid4From } from "./uniform.js";

// The exact body to send. `answers`, a Map or an object, has the answer to every question that is asked by its key:
// the index of a category; for a mean a
// decimal string; for a multiple choice a list of booleans, one per option; for a grid a list of indices, one per item.
// Words are used in this order: four for the report's id, then two for each uniform integer, questions in the order
// of the definition.
export function makeReport(definition, digest, answers, words) {
  const reportId = uuid4From(words);
  const uniform = uniformFrom(words);
  const randomized = {};
  const given = filled(definition.questions, answers instanceof Map ? answers : new Map(Object.entries(answers)));
  for (const question of definition.questions) {
    const answer = given.get(question.key);
    if (!KINDS[question.kind].isAnswer(question, answer)) throw new RangeError(`No answer for ${question.key}`);
    randomized[question.key] = randomize(question, answer, uniform);
  }
  return JSON.stringify({ report_id: reportId, digest, answers: randomized });
}

function randomize(question, answer, uniform) {
  const { kind, mechanism, table, options = [] } = question;
  return MECHANISMS[mechanism].draw(KINDS[kind].encoded(question, answer, uniform), table, options.length, uniform);
}
