// From the definition and the answers to the report: pure, and the only path an answer can take.

import { drawTogether } from "./joint.js";
import { KINDS } from "./kinds.js";
import { apartFrom, ofForm } from "./lot.js";
import { MECHANISMS } from "./mechanisms.js";
import { filled } from "./routing.js";
import { uniformFrom, uuid4From } from "./uniform.js";

// The exact body to send. `answers`, a Map or an object, has the answer to every question that is asked by its key:
// the index of a category; for a mean a decimal string; for a multiple choice a list of booleans, one per option; for a
// grid a list of indices, one per item. `form` is the place of the form that was drawn; undefined where the definition
// has none. Words are used in this order: four for the report's id, then two for each uniform integer, questions in the
// order of the definition, those that are randomized together last: of these one for each number, then one for all.
export function makeReport(definition, digest, answers, words, form) {
  const reportId = uuid4From(words);
  const uniform = uniformFrom(words);
  const { questions, joint } = ofForm(definition, form);
  const given = filled(questions, answers instanceof Map ? answers : new Map(Object.entries(answers)));
  const encode = (question) => encoded(question, given.get(question.key), uniform);
  const randomized = {};
  for (const question of apartFrom(joint, questions)) {
    const { key, mechanism, table, options = [] } = question;
    randomized[key] = MECHANISMS[mechanism].draw(encode(question), table, options.length, uniform);
  }
  if (joint) {
    const { keys, table, sizes } = joint;
    const symbols = questions.filter(({ key }) => keys.includes(key)).map(encode);
    drawTogether(symbols, table, sizes, uniform).forEach((symbol, place) => { randomized[keys[place]] = symbol; });
  }
  return JSON.stringify({ report_id: reportId, digest, form, answers: randomized });
}

function encoded(question, answer, uniform) {
  const { isAnswer, encoded: encode } = KINDS[question.kind];
  if (!isAnswer(question, answer)) throw new RangeError(`No answer for ${question.key}`);
  return encode(question, answer, uniform);
}
