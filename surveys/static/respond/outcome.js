// Views after a report is made, or when no questions are asked. Nothing here knows an answer: all follows from the
// report and the server's reply, so it is the same for any two answers with the same report.

import { button, element, panel, table } from "./dom.js";
import { locale } from "./language.js";
import { tongue } from "./link.js";
import { notice } from "./notice.js";
import { fewOf, forStrength, quoted, strengths } from "./promise.js";
import { always } from "./routing.js";
import { amount, ANSWERED, CHOOSING, NOT_ASKED, PROBLEMS, READING, REFUSED, SENDING, shown, STOPPED, THANKS } from "./words.js";

const framed = self !== top;
// Features that certify uses and some browsers lack.
const NEEDED = [
  ...["at", "flat", "flatMap", "includes", "find", "findIndex"].map((name) => `Array.prototype.${name}`),
  ...["at", "includes", "matchAll", "normalize", "padStart", "padEnd"].map((name) => `String.prototype.${name}`),
  ...["entries", "fromEntries", "hasOwn", "values"].map((name) => `Object.${name}`),
  ...["Array.from", "Number.isInteger", "Number.isSafeInteger", "BigInt", "Set", "Map", "WeakMap", "TextDecoder"],
];
// Problems with which a definition would protect less than it states.
const WEAKER = ["gap", "weak"];

/** Return the view after success: thanks, the report in words, and its bytes. */
export function thanks(definition, body, { repeated }, resultsUrl) {
  const { answers, signature } = JSON.parse(body);
  const rows = definition.questions.map((question) =>
    [question.text, [element("td", { translate: "no" }, reported(question, answers[question.key]))]]);
  const hints = definition.questions.map((each) => READING[readBack(each, answers[each.key])[0]]?.(each.table));
  return panel("outcome", SENDING.thanks,
    quoted(definition.thanks),
    element("p", {}, repeated ? THANKS.repeated : SENDING.recorded),
    ...completion(definition),
    results(resultsUrl),
    element("p", {}, forStrength(THANKS.differs, strengths(definition).all)),
    folding(THANKS.left,
      ...formAsked(definition),
      definition.questions.every(always) ? null : element("p", {}, THANKS.routed),
      signature === undefined ? null : element("p", {}, THANKS.signed),
      table(THANKS.left, [THANKS.question, THANKS.reported], rows),
      ...[...new Set(hints.filter(Boolean))].map((sentence) => element("p", { class: "hint" }, sentence)),
      exactBytes(body)));
}

/**
 * Return nodes for people who were sent here by another site: the completion code and the link back, both constant in
 * the definition. Nothing is filled in, and the page does not leave by itself. The link is inactive in a preview's
 * frame; in another site's frame it opens in the whole window.
 */
function completion({ completion_code: code, return_link: link }) {
  if (!code && !link) return [];
  const shownCode = element("strong", { class: "fingerprint", translate: "no" }, code ?? "");
  const copied = element("span", { role: "status" });
  const copy = async () => {
    // If the browser forbids writing to the clipboard, the person can copy the selection.
    getSelection().selectAllChildren(shownCode);
    const done = await navigator.clipboard.writeText(code).then(() => true, () => false);
    copied.textContent = done ? ` ${THANKS.copied}` : "";
  };
  const [, , host] = (link ?? "").split("/");
  const { draft } = document.querySelector("main").dataset;
  const way = { href: !(framed && draft) && link, target: framed && "_top", rel: "noreferrer noopener" };
  return [
    code ? element("p", {}, THANKS.code, shownCode) : null,
    code ? element("p", {}, button(THANKS.copy, { class: "button" }, copy), copied) : null,
    link ? element("p", {}, element("a", { class: "button primary", ...way }, THANKS.back(host))) : null,
    element("p", { class: "hint" }, THANKS.same)];
}

/** Return nodes on the form and on answers that were randomized together. */
function formAsked({ questions, parts, form, of }) {
  const several = parts.filter((part) => part.questions.length > 1);
  return [form === undefined ? null : element("p", {}, THANKS.form(form + 1, of)),
    ...several.map(({ questions: own, table: { sizes } }) => element("p", {},
      THANKS.together(own.length < questions.length ? own.map(({ text }) => text) : []) + fewOf(sizes)))];
}

/** Return the view after a final refusal: the reason, and that nothing was recorded. */
export function refused({ status }, body) {
  return panel("outcome", REFUSED.title,
    element("p", {}, `${REFUSED[status] ?? REFUSED.fault} ${REFUSED.advice}`), element("p", {}, REFUSED.cleared),
    exactBytes(body));
}

/**
 * Return the view for a browser with a receipt, perhaps for the same questions at another link. `onAnother` is called
 * after the person confirms the explanation; null if the report used this page's link.
 */
export function answered(definition, record, { slug, earlier }, resultsUrl, onAnother) {
  const { outcome, status } = record;
  const where = earlier?.includes(record.slug) ? "older" : record.slug !== slug && "elsewhere";
  const fate = element("p", {}, (ANSWERED[where] ?? "") + ANSWERED[`${outcome}Fate`]);
  const why = outcome === "refused" ? element("p", {}, `${REFUSED[status] ?? REFUSED.fault} ${REFUSED.advice}`) : null;
  const [thanked, back] = outcome === "recorded" ? [quoted(definition.thanks), completion(definition)] : [null, []];
  return panel("outcome", onAnother ? ANSWERED[outcome] : ANSWERED.used, thanked, fate, why, ...back, results(resultsUrl),
    ...(onAnother ? another(where, onAnother) : [element("p", {}, ANSWERED.single)]));
}

/** Return a button that unfolds what another person, or one who also answers a newer version, has to confirm. */
function another(where, onAnother) {
  const [offer, title, cost, yes] = where === "older"
    ? [ANSWERED.again, ANSWERED.both, ANSWERED.sum, ANSWERED.again]
    : [ANSWERED.another, ANSWERED.really, ANSWERED.twice, ANSWERED.yes];
  const confirm = panel("another", title,
    element("p", {}, cost), button(yes, { class: "button primary" }, onAnother));
  const folded = element("div", { id: "another-person", hidden: true }, confirm.node);
  const ask = button(offer,
    { class: "button", "aria-expanded": "false", "aria-controls": folded.id }, () => {
      folded.hidden = !folded.hidden;
      ask.setAttribute("aria-expanded", String(!folded.hidden));
      if (!folded.hidden) confirm.heading.focus();
    });
  return [ask, folded];
}

/** Go to the newer version to which the link leads. */
export function led(newer) {
  history.replaceState(null, "", `#${[newer, tongue].filter(Boolean).join("/")}`);
  location.reload();
}

function results(url) {
  return url ? element("p", {}, element("a", { href: url, target: framed && "_blank" }, THANKS.results)) : null;
}

export function closed(resultsUrl) {
  return notice(NOT_ASKED.closed, NOT_ASKED.closedWhy, results(resultsUrl));
}

export function early(begins) {
  return notice(NOT_ASKED.early, NOT_ASKED.earlyWhy(localTime(begins)));
}

/** Return a moment in the reader's local time. */
export function localTime(moment) {
  return new Date(moment).toLocaleString(locale(), { dateStyle: "long", timeStyle: "short" });
}

/** Return the view for a survey that is open in another tab; onHere is called if the person wants to answer here. */
export function askedElsewhere(onHere) {
  return notice(NOT_ASKED.elsewhere, NOT_ASKED.elsewhereWhy, button(NOT_ASKED.here, { class: "button" }, onHere));
}

/** Return the view for a browser whose storage fails; onFirst is called if the person has not answered yet. */
export function unknown(onAgain, onFirst) {
  return notice(NOT_ASKED.unknown, NOT_ASKED.unknownWhy,
    button(STOPPED.again, { class: "button primary" }, onAgain), button(NOT_ASKED.first, { class: "button" }, onFirst));
}

/** Return the view for a browser whose random numbers repeat. */
export function chance() {
  return notice(NOT_ASKED.chance, NOT_ASKED.chanceWhy);
}

/** Return the view for a page that someone on the network could change. */
export function insecure() {
  return notice(NOT_ASKED.insecure, NOT_ASKED.insecureWhy);
}

/** Return the view of a definition's problem. If certify cannot run, the browser is at fault. */
export function unsound(problem, sent) {
  const { reason } = problem;
  const lacking = NEEDED.find((name) => !name.split(".").reduce((whole, part) => whole?.[part], window));
  if (lacking) return notice(NOT_ASKED.old, NOT_ASKED.oldWhy(lacking), STOPPED[sent]);
  const weaker = WEAKER.includes(reason) ? [NOT_ASKED.weaker] : [];
  return notice(NOT_ASKED.refusal, PROBLEMS[reason](problem), ...weaker, NOT_ASKED.noQuestion, STOPPED[sent]);
}

// How each mechanism's report is read: (question, value) => {form: content}, with a form of FORMS.
const READ = {
  randomized_response: ({ options }, value) => namedOf(options, value),
  bitwise: ({ options }, value) => ({ marked: options.filter((_, index) => value[index] === "1") }),
  laplace: figures,
  osgt: figures,
  gaussian: figures,
  exponential: ({ options }, value) => ({ near: options[value] }),
  laplace_mean: gridStep,
  one_bit: ({ low, high, steps }, [bit]) => (steps ? { step: steps.at(-bit) } : { end: bit === 1 ? high : low }),
  multiple: ({ options }, value) => ({ ticked: value.map(([item, bit]) => [options[item], bit === 1]) }),
  ranking: inOrder,
  grid: ({ items, options }, value) =>
    ({ picked: value.map(([item, named]) => [items[item], named.map((index) => options[index]).join(" / ")]) }),
};

// The items of a report in order: each is ahead of one item fewer than the previous item.
function inOrder({ ranked }, value) {
  const pairs = ranked.flatMap((one, i) => ranked.slice(i + 1).map((other) => [one, other]));
  const before = value.map(([place, bit]) => pairs[place].at(bit - 1));
  const named = [...new Set(value.flatMap(([place]) => pairs[place]))];
  const ahead = (item) => before.filter((each) => each === item).length;
  return { paired: named.sort((one, other) => ahead(other) - ahead(one)) };
}

function namedOf(options, [first, ...others]) {
  return others.length > 0 ? { among: [first, ...others].map((index) => options[index]) } : { option: options[first] };
}

function figures({ options }, value) {
  return { figures: options.map((each, index) => [each, value[index]]) };
}

function gridStep({ low, high, table: { rows } }, value) {
  const number = Number(low) + ((Number(high) - Number(low)) * value) / (rows.length - 1);
  return { number: Number(number.toPrecision(6)) };
}

/** Return the reading of a question's value in a report: [form, content], with a form of FORMS. */
export function readBack(question, value) {
  return Object.entries(READ[question.mechanism](question, value))[0];
}

// The readings in words.
const FORMS = {
  option: (option) => option,
  near: (option) => option,
  step: (option) => option,
  marked: (options) => (options.length === 0 ? THANKS.unmarked : marks(THANKS.marked, options)),
  among: (options) => marks(THANKS.among, options),
  ticked: picked,
  paired: (items) => items.join(" > "),
  picked,
  figures: (pairs) =>
    list(pairs.map(([option, number]) => [`${option} `, element("span", { class: "figure" }, minus(number))])),
  number: (number, unit) => amount(minus(number), unit),
  end: (number, unit) => amount(shown(number), unit),
};

function reported(question, value) {
  const [form, content] = readBack(unbroken(question), value);
  return FORMS[form](content, question.unit);
}

/** Return the question with dates that do not break across lines. */
function unbroken(question) {
  const options = question.dates && question.options.map((each) => each.replace(/-/g, "-\u2060"));
  return options ? { ...question, options } : question;
}

function picked(pairs) {
  return marks(THANKS.picked, pairs.map(([item, answer]) =>
    CHOOSING.pair(item, typeof answer === "boolean" ? THANKS[answer ? "yes" : "no"] : answer)));
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

/** Return a folded part, which opens for printing. */
function folding(title, ...nodes) {
  const folded = element("details", {}, element("summary", {}, title), ...nodes);
  window.addEventListener("beforeprint", () => { folded.open = true; });
  return folded;
}
