// What a report can tell, said before the first question: in four steps of strength and as one belief; the strength stays in
// view as long as questions are asked. Which sentence is said follows from the strength: where protection is weak, none asks
// for trust. beliefs.js says the rest, once somebody unfolds it.

import { totalAlpha, totalDelta, totalFactor } from "./certificate.js";
import { element, panel, shaped } from "./dom.js";
import { belief, oneIn } from "./exact.js";
import { later } from "./later.js";
import { MECHANISMS, valuesOf } from "./mechanisms.js";
import { always } from "./routing.js";
import { RESOLUTION } from "./uniform.js";
import { BY, FORM, FREQUENCIES, ODDS, PROMISE, SELDOM, shown, STRENGTH } from "./words.js";

// Up to each of these alphas protection is a step better than beyond it: of one question, and of all together. The
// server has the same (ldp/strength.py).
export const STRENGTHS = { question: [1, 2, 4], survey: [1, 2, 8] };
const PRIOR = 20;
// What 100 reports are said to name, where it is not an option.
const NAMED = { multiple_choice: "item", grid: "item", mean: "number" };

// Whose words are whose -----------------------------------------------------------------------------------------------

/** The mark of the page's own statements, which no text of a survey can have. */
function own() {
  return element("span", { class: "by" }, BY.page);
}

/** A text of the survey's authors, marked as theirs; null where there is none. */
export function quoted(words) {
  if (!words) return null;
  return element("blockquote", {}, element("span", { class: "by" }, BY.survey),
    shaped(element("p", { class: "text" }, words)));
}

// The strength: 0 to 3, the strongest first ---------------------------------------------------------------------------

export function beyond(alpha, thresholds) {
  return thresholds.filter((threshold) => Number(alpha) > threshold).length;
}

/** Of the least protected question by itself, and of all: as weak as their total, and no stronger than any of them. */
export function strengths(definition) {
  const one = Math.max(...definition.questions.map(({ alpha }) => beyond(alpha, STRENGTHS.question)));
  return { one, all: Math.max(one, beyond(totalAlpha(definition), STRENGTHS.survey)) };
}

/** The text that holds for a step: the first one for the two strongest. */
export function forStrength(texts, step) {
  return texts[Math.max(0, step - 1)];
}

/** A step as a word, a colour and a shape: the fewer bars, the less. */
export function strength(step) {
  const bars = [0, 1, 2, 3].map((i) => `M${7 * i} ${15 - 4 * i}h5v${5 + 4 * i}h-5z`);
  return element("strong", { class: `strength step-${step}` },
    element("svg", { viewBox: "-1 -1 28 22", "aria-hidden": "true" },
      element("path", { class: "told", d: bars.slice(0, 4 - step).join("") }),
      element("path", { d: bars.slice(4 - step).join("") })),
    STRENGTH[step].title);
}

// The example -------------------------------------------------------------------------------------------------------

/**
 * The question that stands for most: of those whose alpha most questions have, the first that is put most simply, and
 * asked of everybody where one is.
 */
export function typical({ questions }) {
  const rank = (question) => questions.filter((other) => alike(question, other)).length +
    (question.table?.sample || question.low ? 0 : 0.5) + (always(question) ? 0.25 : 0);
  return questions.reduce((best, each) => (rank(each) > rank(best) ? each : best));
}

function alike(question, other) {
  return question.alpha === other.alpha && question.delta === other.delta;
}

/** What a report of the question says, of 100 people who answer alike and of 100 others. */
export function ofHundred(question) {
  const { mechanism, table } = question;
  const shares = MECHANISMS[mechanism].speaks(table, valuesOf(question)).map((chance) => Math.round(100 * chance));
  const named = question.steps ? "step" : NAMED[question.kind] ?? "option";
  const texts = SELDOM?.[question.kind]?.speaks ?? FREQUENCIES[named];
  return shares.map((share, i) => ({ share, text: texts[i](share) }));
}

/**
 * Above the options of a question, what holds for it: where its alpha is not that of the others, or it is not drawn alone;
 * with the first one also that there was a lot.
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

/** Of some questions the first that is asked of everybody who gets them. */
function first(questions) {
  return questions.find(always) ?? questions[0];
}

/**
 * What becomes of answers that are randomized together, said with the first of them that everybody is asked; with the
 * others only where not all are.
 */
function allOrNone({ questions, parts }, question) {
  const part = parts.find((each) => each.questions.includes(question));
  const { length } = part.questions;
  if (length === 1) return "";
  if (question === first(part.questions)) return kept(part, length < questions.length ? length : null);
  return length < questions.length ? FORM.together(length) : "";
}

/** Of randomized response, what becomes of so many answers, null where of all. */
export function kept({ table: { keep, sizes } }, count) {
  return FORM.kept(count, shown(percentKept(keep)), sizes.some((size) => size > 1));
}

/** The chance in percent, with so many digits that it is never 0 or 100. */
export function percentKept(keep) {
  const chance = keep / RESOLUTION;
  const digits = Math.max(0, -Math.floor(Math.log10(100 * Math.min(chance, 1 - chance))));
  return Number((100 * chance).toFixed(digits));
}

export function sentences(question) {
  return ofHundred(question).map(({ text }) => text).join(" ");
}

// The promise ---------------------------------------------------------------------------------------------------------

/** The view {node, heading, bar} that stands above the questions, with a node that stands in it and nodes that it folds. */
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

/** The strength alone, which stays in view. */
export function standing(definition) {
  return element("p", { class: "standing" }, strength(strengths(definition).all));
}

/** How far a report moves a guess whose odds it changes by a factor of `most` at most, in the words of PROMISE or BELIEFS. */
export function believed(most, words = PROMISE) {
  const [low, high] = belief(PRIOR, most);
  return high < 100 ? words.belief(PRIOR, high, low) : PROMISE.certain(PRIOR);
}

/** What alpha leaves out where there is a delta. */
export function apart(delta) {
  return delta === null ? "" : PROMISE.apart(ODDS.oneIn(oneIn(delta)));
}
