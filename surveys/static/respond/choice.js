// Controls for choices: one of a few, one of many, any of several, one for each item. They are fields as in fields.js.

import { button, element } from "./dom.js";
import { CHOOSING } from "./words.js";

export const LONG_LIST = 13;
const LONGEST_SCALE = 7;
const LONGEST_ROW = 11;
// Characters that fit into all columns together.
const WIDEST_TABLE = 54;
const LONGEST_HEAD = 30;
export const CHOSEN = "[aria-checked=true]";
const STEPS = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };
// A step of a row: up to three letters, or a number with its meaning.
const STEP = /^(?:.{1,3}|([-+\u2212]?\p{Nd}{1,3})[\s:=\u2013\u2014-]+(\p{L}.{0,29}))$/u;

/** Return the field for one of the options: buttons, with a search box if there are many. */
export function choiceField(question, names, onAnswer) {
  return radioField(question, names, onAnswer, "radios");
}

/** Return the field for a scale's step: a few buttons are side by side, short ones at every width. */
export function scaleField(question, names, onAnswer) {
  const { options } = question;
  const last = options.length - (question.prefer_not_to_say ? 2 : 1);
  const steps = options.slice(0, last + 1).map((label) => STEP.exec(label) ?? []);
  const isRow = last < LONGEST_ROW && steps.every(([step, , words], i) => step && (!words || i === 0 || i === last));
  if (!isRow) return radioField(question, names, onAnswer, last < LONGEST_SCALE ? "radios scale" : "radios");
  const field = radioField(question, names, onAnswer, "radios row", (label, i) => [steps[i]?.[1] ?? label, label]);
  if (steps[0][2] || steps[last][2]) {
    const ends = [0, last].map((i) => element("span", {}, steps[i][2] ? options[i] : ""));
    field.control.children[last].after(element("div", { class: "ends", "aria-hidden": "true" }, ...ends));
  }
  return field;
}

/** Return the field for a step of a scale whose steps count as numbers. */
export function stepField({ steps, ...question }, names, onAnswer) {
  const hint = element("p", { id: `${names.id}-hint`, class: "hint" }, CHOOSING.counted(steps.length));
  const ids = { ...names, describedby: `${hint.id} ${names.describedby}` };
  const field = scaleField({ ...question, options: steps }, ids, onAnswer);
  return { ...field, node: element("div", {}, hint, field.node) };
}

/** Return the attributes of a control that must be answered. */
export function described(names) {
  return { ...named(names), "aria-required": "true" };
}

function named({ id, labelledby, describedby }) {
  return { id, "aria-labelledby": labelledby, "aria-describedby": describedby };
}

/**
 * Return radio buttons with one tab stop: arrows move and choose, Space or Enter choose. called(label, index) returns
 * [text, name] of a button. `settle` keeps the tab stop on a visible button and returns all visible ones.
 */
function radioSet({ options, prefer_not_to_say: refusable }, onAnswer, called) {
  const radios = options.map((label, index) => {
    const [text, name] = called(label, index);
    const style = refusable && index === options.length - 1 ? "radio withheld" : "radio";
    return button(text, { role: "radio", class: style, "aria-label": name !== text && name }, () => choose(index));
  });

  function settle() {
    const shown = radios.filter((radio) => !radio.hidden);
    const only = shown.find((radio) => radio.matches(CHOSEN)) ?? shown[0];
    radios.forEach((radio) => { radio.tabIndex = radio === only ? 0 : -1; });
    return shown;
  }
  function mark(chosen) {
    radios.forEach((radio, index) => radio.setAttribute("aria-checked", String(index === chosen)));
    settle();
  }
  function choose(index) {
    mark(index);
    radios[index].focus();
    onAnswer(index);
  }
  function move(event) {
    const step = STEPS[event.key];
    if (!step || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const shown = settle();
    choose(radios.indexOf(shown.at((shown.indexOf(event.target) + step) % shown.length)));
  }
  radios.forEach((radio) => radio.addEventListener("keydown", move));
  mark(undefined);
  return { radios, settle, focus: () => radios.find((radio) => radio.tabIndex === 0).focus(), clear: () => mark(undefined) };
}

function radioField(question, names, onAnswer, style, called = (label) => [label, label]) {
  const set = radioSet(question, onAnswer, called);
  const list = element("div", { ...described(names), class: style, role: "radiogroup" }, ...set.radios);
  return { control: list, ...searchable(names, list, set.radios, set) };
}

/** Return whether a list needs a search box, counting "None of these". */
export function isLong({ options, steps = options ?? [] }) {
  return steps.length + 1 >= LONG_LIST;
}

/** Makes the field of a list; long.js adds the search box. */
let searchable = (names, node, buttons, { focus, clear }) => ({ node, focus, clear });

export function searchBy(other) {
  searchable = other;
}

/** Return a text without case, accents and spaces at the ends. */
export function plain(text) {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().trim();
}

/**
 * Return boxes to tick; the answer is a list of booleans. No tick is an answer only after "None of these", which the
 * page adds unless the authors wrote or marked one. It excludes all other boxes, and so does "Prefer not to say", the
 * last option if there is one.
 */
export function multipleField(question, names, onAnswer) {
  const { options, exclusive } = question;
  const written = [...options.keys()].filter((index) => index === exclusive || CHOOSING.nothing.test(plain(options[index])));
  const own = written.length > 0 ? [] : [CHOOSING.none];
  const last = [...own.map(() => options.length), ...(question.prefer_not_to_say ? [options.length - 1] : [])];
  const alone = [...written, ...last];
  const boxes = [...options, ...own].map((label, index) =>
    button(label, { role: "checkbox", class: alone.includes(index) ? "box withheld" : "box" }, () => toggle(index)));
  const list = element("div", { ...named(names), class: "boxes", role: "group" },
    ...boxes.filter((_, index) => !last.includes(index)), ...last.map((index) => boxes[index]));
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
  const field = searchable(names, list, boxes, { focus: () => boxes[0].focus(), clear, settle() {} });
  return { ...field, node: element("div", {}, sampled(question, options.length), field.node), control: list };
}

/**
 * Return the same choice for each item; the answer is the list of all choices, undefined until it is complete. It is a
 * table if its columns fit a wide page, stacked on a narrow one; else a list.
 */
export function gridField(question, names, onAnswer) {
  const { items, options } = question;
  const longest = Math.max(2, ...options.flatMap((label) => label.split(/\s/u)).map(({ length }) => length));
  const isTable = options.length * (longest + 1) <= WIDEST_TABLE &&
    options.every((label) => label.length <= LONGEST_HEAD);
  let chosen = items.map(() => undefined);
  const rows = items.map((label, item) => (isTable ? tableRow : listItem)(question, names, label, item,
    (answer) => record(item, answer)));
  const nodes = rows.map(({ node }) => node);
  const list = isTable ? matrix(names, options, nodes)
    : element("div", { ...named(names), class: "items", role: "group" }, ...nodes);

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

function listItem(question, names, label, item, onAnswer) {
  const title = element("h4", { id: `${names.id}-item-${item + 1}` }, label);
  const inner = { ...names, id: `${title.id}-answer`, labelledby: `${names.labelledby} ${title.id}` };
  const row = scaleField(question, inner, onAnswer);
  return { ...row, node: element("div", { class: "item" }, title, row.node) };
}

// Roles are explicit, because WebKit drops them from a table that is not displayed as one.
function tableRow(question, names, label, item, onAnswer) {
  const set = radioSet(question, onAnswer, (option) => [option, CHOOSING.pair(label, option)]);
  const isShort = set.radios.every((radio) => radio.textContent.length <= 3 || radio.matches(".withheld"));
  return { ...set, node: element("tr", { role: "row", class: isShort ? "radios row" : "radios" },
    element("th", { role: "rowheader", scope: "row" }, label),
    ...set.radios.map((radio) => element("td", { role: "cell" }, radio))) };
}

function matrix(names, options, rows) {
  const heads = options.map((label) => element("th", { role: "columnheader", scope: "col" }, label));
  return element("table", { ...named(names), class: "items matrix", role: "table" },
    element("thead", {}, element("tr", { role: "row" }, element("td"), ...heads)), element("tbody", {}, ...rows));
}

/** Return the hint on sampling of several answers to one question. */
function sampled({ table }, count) {
  return table.sample === count ? null : element("p", { class: "hint" }, CHOOSING.sampled(table.sample));
}
