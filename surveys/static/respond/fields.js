// One question's controls. None has a name and none sits in a form element: there is nothing to submit.
//
// Each field is {node, control, focus, clear}: `control` carries the question's name and error, `clear` forgets
// the answer. `names` is {id, labelledby, describedby}, ids of elements; `onAnswer` gets the category's index, or
// undefined while there is none.

import { button, element } from "./dom.js";
import { countsAs, readNumber } from "./number.js";

const LONGEST_RADIO_LIST = 12;
const STEPS = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

/** The field that suits the question: a number, a short list of choices or a long one. */
export function field(question, names, onAnswer) {
  if (question.kind === "histogram") return numberField(question, names, onAnswer);
  if (question.options.length > LONGEST_RADIO_LIST) return selectField(question, names, onAnswer);
  return radioField(question, names, onAnswer);
}

function described({ id, labelledby, describedby }) {
  return { id, "aria-labelledby": labelledby, "aria-describedby": describedby, "aria-required": "true" };
}

/** A radio group of buttons: one tab stop, arrows move and choose, Space or Enter choose. */
function radioField(question, names, onAnswer) {
  const radios = question.options.map((label, index) =>
    button(label, { role: "radio", class: "radio" }, () => choose(index)));
  const list = element("div", { ...described(names), class: "radios", role: "radiogroup" }, ...radios);

  function mark(chosen) {
    radios.forEach((radio, index) => {
      radio.setAttribute("aria-checked", String(index === chosen));
      radio.tabIndex = index === (chosen ?? 0) ? 0 : -1;
    });
  }
  function choose(index) {
    mark(index);
    radios[index].focus();
    onAnswer(index);
  }
  list.addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    if (!step || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    choose((radios.indexOf(event.target) + step + radios.length) % radios.length);
  });
  mark(undefined);
  return {
    node: list,
    control: list,
    focus: () => radios.find((radio) => radio.tabIndex === 0).focus(),
    clear: () => mark(undefined),
  };
}

/** A native list for many options. Its first entry is no answer. */
function selectField(question, names, onAnswer) {
  const options = question.options.map((label, index) => element("option", { value: String(index) }, label));
  const select = element("select", { ...described(names), class: "entry", autocomplete: "off" },
    element("option", { value: "" }, "Choose one"), ...options);
  select.addEventListener("change", () => onAnswer(select.value === "" ? undefined : Number(select.value)));
  return {
    node: select,
    control: select,
    focus: () => select.focus(),
    clear: () => { select.value = ""; },
  };
}

/** A typed number with a live sentence on how it counts, and a toggle for not saying when the question has it. */
function numberField(question, names, onAnswer) {
  const edges = question.edges;
  const status = element("p", { id: `${names.id}-counts`, class: "counts", "aria-live": "polite" });
  const unit = element("span", { id: `${names.id}-unit`, class: "unit" }, question.unit ?? "");
  const hint = element("p", { id: `${names.id}-hint`, class: "hint" }, "Only the group your number falls into is " +
    `used. Numbers below ${edges[0]} or above ${edges.at(-1)} count in the first or the last group.`);
  const input = element("input", {
    ...described(names), class: "entry", type: "text", autocomplete: "off", spellcheck: "false",
    // Decimal keypads on phones have no minus sign.
    inputmode: Number(edges[0]) < 0 ? "text" : "decimal",
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
    const reading = readNumber(question, input.value);
    say(reading.problem ?? (reading.index === undefined ? "" : countsAs(question, reading.index)));
    onAnswer(reading.index);
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
