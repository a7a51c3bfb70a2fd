// Dates, counted in spans. Few surveys have them, so their rules and control are in this file.
//
// A date is as exact as those between the spans: a year, a month or a day; their texts sort by time. People enter just
// that, and the date itself goes no further than `read` below.

import { described } from "../choice.js";
import { button, element } from "../dom.js";
import { FIELDS } from "../fields.js";
import { KINDS } from "../kinds.js";
import { locale } from "../language.js";
import { countsAs } from "../number.js";
import { differentTexts, LIMITS, must } from "../rules.js";
import { european } from "../typed.js";
import { SELDOM } from "../words.js";

const FORM = /^[1-9]\d{3}(-\d\d){0,2}$/;
const [YEAR, MONTH] = [4, 7];
const A_DAY = 86400000;

function isDate(text) {
  return typeof text === "string" && FORM.test(text) && cut(Date.parse(text), text) === text;
}

/** Return the moment as a date, as exact as another one. */
function cut(moment, { length }) {
  return new Date(moment).toISOString().slice(0, length);
}

function areDates(dates) {
  must(Array.isArray(dates) && dates.length >= 3 && dates.length <= LIMITS.categories + 1 && dates.every(isDate));
  must(dates.every((each, i) => i === 0 || (each.length === dates[0].length && dates[i - 1] < each)));
}

/** Return the span of a date; earlier and later dates are in the outer spans. */
function span({ dates }, date) {
  return dates.slice(1, -1).filter((each) => each <= date).length;
}

/** Return the names of the spans, from the first to the last date, the same in every language. */
function spans({ dates }) {
  const before = (date) => cut(Date.parse(date) - A_DAY, date);
  const inner = dates.slice(1, -1);
  const between = inner.slice(1).map((high, i) => [...new Set([inner[i], before(high)])].join(" – "));
  return [`… – ${before(inner[0])}`, ...between, `${inner.at(-1)} – …`];
}

KINDS.date = {
  ...KINDS.histogram,
  own: ["dates", "options"],
  texts: [],
  ownOptions: spans,
  rule({ dates, options, prefer_not_to_say: refusable }) {
    areDates(dates);
    differentTexts(options, LIMITS.categories);
    must(options.length - (refusable ? 1 : 0) === dates.length - 1);
  },
  ends: ({ dates }) => dates,
  answerOf: span,
};

FIELDS.date = (question, names, onAnswer) => {
  const { length } = question.dates[0];
  const { say, status } = live(names);
  const parts = controls(length, names);
  const toggle = question.prefer_not_to_say
    ? button(question.options.at(-1), { class: "toggle" },
      () => withhold(toggle.getAttribute("aria-pressed") !== "true"))
    : null;

  function press(pressed) {
    toggle?.setAttribute("aria-pressed", String(pressed));
  }
  function empty() {
    parts.inputs.forEach((input) => { input.value = ""; });
  }
  /** Return how it counts. After a span without an end, the ellipsis ends the sentence. */
  function counted(answer) {
    return countsAs(question, answer).replace("\u2026.", "\u2026");
  }
  function read() {
    press(false);
    const date = parts.inputs.map(({ value }) => european(value)).join("-");
    const answer = date.length === length && isDate(date) ? span(question, date) : undefined;
    const [year] = date.split("-", 1);
    const rule = /^(|[1-9]\d{0,3})$/.test(year) ? "" : SELDOM.date[length];
    say(answer === undefined ? rule : counted(answer));
    onAnswer(answer);
  }
  function withhold(pressed) {
    empty();
    press(pressed);
    const answer = pressed ? question.options.length - 1 : undefined;
    say(pressed ? counted(answer) : "");
    onAnswer(answer);
  }
  function clear() {
    empty();
    press(false);
    say("");
  }
  parts.inputs.forEach((input) => input.addEventListener("input", read));
  press(false);
  const hint = element("p", { class: "hint", id: `${names.id}-hint` }, SELDOM.date[length]);
  return {
    node: element("div", {}, hint, element("div", { class: "number" }, ...parts.nodes, toggle), status),
    control: parts.control,
    focus: () => parts.inputs[0].focus(),
    clear,
  };
};

function live({ id }) {
  const status = element("p", { id: `${id}-counts`, class: "counts", "aria-live": "polite", translate: "no" });
  function say(sentence) {
    // Dates do not break across lines. Non-breaking hyphens would reverse them in right-to-left texts.
    const whole = sentence.replace(/-/g, "-\u2060");
    if (status.textContent !== whole) status.textContent = whole;
  }
  return { status, say };
}

/** Return {nodes, inputs, control}: years are typed, months chosen, and days entered in the browser's own control. */
function controls(length, names) {
  const own = { class: "entry", autocomplete: "off" };
  const hints = `${names.id}-hint ${names.describedby}`;
  const whole = { ...described(names), ...own, "aria-describedby": hints };
  const digits = { type: "text", inputmode: "numeric", spellcheck: "false" };
  if (length !== MONTH) {
    const input = element("input", { ...whole, ...(length === YEAR ? digits : { type: "date", max: "9999-12-31" }) });
    if (length !== YEAR) input.style.width = "auto";
    return { nodes: [input], inputs: [input], control: input };
  }
  const year = element("input", { ...own, ...digits, "aria-required": "true" });
  const month = element("select", { ...own, "aria-required": "true" }, element("option", { value: "" }),
    ...Array.from({ length: 12 }, (_, i) => element("option", { value: `${i + 1}`.padStart(2, "0") }, nameOf(i))));
  const labels = [[SELDOM.date.year, year], [SELDOM.date.month, month]].map(([name, node]) =>
    element("label", {}, `${name} `, node));
  const named = { id: names.id, "aria-labelledby": names.labelledby, "aria-describedby": hints };
  const control = element("div", { ...named, role: "group" }, ...labels);
  // Side by side if there is room. The page's style lacks this, because most surveys have no dates.
  Object.assign(control.style, { display: "flex", flexWrap: "wrap", gap: "0.75rem 1.5rem" });
  month.style.width = "auto";
  return { nodes: [control], inputs: [year, month], control };
}

function nameOf(month) {
  return new Date(Date.UTC(2024, month)).toLocaleString(locale(), { month: "long", timeZone: "UTC" });
}
