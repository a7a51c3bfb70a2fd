// What a report can tell: said before the first question, and folded below it for an expert who checks this page, from
// its own pins and the verified definition.

import { oddsFactor, totalAlpha, totalDelta, totalFactor } from "./certificate.js";
import { button, element, panel } from "./dom.js";
import { MECHANISMS } from "./mechanisms.js";
import { decimal } from "./rules.js";
import { RESOLUTION } from "./uniform.js";
import { AUDIT, CONSENT, MECHANISMS as WORDS, ODDS, PROMISE } from "./words.js";

// Above these the page says that the protection is weak.
export const WEAK = { alpha: 4, total: 8 };

/** A factor of the certificate in words; beyond a million its digits say nothing more. */
function upTo(factor) {
  return factor.split(".")[0].length > 6 ? ODDS.million : ODDS.most(factor);
}

/** What oddsFactor says about one question, in words. */
export function within({ text, delta }) {
  return delta === null ? upTo(text) : ODDS.apart(upTo(text), oneIn(delta));
}

/** A small delta as "1 in 100,000": never a smaller chance than it is. */
function oneIn(delta) {
  return ODDS.oneIn(decimal("1") / decimal(delta));
}

// The promise ---------------------------------------------------------------------------------------------------------

/** The view {node, heading} that stands above the questions. */
export function promise(definition) {
  const delta = totalDelta(definition);
  const steps = PROMISE.journey.map(([what, where]) =>
    element("li", {}, element("strong", {}, what), " ", element("span", {}, where)));
  return panel("promise", PROMISE.title,
    element("p", {}, PROMISE.truthfully),
    element("ol", { class: "journey" }, ...steps),
    element("p", {}, PROMISE.never),
    element("h3", {}, PROMISE.limits),
    element("p", {}, PROMISE.guess),
    element("dl", { class: "limits" }, ...limits(definition)),
    delta === null ? null : element("p", {}, PROMISE.delta(oneIn(delta))),
    isWeak(definition) ? element("p", { class: "caution" }, PROMISE.weak) : null,
    element("p", { class: "hint" }, PROMISE.once));
}

/** What has to be agreed to before the questions; `onAgree` is called once it is. Whether it was is never sent. */
export function consent(words, onAgree) {
  const error = element("p", { id: "consent-error", class: "error", role: "alert" });
  const box = element("input", { type: "checkbox", id: "agreed", autocomplete: "off", "aria-describedby": error.id });
  const go = button(CONSENT.go, { class: "button primary" }, () => {
    if (box.checked) {
      onAgree();
      return;
    }
    error.textContent = CONSENT.missing;
    box.setAttribute("aria-invalid", "true");
    box.focus();
  });
  return panel("consent", CONSENT.title, element("p", { class: "text" }, words),
    element("label", { class: "agree" }, box, CONSENT.agree), error, go);
}

/** Where the protection is weak the whole factor may well be reached, so it is not said that this is seldom. */
function limits(definition) {
  const { questions } = definition;
  if (questions.length === 1) return [limit(PROMISE.byReport, largestFactor(questions))];
  const extreme = isWeak(definition) ? "" : PROMISE.extreme(questions.length);
  return [
    limit(PROMISE.byQuestion, largestFactor(questions)),
    limit(PROMISE.byAll, totalFactor(definition), extreme),
  ];
}

function largestFactor(questions) {
  const factors = questions.map((question) => oddsFactor(question).text);
  return factors.reduce((largest, text) => (Number(text) > Number(largest) ? text : largest));
}

function isWeak(definition) {
  return Number(totalAlpha(definition)) > WEAK.total ||
    definition.questions.some((question) => Number(question.alpha) > WEAK.alpha);
}

function limit(what, factor, more = "") {
  return element("div", { class: "limit" }, element("dt", {}, what),
    element("dd", {}, element("strong", {}, upTo(factor)), element("span", {}, example(Number(factor)) + more)));
}

/** Even odds multiplied by the factor, rounded up: never a promise too strong. */
function example(factor) {
  const likely = Math.ceil((1000 * factor) / (1 + factor)) / 10;
  return likely >= 100 ? PROMISE.certain : PROMISE.likely(likely);
}

// The audit -----------------------------------------------------------------------------------------------------------

/** A folded <details> with digest, the table of every question and the files, a list of {name, integrity}. */
export function audit(definition, digest, definitionUrl, files) {
  const link = element("a", { href: definitionUrl, target: "_blank", rel: "noopener noreferrer" }, AUDIT.definition);
  return element("details", { class: "audit" },
    element("summary", {}, AUDIT.title),
    element("h2", {}, AUDIT.questions),
    element("p", {}, AUDIT.checked),
    element("p", { class: "fingerprint" }, digest),
    element("p", {}, link),
    element("p", {}, total(definition)),
    ...definition.questions.map(tableOf),
    element("h2", {}, AUDIT.files),
    element("p", {}, AUDIT.order),
    element("ul", {}, ...files.map(({ name, integrity }) =>
      element("li", {}, name, element("p", { class: "fingerprint" }, integrity)))));
}

function total(definition) {
  const delta = totalDelta(definition);
  return AUDIT.total(AUDIT.strength(totalAlpha(definition), delta), within({ text: totalFactor(definition), delta }));
}

function tableOf(question) {
  const { text, alpha, delta, mechanism, table } = question;
  const { entries } = MECHANISMS[mechanism];
  return element("section", { class: "table" },
    element("h3", {}, text),
    element("dl", {},
      element("dt", {}, AUDIT.guarantee),
      element("dd", {}, AUDIT.kept(AUDIT.strength(alpha, delta), within(oddsFactor(question)))),
      element("dt", {}, AUDIT.mechanism),
      element("dd", {}, WORDS[mechanism].method),
      ...Object.entries(table).flatMap(([name, value]) => entry(name, LINES[entries[name].shows](value)))));
}

function entry(name, lines) {
  const items = lines.map((line) => element("li", { class: "fingerprint" }, line));
  return [element("dt", {}, AUDIT.entry(name)), element("dd", {}, element("ul", {}, ...items))];
}

/** The lines for an entry of a table: its integers, each with the chance it stands for; of rows and noise alone. */
const LINES = {
  counts: (value) => [String(value)],
  chances: (value) => [value].flat().map((threshold) => AUDIT.chance(threshold, percent(threshold))),
  integers: (value) => [value.join(", ")],
  rows: (value) => value.map((row, index) => `${index}: ${row.join(", ")}`),
};

function percent(threshold) {
  return Number(((100 * threshold) / RESOLUTION).toPrecision(4));
}
