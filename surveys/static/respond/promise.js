// The promise before the first question: how much a report can reveal, in four steps of strength and as one belief. The
// strength stays visible during the questions and decides on the sentences: with weak protection, none asks for trust.
// beliefs.js has the rest, in a folded part.

import { totalAlpha, totalDelta, totalFactor } from "./certificate.js";
import { element, panel, shaped } from "./dom.js";
import { belief, oneIn } from "./exact.js";
import { later } from "./later.js";
import { MECHANISMS, valuesOf } from "./mechanisms.js";
import { always } from "./routing.js";
import { RESOLUTION } from "./uniform.js";
import { BY, FORM, FREQUENCIES, ODDS, PROMISE, SELDOM, shown, STRENGTH } from "./words.js";

// The largest alphas of the steps of strength, for one question and for all together (as in ldp/strength.py).
export const STRENGTHS = { question: [1, 2, 4], survey: [1, 2, 8] };
const PRIOR = 20;
// The texts on 100 reports for kinds that have no single option.
const NAMED = { multiple_choice: "item", grid: "item", mean: "number" };

// Marks of texts -----------------------------------------------------------------------------------------------------

/** Return the mark of the page's own statements, which no survey's text can have. */
function own() {
  return element("span", { class: "by" }, BY.page);
}

/** Return a text of the survey's authors, marked as theirs; null if there is none. */
export function quoted(words) {
  if (!words) return null;
  return element("blockquote", {}, element("span", { class: "by" }, BY.survey),
    shaped(element("p", { class: "text" }, words)));
}

// The strength: 0 to 3, the strongest first ---------------------------------------------------------------------------

export function beyond(alpha, thresholds) {
  return thresholds.filter((threshold) => Number(alpha) > threshold).length;
}

/** Return the steps of the least protected question, and of all together, which is no stronger. */
export function strengths(definition) {
  const one = Math.max(...definition.questions.map(({ alpha }) => beyond(alpha, STRENGTHS.question)));
  return { one, all: Math.max(one, beyond(totalAlpha(definition), STRENGTHS.survey)) };
}

/** Return the text for a step: the first one for the two strongest. */
export function forStrength(texts, step) {
  return texts[Math.max(0, step - 1)];
}

/** Return a step as a word, a colour and a shape: fewer bars for less strength. */
export function strength(step) {
  const bars = [0, 1, 2, 3].map((i) => `M${7 * i} ${15 - 4 * i}h5v${5 + 4 * i}h-5z`);
  return element("strong", { class: `strength step-${step}` },
    element("svg", { viewBox: "-1 -1 28 22", "aria-hidden": "true" },
      element("path", { class: "full", d: bars.slice(0, 4 - step).join("") }),
      element("path", { d: bars.slice(4 - step).join("") })),
    STRENGTH[step].title);
}

// The example -------------------------------------------------------------------------------------------------------

/**
 * Return the typical question: among those with the most common alpha, the first of the simplest, preferably without
 * conditions.
 */
export function typical({ questions }) {
  const rank = (question) => questions.filter((other) => alike(question, other)).length +
    (question.table?.sample || question.low ? 0 : 0.5) + (always(question) ? 0.25 : 0);
  return questions.reduce((best, each) => (rank(each) > rank(best) ? each : best));
}

function alike(question, other) {
  return question.alpha === other.alpha && question.delta === other.delta;
}

/** Return what reports say about the question, for 100 people with the same answer and for 100 others. */
export function ofHundred(question) {
  const { mechanism, table } = question;
  const shares = MECHANISMS[mechanism].speaks(table, valuesOf(question)).map((chance) => Math.round(100 * chance));
  const named = question.steps ? "step" : NAMED[question.kind] ?? "option";
  const texts = SELDOM?.[question.kind]?.speaks ?? FREQUENCIES[named];
  return shares.map((share, i) => ({ share, text: texts[i](share) }));
}

/**
 * Return the line above a question's options, if its alpha differs from others' or it is drawn with others. The first
 * question also mentions the lot.
 */
export function ownLine(definition, question) {
  const { questions, form } = definition;
  const lot = form !== undefined && question === first(questions) ? `${FORM.lot} ` : "";
  const together = allOrNone(definition, question);
  const differs = !alike(question, typical(definition));
  if (!lot && !together && !differs) return null;
  const said = ` ${sentences(question)}${apart(question.delta ?? null)} `;
  return element("p", { class: "protection" }, own(), lot,
    ...(differs ? [strength(beyond(question.alpha, STRENGTHS.question)), said] : []), together);
}

/** Return the first question without conditions, else the first. */
function first(questions) {
  return questions.find(always) ?? questions[0];
}

/**
 * Return the text on jointly randomized answers, for the first of them without conditions; for the others only if there
 * are further questions.
 */
function allOrNone({ questions, parts }, question) {
  const part = parts.find((each) => each.questions.includes(question));
  const { length } = part.questions;
  if (length === 1) return "";
  if (question === first(part.questions)) return kept(part, length < questions.length ? length : null);
  return length < questions.length ? FORM.together(length) : "";
}

/** Return the text on randomized response of `count` answers, null for all. */
export function kept({ table: { keep, sizes } }, count) {
  return FORM.kept(count, shown(percentKept(keep)), sizes.some((size) => (size[1] ?? size) > 1)) + fewOf(sizes);
}

/** Return the sentence that some entries of lists are drawn, if a draw has such sizes. */
export function fewOf(sizes) {
  return sizes.some((size) => size.length) ? ` ${FORM.few}` : "";
}

/** Return the chance in percent, with enough digits not to be 0 or 100. */
export function percentKept(keep) {
  const chance = keep / RESOLUTION;
  const digits = Math.max(0, -Math.floor(Math.log10(100 * Math.min(chance, 1 - chance))));
  return Number((100 * chance).toFixed(digits));
}

export function sentences(question) {
  return ofHundred(question).map(({ text }) => text).join(" ");
}

// The promise ---------------------------------------------------------------------------------------------------------

/** Return the view {node, heading, bar} above the questions, with `beside` in it and `folded` in its folded part. */
export function promise(definition, beside = null, folded = []) {
  const { all } = strengths(definition);
  const view = panel("promise", forStrength(PROMISE.titles, all),
    element("p", {}, strength(all)),
    element("p", {}, believed(totalFactor(definition)) + apart(totalDelta(definition))),
    all < 2 ? null : element("p", { class: "caution" }, PROMISE.cautions[all - 2]),
    beside,
    later(PROMISE.more, "beliefs.js", ({ beliefs }) => beliefs(definition, folded), null));
  view.node.classList.add("own");
  view.node.prepend(own());
  return { ...view, bar: [] };
}

/** Return the strength alone, which stays visible. */
export function standing(definition) {
  return element("p", { class: "standing" }, strength(strengths(definition).all));
}

/** Return how far a report moves a guess if it changes the odds by at most `most`, in the words of PROMISE or BELIEFS. */
export function believed(most, words = PROMISE) {
  const [low, high] = belief(PRIOR, most);
  return high < 100 ? words.belief(PRIOR, high, low) : PROMISE.certain(PRIOR);
}

/** Return the sentence on delta, if there is one. */
export function apart(delta) {
  return delta === null ? "" : PROMISE.apart(ODDS.oneIn(oneIn(delta)));
}
