// How each kind is asked; kinds.js has what decides. No control has a name and none sits in a form element: there is
// nothing to submit.
//
// Each field is {node, control, focus, clear}: `control` carries the question's name and error, `clear` forgets
// the answer. `names` is {id, labelledby, describedby}, ids of elements; `onAnswer` gets the answer as kinds.js wants
// it for the question's kind, or undefined while there is none.

import { choiceField, gridField, multipleField, scaleField, stepField } from "./choice.js";
import { numberField } from "./number.js";

// Any other kind is a choice of one option.
export const FIELDS = {
  ordered: scaleField,
  multiple_choice: multipleField,
  grid: gridField,
  histogram: numberField,
  mean: meanField,
};

/** A number is typed; of a scale a step is chosen. */
function meanField(question, names, onAnswer) {
  return (question.steps ? stepField : numberField)(question, names, onAnswer);
}

/** The field that suits the question. */
export function field(question, names, onAnswer) {
  return (FIELDS[question.kind] ?? choiceField)(question, names, onAnswer);
}
