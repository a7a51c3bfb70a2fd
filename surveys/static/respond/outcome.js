// What is shown once there is a report. Nothing here knows an answer: all of it is made from the report and the
// server's reply, so it is the same for any two answers that gave the same report.

import { button, element, panel, table } from "./dom.js";
import { MECHANISMS } from "./mechanisms.js";
import { quoted, strengths } from "./promise.js";
import { always } from "./routing.js";
import { amount, ANSWERED, PREVIEW, READING, REFUSED, SENDING, shown, THANKS } from "./words.js";

/** While the report is on its way: the view with waiting(pause) and trying(), as `deliver` calls them. */
export function sending(lasting, onTryNow) {
  const status = element("p", { role: "status" });
  const again = button(SENDING.now, { class: "button", hidden: true }, () => {
    if (again.getAttribute("aria-disabled") !== "true") onTryNow();
  });
  const view = panel("outcome", SENDING.title,
    element("p", {}, SENDING.cleared),
    status, again, element("p", { class: "hint" }, lasting ? SENDING.lasting : SENDING.fleeting));

  function trying() {
    status.textContent = SENDING.trying;
    again.setAttribute("aria-disabled", "true");
  }
  function waiting({ seconds, reason, mayHurry }) {
    status.textContent = SENDING.waiting(SENDING[reason], seconds);
    again.hidden = false;
    again.setAttribute("aria-disabled", String(!mayHurry));
  }
  trying();
  return { ...view, trying, waiting };
}

/** After success: thanks, what was reported in words, and the bytes. */
export function thanks(definition, body, { repeated }, resultsUrl) {
  const { answers } = JSON.parse(body);
  const rows = definition.questions.map((question) =>
    [question.text, [element("td", { translate: "no" }, reported(question, answers[question.key]))]]);
  const hints = definition.questions.map((each) => READING[readBack(each, answers[each.key])[0]]?.(each.table));
  return panel("outcome", THANKS.title,
    quoted(definition.thanks),
    element("p", {}, repeated ? THANKS.repeated : THANKS.recorded),
    results(resultsUrl),
    element("p", {}, THANKS.differs[strengths(definition).all]),
    folding(THANKS.left,
      ...formAsked(definition),
      definition.questions.every(always) ? null : element("p", {}, THANKS.routed),
      table(THANKS.left, [THANKS.question, THANKS.reported], rows),
      ...[...new Set(hints.filter(Boolean))].map((sentence) => element("p", { class: "hint" }, sentence)),
      exactBytes(body)));
}

/** Which form was asked, and which of its answers were randomized together. */
function formAsked({ questions, form, of, joint }) {
  if (form === undefined) return [];
  const keys = joint?.keys ?? [];
  const some = questions.filter(({ key }) => keys.includes(key)).map(({ text }) => text);
  return [element("p", {}, THANKS.form(form + 1, of)),
    joint ? element("p", {}, THANKS.joint(some.length < questions.length ? some : [])) : null];
}

/** Above the thanks of a preview, where nothing was sent: a way back to the questions. */
export function previewed(onAgain) {
  return panel("previewed", PREVIEW.title, element("p", {}, PREVIEW.nothing),
    button(PREVIEW.again, { class: "button primary" }, onAgain));
}

/** After a definite no: why, and that nothing was recorded. */
export function refused({ status }, body) {
  return panel("outcome", REFUSED.title,
    element("p", {}, `${REFUSED[status] ?? REFUSED.fault} ${REFUSED.advice}`), element("p", {}, REFUSED.cleared),
    exactBytes(body));
}

/**
 * For a browser that has a receipt, perhaps of the same questions at another address. `onAnother` is called once the
 * explanation was confirmed.
 */
export function answered(definition, { outcome, status }, elsewhere, resultsUrl, onAnother) {
  const confirm = panel("another", ANSWERED.really,
    element("p", {}, ANSWERED.twice), button(ANSWERED.yes, { class: "button primary" }, onAnother));
  const folded = element("div", { id: "another-person", hidden: true }, confirm.node);
  const ask = button(ANSWERED.another,
    { class: "button", "aria-expanded": "false", "aria-controls": folded.id }, () => {
      folded.hidden = !folded.hidden;
      ask.setAttribute("aria-expanded", String(!folded.hidden));
      if (!folded.hidden) confirm.heading.focus();
    });
  const fate = element("p", {}, (elsewhere ? ANSWERED.elsewhere : "") + ANSWERED[`${outcome}Fate`]);
  const why = outcome === "refused" ? element("p", {}, `${REFUSED[status] ?? REFUSED.fault} ${REFUSED.advice}`) : null;
  return panel("outcome", ANSWERED[outcome], outcome === "recorded" ? quoted(definition.thanks) : null, fate,
    why, results(resultsUrl), ask, folded);
}

function results(url) {
  return url ? element("p", {}, element("a", { href: url }, THANKS.results)) : null;
}

/** A view with a title and paragraphs, given as text, or other nodes. */
export function notice(title, ...parts) {
  const paragraphs = parts.map((part) => (typeof part === "string" ? element("p", {}, part) : part));
  return panel("outcome", title, ...paragraphs);
}

/** One question's randomized value in words, as its mechanism reads it: {name: content} with one of these names. */
const FORMS = {
  option: (option) => option,
  near: (option) => option,
  step: (option) => option,
  marked: (options) => (options.length === 0 ? THANKS.unmarked : marks(THANKS.marked, options)),
  among: (options) => (options.length === 1 ? options[0] : marks(THANKS.among, options)),
  ticked: picked,
  picked,
  figures: (pairs) =>
    list(pairs.map(([option, number]) => [`${option} `, element("span", { class: "figure" }, minus(number))])),
  number: (number, unit) => amount(minus(number), unit),
  end: (number, unit) => amount(shown(number), unit),
};

function reported(question, value) {
  const [form, content] = readBack(question, value);
  return FORMS[form](content, question.unit);
}

function readBack(question, value) {
  return Object.entries(MECHANISMS[question.mechanism].read(question, value))[0];
}

function picked(pairs) {
  return marks(THANKS.picked, pairs.map(([item, answer]) =>
    THANKS.pair(item, typeof answer === "boolean" ? THANKS[answer ? "yes" : "no"] : answer)));
}

function marks(title, items) {
  return element("div", { class: "marks" }, title, list(items.map((item) => [item])));
}

function minus(number) {
  return shown(number).replace("-", "\u2212");
}

function list(items) {
  return element("ul", {}, ...items.map((children) => element("li", {}, ...children)));
}

function exactBytes(body) {
  return folding(THANKS.bytes(body.length), element("pre", { class: "bytes", translate: "no" }, body));
}

/** A folded part, which is open on paper. */
function folding(title, ...nodes) {
  const folded = element("details", {}, element("summary", {}, title), ...nodes);
  window.addEventListener("beforeprint", () => { folded.open = true; });
  return folded;
}
