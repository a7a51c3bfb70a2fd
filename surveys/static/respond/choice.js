// Controls for choices: one of a few, one of many, any of several, one for each item. Fields as fields.js describes.

import { button, element } from "./dom.js";
import { CHOOSING } from "./words.js";

const LONGEST_RADIO_LIST = 12;
const LONGEST_SCALE = 7;
const STEPS = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

/** One of the options: buttons, or a list where they are many. */
export function choiceField(question, names, onAnswer) {
  if (question.options.length > LONGEST_RADIO_LIST) return selectField(question, names, onAnswer);
  return radioField(question, names, onAnswer);
}

/** One step of a scale: buttons side by side where they are few. */
export function scaleField(question, names, onAnswer) {
  if (question.options.length > LONGEST_SCALE + 1) return choiceField(question, names, onAnswer);
  return radioField(question, names, onAnswer, "radios scale");
}

/** The attributes of a control that must be answered. */
export function described({ id, labelledby, describedby }) {
  return { id, "aria-labelledby": labelledby, "aria-describedby": describedby, "aria-required": "true" };
}

/** A radio group of buttons: one tab stop, arrows move and choose, Space or Enter choose. */
function radioField(question, names, onAnswer, style = "radios") {
  const withheld = question.prefer_not_to_say ? question.options.length - 1 : -1;
  const radios = question.options.map((label, index) =>
    button(label, { role: "radio", class: index === withheld ? "radio withheld" : "radio" }, () => choose(index)));
  const list = element("div", { ...described(names), class: style, role: "radiogroup" }, ...radios);

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
    element("option", { value: "" }, CHOOSING.one), ...options);
  select.addEventListener("change", () => onAnswer(select.value === "" ? undefined : Number(select.value)));
  return {
    node: select,
    control: select,
    focus: () => select.focus(),
    clear: () => { select.value = ""; },
  };
}

/**
 * Boxes to tick; the answer is a list of booleans. To have ticked nothing is an answer only once it was said: by "None
 * of these", which goes with no other box, as does "Prefer not to say", the last option where the question has it.
 */
export function multipleField(question, names, onAnswer) {
  const { options } = question;
  const alone = [options.length, ...(question.prefer_not_to_say ? [options.length - 1] : [])];
  const boxes = [...options, CHOOSING.none].map((label, index) =>
    button(label, { role: "checkbox", class: alone.includes(index) ? "box withheld" : "box" }, () => toggle(index)));
  const list = group(names, "boxes", ...boxes.filter((_, index) => !alone.includes(index)),
    ...alone.map((index) => boxes[index]));
  let ticked = new Set();

  function show() {
    boxes.forEach((box, index) => box.setAttribute("aria-checked", String(ticked.has(index))));
  }
  function toggle(index) {
    if (ticked.has(index)) ticked.delete(index);
    else if (alone.includes(index)) ticked = new Set([index]);
    else ticked = new Set([...ticked, index].filter((other) => !alone.includes(other)));
    show();
    onAnswer(ticked.size === 0 ? undefined : options.map((_, option) => ticked.has(option)));
  }
  function clear() {
    ticked = new Set();
    show();
  }
  show();
  return {
    node: element("div", {}, sampled(question, options.length), list),
    control: list,
    focus: () => boxes[0].focus(),
    clear,
  };
}

/** The same choice for each item; the answer is the list of all choices, and none before the last one is made. */
export function gridField(question, names, onAnswer) {
  const { items } = question;
  let chosen = items.map(() => undefined);
  const rows = items.map((label, item) => {
    const title = element("h4", { id: `${names.id}-item-${item + 1}` }, label);
    const row = scaleField(question,
      { ...names, id: `${title.id}-answer`, labelledby: `${names.labelledby} ${title.id}` },
      (answer) => record(item, answer));
    return { ...row, node: element("div", { class: "item" }, title, row.node) };
  });
  const list = group(names, "items", ...rows.map((row) => row.node));

  function record(item, answer) {
    chosen[item] = answer;
    onAnswer(chosen.includes(undefined) ? undefined : [...chosen]);
  }
  function clear() {
    chosen = items.map(() => undefined);
    rows.forEach((row) => row.clear());
  }
  return {
    node: element("div", {}, sampled(question, items.length), list),
    control: list,
    focus: () => rows[Math.max(0, chosen.indexOf(undefined))].focus(),
    clear,
  };
}

function group({ id, labelledby, describedby }, name, ...children) {
  const attributes = { id, class: name, role: "group", "aria-labelledby": labelledby, "aria-describedby": describedby };
  return element("div", attributes, ...children);
}

/** What will happen to several answers to one question. */
function sampled({ table }, count) {
  return table.sample === count ? null : element("p", { class: "hint" }, CHOOSING.sampled(table.sample));
}
