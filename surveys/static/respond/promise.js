// What a report can tell, said before the first question: in four steps of strength, in frequencies and in beliefs. And
// what has to be agreed to.

import { factor, totalAlpha, totalDelta, totalFactor } from "./certificate.js";
import { button, element, panel } from "./dom.js";
import { belief, oneIn } from "./exact.js";
import { MECHANISMS } from "./mechanisms.js";
import { always } from "./routing.js";
import { CONSENT, frequencies, ODDS, PROMISE, shown, STRENGTH } from "./words.js";

// Up to each of these alphas protection is a step better than beyond it: of one question, and of all together. The
// server has the same (ldp/strength.py).
export const STRENGTHS = { question: [1, 2, 4], survey: [2, 4, 8] };
const PRIORS = [5, 20, 50];
const PRIOR = 20;

// The strength: 0 to 3, the strongest first ---------------------------------------------------------------------------

export function beyond(alpha, thresholds) {
  return thresholds.filter((threshold) => Number(alpha) > threshold).length;
}

/** Of the least protected question by itself, and of all: as weak as their total, and no stronger than any of them. */
export function strengths(definition) {
  const one = Math.max(...definition.questions.map(({ alpha }) => beyond(alpha, STRENGTHS.question)));
  return { one, all: Math.max(one, beyond(totalAlpha(definition), STRENGTHS.survey)) };
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
function typical({ questions }) {
  const rank = (question) => questions.filter((other) => alike(question, other)).length +
    (["mean", "multiple_choice", "grid"].includes(question.kind) ? 0 : 0.5) + (always(question) ? 0.25 : 0);
  return questions.reduce((best, each) => (rank(each) > rank(best) ? each : best));
}

function alike(question, other) {
  return question.alpha === other.alpha && question.delta === other.delta;
}

/** What a report of the question says, of 100 people who answer alike and of 100 others. */
function ofHundred(question) {
  const shares = MECHANISMS[question.mechanism].speaks(question).map((chance) => Math.round(100 * chance));
  return shares.map((share, i) => ({ share, text: frequencies(question.kind)[i](share) }));
}

/** Beside a question whose alpha is not that of the others: what holds for it. */
export function ownLine(definition, question) {
  if (alike(question, typical(definition))) return null;
  return element("p", { class: "protection" }, strength(beyond(question.alpha, STRENGTHS.question)), " ",
    ofHundred(question).map(({ text }) => text).join(" ") + apart(question.delta ?? null));
}

/** 10 by 10, so many of them full, from the bottom up. */
function icons(count) {
  const squares = Array.from({ length: 100 }, (_, i) => `M${10 * (i % 10)} ${90 - 10 * Math.floor(i / 10)}h7v7h-7z`);
  return element("svg", { viewBox: "-1 -1 99 99", "aria-hidden": "true" },
    element("path", { class: "told", d: squares.slice(0, count).join("") }),
    element("path", { d: squares.slice(count).join("") }));
}

// The promise ---------------------------------------------------------------------------------------------------------

/** The view {node, heading} that stands above the questions. */
export function promise(definition) {
  const { questions } = definition;
  const question = typical(definition);
  const number = questions.filter(always).indexOf(question) + 1; // as long as nothing was answered
  const { one, all } = strengths(definition);
  const pictures = ofHundred(question).map(({ share, text }) =>
    element("figure", {}, icons(share), element("figcaption", {}, text)));
  return panel("promise", PROMISE.title,
    element("p", {}, strength(all), one < all ? PROMISE.together(questions.length, STRENGTH[one].name) : ""),
    all < 2 ? null : element("p", { class: "caution" }, PROMISE.cautions[all === 2 ? "weak" : one > 2 ? "one" : "all"]),
    element("p", {}, PROMISE.truthfully),
    questions.length > 1 && number > 0 ? element("p", { class: "hint" }, PROMISE.example(number)) : null,
    element("div", { class: "hundreds" }, ...pictures),
    element("p", {}, PROMISE.either, " ", believed(question)),
    element("details", {}, element("summary", {}, PROMISE.more), ...folded(definition)));
}

function believed(question) {
  const [low, high] = belief(PRIOR, factor(question));
  return (low > 0 || high < 100 ? PROMISE.belief(PRIOR, low, high) : PROMISE.certain) + apart(question.delta ?? null);
}

function apart(delta) {
  return delta === null ? "" : PROMISE.apart(ODDS.oneIn(oneIn(delta)));
}

/** Who could learn what, what would weaken it, and the beliefs after one question and after all. */
function folded(definition) {
  const { questions } = definition;
  const largest = questions.map(factor).reduce(([a, b], [c, e]) => (c * b > a * e ? [c, e] : [a, b]));
  const factors = [largest, ...(questions.length > 1 ? [totalFactor(definition)] : [])];
  const rows = PRIORS.map((prior) => element("tr", {}, element("th", { scope: "row" }, shown(prior)),
    ...factors.map((each) => element("td", {}, PROMISE.between(...belief(prior, each))))));
  return [
    element("dl", {}, ...PROMISE.who.flatMap(([who, what]) => [element("dt", {}, who), element("dd", {}, what)])),
    element("p", {}, PROMISE.weaker),
    element("table", {}, element("caption", {}, PROMISE.guesses + apart(totalDelta(definition))),
      element("thead", {}, element("tr", {}, ...PROMISE.columns.slice(0, factors.length + 1).map((name) =>
        element("th", { scope: "col" }, name)))),
      element("tbody", {}, ...rows)),
  ];
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
