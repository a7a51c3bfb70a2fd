// Numbers with limits: only numbers from the lowest to the highest, for some questions only whole ones. These are the
// rules, the names of bins of whole numbers, and the field. surveys/survey/kinds/numbers.py has the same rules.

import { FIELDS } from "./fields.js";
import { KINDS } from "./kinds.js";
import { numberField, readNumber } from "./number.js";
import { decimal, must, shortest } from "./rules.js";
import { amount, NUMBERS, OWN, shown } from "./words.js";

const WHOLE = /^-?\d+$/;

for (const name of ["histogram", "mean"]) {
  const { rule } = KINDS[name];
  const unlimited = FIELDS[name];
  KINDS[name].rule = (question) => {
    rule(question);
    if ("limits" in question) limited(question);
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

/** Return the lowest and the highest number. The last edge of bins of whole numbers is the first number beyond. */
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

/** Return names of bins of whole numbers, by their first and last numbers. */
function ranges({ edges }, { orMore }) {
  const names = edges.slice(1).map((edge, bin) => [shortest(edges[bin]), before(edge)]);
  const [low, high] = names.at(-1);
  return [...names.slice(0, -1).map(range), low === high ? range([low, high]) : orMore(low)];
}

function range([low, high]) {
  return low === high ? shown(low) : OWN.through(low, high);
}

/** Return the field of a number, which states its limits and gives no answer beyond them. */
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
