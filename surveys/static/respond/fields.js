// The controls of each kind; kinds.js has the rules. No control has a name or is in a form element, so nothing can be
// submitted.
//
// A field is {node, control, focus, clear}: `control` has the question's name and error, `clear` forgets the answer.
// `names` is {id, labelledby, describedby}, ids of elements. `onAnswer` gets the answer in the notation of kinds.js,
// undefined while there is none.

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

/** Return the field of a number: typed, or a step of a scale. */
function meanField(question, names, onAnswer) {
  return (question.steps ? stepField : numberField)(question, names, onAnswer);
}

/** Return the field for a question. */
export function field(question, names, onAnswer) {
  return (FIELDS[question.kind] ?? choiceField)(question, names, onAnswer);
}
