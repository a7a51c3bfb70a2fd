// From the definition and the answers to the report: a pure function, and the only way out of the form for an answer.

import { KINDS } from "./kinds.js";
import { ofForm } from "./lot.js";
import { MECHANISMS, randomizedQuestions, valuesOf } from "./mechanisms.js";
import { filled } from "./routing.js";
import { uniformFrom, uuid4From } from "./uniform.js";

// Return the exact body to send. `answers`, a Map or an object, has the answer to every asked question by its key: the
// index of a category; for a mean a decimal string; for a multiple choice a boolean per option; for a grid an index per
// item. `form` is the drawn form, undefined without forms. Words are used in this order: four for the report's id, then
// two for each uniform integer, draw by draw: the shared draws, then the form's; in each draw one integer for every
// rounded number, then those of its mechanism.
export function makeReport(definition, digest, answers, words, form) {
  const reportId = uuid4From(words);
  const uniform = uniformFrom(words);
  const { questions, parts } = ofForm(definition, form);
  const given = filled(questions, answers instanceof Map ? answers : new Map(Object.entries(answers)));
  const randomized = {};
  for (const part of parts) {
    const values = reportedOf(part, part.questions.map((question) => encoded(question, given.get(question.key), uniform)), uniform);
    part.questions.forEach(({ key }, place) => { randomized[key] = values[place]; });
  }
  return JSON.stringify({ report_id: reportId, digest, form, answers: randomized });
}

function reportedOf({ questions, mechanism, table }, answers, uniform) {
  if (questions.length > 1) return randomizedQuestions(questions, answers, table, uniform);
  return [MECHANISMS[mechanism].draw(answers[0], table, valuesOf(questions[0]), uniform)];
}

function encoded(question, answer, uniform) {
  const { isAnswer, encoded: encode } = KINDS[question.kind];
  if (!isAnswer(question, answer)) throw new RangeError(`No answer for ${question.key}`);
  return encode(question, answer, uniform);
}
