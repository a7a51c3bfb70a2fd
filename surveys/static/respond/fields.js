// One question's controls. None has a name and none sits in a form element: there is nothing to submit.
//
// Each field is {node, control, focus, clear}: `control` carries the question's name and error, `clear` forgets
// the answer. `names` is {id, labelledby, describedby}, ids of elements; `onAnswer` gets the answer as privatize.js
// wants it for the question's kind, or undefined while there is none.

import { choiceField, described, gridField, multipleField } from "./choice.js";
import { button, element } from "./dom.js";
import { countsAs, countsAsNumber, readNumber } from "./number.js";

const FIELDS = { histogram: numberField, mean: numberField, multiple_choice: multipleField, grid: gridField };

/** The field that suits the question. */
export function field(question, names, onAnswer) {
  return (FIELDS[question.kind] ?? choiceField)(question, names, onAnswer);
}

/** What numbers a question takes: its ends, and what becomes of those beyond. */
function range({ kind, edges, low, high, unit }) {
  if (kind === "histogram") {
    return { lowest: edges[0], rule: "Only the group your number falls into is used. Numbers below " +
      `${edges[0]} or above ${edges.at(-1)} count in the first or the last group.` };
  }
  const span = `From ${low} to ${high}${unit ? ` ${unit}` : ""}.`;
  return { lowest: low, rule: `${span} Numbers below count as ${low}, numbers above as ${high}.` };
}

/** A typed number with a live sentence on how it counts, and a toggle for not saying when the question has it. */
function numberField(question, names, onAnswer) {
  const { lowest, rule } = range(question);
  const status = element("p", { id: `${names.id}-counts`, class: "counts", "aria-live": "polite" });
  const unit = element("span", { id: `${names.id}-unit`, class: "unit" }, question.unit ?? "");
  const hint = element("p", { id: `${names.id}-hint`, class: "hint" }, rule);
  const input = element("input", {
    ...described(names), class: "entry", type: "text", autocomplete: "off", spellcheck: "false",
    // Decimal keypads on phones have no minus sign.
    inputmode: Number(lowest) < 0 ? "text" : "decimal",
    "aria-describedby": `${unit.id} ${hint.id} ${names.describedby}`,
  });
  const toggle = question.prefer_not_to_say
    ? button(question.options.at(-1), { class: "toggle" },
      () => withhold(toggle.getAttribute("aria-pressed") !== "true"))
    : null;

  function say(sentence) {
    if (status.textContent !== sentence) status.textContent = sentence;
  }
  function press(pressed) {
    toggle?.setAttribute("aria-pressed", String(pressed));
  }
  function read() {
    press(false);
    const { problem, index, decimal } = readNumber(question, input.value);
    if (index !== undefined) say(countsAs(question, index));
    else if (decimal !== undefined) say(countsAsNumber(question, decimal));
    else say(problem ?? "");
    onAnswer(index ?? decimal);
  }
  function withhold(pressed) {
    input.value = "";
    press(pressed);
    const answer = pressed ? question.options.length - 1 : undefined;
    say(pressed ? countsAs(question, answer) : "");
    onAnswer(answer);
  }
  function clear() {
    input.value = "";
    press(false);
    say("");
  }
  input.addEventListener("input", read);
  press(false);
  return {
    node: element("div", {}, hint, element("div", { class: "number" }, input, unit, toggle), status),
    control: input,
    focus: () => input.focus(),
    clear,
  };
}
