// Numbers with limits: only those from the lowest to the highest can be entered, of some questions only whole ones. What may be
// asked so, how bins of whole numbers are called, and what the field says and takes. surveys/survey/kinds/numbers.py has the
// same rules.

import { FIELDS } from "./fields.js";
import { KINDS } from "./kinds.js";
import { numberField, readNumber } from "./number.js";
import { decimal, must, shortest } from "./rules.js";
import { amount, NUMBERS, OWN, shown } from "./words.js";

const WHOLE = /^-?\d+$/;

for (const name of ["histogram", "mean"]) {
  const { rule, filler } = KINDS[name];
  const unlimited = FIELDS[name];
  KINDS[name].rule = (question) => {
    rule(question);
    if ("limits" in question) limited(question);
  };
  KINDS[name].filler = (question) => {
    must(!question.limits || takes(question, question.filler));
    return filler(question);
  };
  FIELDS[name] = (question, ...given) => (question.limits ? limitedField : unlimited)(question, ...given);
}

const { ownOptions: bins } = KINDS.histogram;
KINDS.histogram.ownOptions = (question, own) => (question.limits === "whole" ? ranges(question, own) : bins(question, own));

function limited({ limits, steps, edges, low, high }) {
  must(["whole", "decimal"].includes(limits) && !steps);
  must(limits === "decimal" || (edges ?? [low, high]).every((end) => isWhole(end)));
}

function isWhole(number) {
  return WHOLE.test(shortest(number));
}

/** The lowest and the highest number. Of bins of whole numbers the last edge is the first number beyond. */
function endsOf({ limits, edges, low = edges[0], high = edges.at(-1) }) {
  return [low, edges && limits === "whole" ? before(high) : high];
}

function before(edge) {
  return String(BigInt(shortest(edge)) - 1n);
}

function takes(question, number) {
  const [low, high] = endsOf(question).map(decimal);
  return decimal(number) >= low && decimal(number) <= high && (question.limits !== "whole" || isWhole(number));
}

/** Bins of whole numbers, by the first and the last number of each. */
function ranges({ edges }, { orMore }) {
  const names = edges.slice(1).map((edge, bin) => [shortest(edges[bin]), before(edge)]);
  const [low, high] = names.at(-1);
  return [...names.slice(0, -1).map(range), low === high ? range([low, high]) : orMore(low)];
}

function range([low, high]) {
  return low === high ? shown(low) : OWN.through(low, high);
}

/** The field of any number, which says its limits and gives no answer beyond. */
function limitedField(question, names, onAnswer) {
  const [low, high] = endsOf(question).map(shown);
  const said = NUMBERS.limits(low, amount(high, question.unit), question.limits === "whole");
  const isTaken = () => {
    const { number } = readNumber(question, field.control.value);
    return !number || takes(question, number);
  };
  const field = numberField(question, names, (answer) => onAnswer(isTaken() ? answer : undefined));
  const [hint, , status] = field.node.children;
  hint.textContent = said;
  if (question.limits === "whole" && field.control.inputMode === "decimal") field.control.inputMode = "numeric";
  field.control.addEventListener("input", () => { if (!isTaken()) status.textContent = said; });
  return field;
}
