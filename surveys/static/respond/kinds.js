// The kinds of questions, each with its rules for definitions and for answers. fields.js has their controls.

import { gridPoint } from "./exact.js";
import { MECHANISMS, TOGETHER } from "./mechanisms.js";
import { decimal, differentTexts, increasing, LIMITS, must, shortest, text } from "./rules.js";

// Return the number of options without a last "Prefer not to say".
function asked({ options, prefer_not_to_say: refusable }) {
  differentTexts(options, LIMITS.categories);
  const count = options.length - (refusable ? 1 : 0);
  must(count >= 2);
  return count;
}

function isCategory({ options }, answer) {
  return isIndex(options, answer);
}

function isIndex(list, answer) {
  return Number.isInteger(answer) && answer >= 0 && answer < list.length;
}

function isList(answer, length, fits) {
  return Array.isArray(answer) && answer.length === length && Array.from(answer).every(fits);
}

// Return the bin of a number, a decimal string: [edge i, edge i+1). Numbers beyond the outer edges are in the outer bins.
function bin({ edges }, number) {
  return edges.slice(1, -1).filter((edge) => decimal(edge) <= decimal(number)).length;
}

// Return labels of bins. Those of the outer bins include numbers beyond.
function bins({ edges }, { under, between, orMore }) {
  const inner = edges.slice(1, -1).map(shortest);
  return [under(inner[0]), ...inner.slice(1).map((high, i) => between(inner[i], high)), orMore(inner.at(-1))];
}

// Return the grid point of an answer. Steps of a scale are evenly spaced.
function onGrid({ mechanism, table, low, high, steps }, answer, uniform) {
  const [number, from, to] = steps ? [answer, 0, steps.length - 1].map(String) : [answer, low, high];
  return gridPoint(number, from, to, MECHANISMS[mechanism].steps(table), uniform);
}

// One of the options, by its index.
const CHOICE = {
  own: ["options"],
  texts: ["options"],
  gives: ["option"],
  rule: asked,
  isAnswer: isCategory,
  encoded: (question, answer) => answer,
  filler: ({ options }) => options.length - 1,
};

// own: the fields that only this kind has; more: those that only some of its questions have; texts: those of `own` that
// each language of a survey translates; ownOptions(question, own): options that the page names, in a language's words
// (`own`); gives: what its answers are, for mechanisms that take one of these; rule(question): the rule of its own fields;
// isAnswer(question, answer); encoded(question, answer, uniform): the input of its mechanism; filler(question): the answer
// that is randomized if the question was not asked. For kinds with a number also ends(question): the ends of its range and
// groups, the lowest first; answerOf(question, number): the answer for a decimal string. For kinds that can be randomized
// together with others, alone: the mechanism of one answer's own channel.
export const KINDS = {
  yes_no: {
    ...CHOICE,
    alone: TOGETHER,
    texts: [],
    ownOptions: (question, { yes, no }) => [yes, no],
    rule: (question) => must(asked(question) === 2),
  },
  single_choice: { ...CHOICE, alone: TOGETHER },
  ordered: { ...CHOICE, gives: ["option", "step"], alone: TOGETHER },
  multiple_choice: {
    ...CHOICE,
    more: ["exclusive"],
    gives: ["options"],
    alone: "multiple",
    rule(question) {
      const { exclusive = 0 } = question;
      must(Number.isInteger(exclusive) && exclusive >= 0 && exclusive < asked(question));
    },
    isAnswer: ({ options }, answer) => isList(answer, options.length, (value) => typeof value === "boolean"),
    filler: ({ options }) => options.map(() => false),
  },
  grid: {
    ...CHOICE,
    own: ["items", "options"],
    texts: ["items", "options"],
    gives: ["items"],
    alone: "grid",
    rule(question) {
      asked(question);
      differentTexts(question.items, LIMITS.items);
    },
    isAnswer: (question, answer) => isList(answer, question.items.length, (value) => isCategory(question, value)),
    filler: ({ items, options }) => items.map(() => options.length - 1),
  },
  histogram: {
    ...CHOICE,
    own: ["edges", "options", "unit"],
    more: ["limits"],
    texts: ["unit"],
    ownOptions: bins,
    gives: ["option", "bins"],
    alone: TOGETHER,
    rule(question) {
      increasing(question.edges);
      text(question.unit, LIMITS.unit, true);
      must(asked(question) === question.edges.length - 1);
    },
    ends: ({ edges }) => edges,
    answerOf: bin,
  },
  mean: {
    own: ["low", "high", "unit"],
    more: ["limits", "steps"],
    texts: ["unit"],
    gives: ["number"],
    alone: "one_bit",
    rule({ low, high, unit, steps, prefer_not_to_say: refusable }) {
      increasing([low, high]);
      text(unit, LIMITS.unit, true);
      if (steps !== undefined) {
        differentTexts(steps, LIMITS.categories);
        must(low === "1" && high === String(steps.length) && unit === "");
      }
      // The mechanism draws a number, so nothing else can be reported.
      must(!refusable);
    },
    isAnswer: ({ steps }, answer) => (steps ? isIndex(steps, answer) : decimal(answer) !== null),
    encoded: onGrid,
    ends: ({ low, high }) => [low, high],
    answerOf: (question, number) => number,
    filler: ({ steps, low }) => (steps ? 0 : low),
  },
};

// Return the fields of its kind that a question has: the names in `list` ("own" or "texts") and those of `more`.
export function ownFields(question, list = "own") {
  const { [list]: names, more = [] } = KINDS[question.kind];
  return [...names, ...more.filter((name) => name in question)];
}
