// The kinds of questions, each with everything that decides what may be asked and what becomes of an answer. fields.js
// has how they are asked.

import { gridPoint } from "./exact.js";
import { MECHANISMS, TOGETHER } from "./mechanisms.js";
import { decimal, differentTexts, increasing, LIMITS, must, positions, shortest, text } from "./rules.js";

// How many options there are beside "Prefer not to say", which is the last one where the question has it.
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

// The bin of a number, a decimal string: [edge i, edge i+1); numbers beyond the outer edges count in the outer bins.
function bin({ edges }, number) {
  return edges.slice(1, -1).filter((edge) => decimal(edge) <= decimal(number)).length;
}

// Numbers beyond the outer edges count in the outer bins, and their labels say so.
function bins({ edges }, { under, between, orMore }) {
  const inner = edges.slice(1, -1).map(shortest);
  return [under(inner[0]), ...inner.slice(1).map((high, i) => between(inner[i], high)), orMore(inner.at(-1))];
}

// Steps of a scale lie evenly on it.
function onGrid({ mechanism, table, low, high, steps }, answer, uniform) {
  const [number, from, to] = steps ? [answer, 0, steps.length - 1].map(String) : [answer, low, high];
  return gridPoint(number, from, to, MECHANISMS[mechanism].steps(table), uniform);
}

// What a filler that is a number within the range counts as.
function filledNumber(question) {
  const { ends, answerOf } = KINDS[question.kind];
  const [low, high] = [0, -1].map((end) => decimal(ends(question).at(end)));
  must(decimal(question.filler) !== null && decimal(question.filler) >= low && decimal(question.filler) <= high);
  return answerOf(question, question.filler);
}

// One of the options, by its index.
const CHOICE = {
  own: ["options"],
  texts: ["options"],
  gives: ["option"],
  rule: asked,
  isAnswer: isCategory,
  encoded: (question, answer) => answer,
  filler: ({ filler }) => filler,
};

// own: the fields that only this kind has; more: those that only some of its questions have; texts: those of
// `own` that each language of a survey has its own of; ownOptions(question, own): the options that nobody wrote, in the
// words of a language (`own`); gives: what its answers are, a mechanism fits that takes one of these; rule(question):
// that of its own fields; isAnswer(question, answer); encoded(question, answer, uniform): what its mechanism randomizes;
// filler(question): the answer that its field `filler` stands for, or an error. Where a number is asked for, also
// ends(question): the ends of its range and of its groups, the lowest first; answerOf(question, number): the answer that
// a decimal string gives. Where an answer can be randomized together with others, alone: the mechanism that its channel by
// itself is.
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
    gives: ["options"],
    isAnswer: ({ options }, answer) => isList(answer, options.length, (value) => typeof value === "boolean"),
    filler({ options, filler }) {
      positions(filler, options.length);
      return options.map((_, option) => filler.includes(option));
    },
  },
  grid: {
    ...CHOICE,
    own: ["items", "options"],
    texts: ["items", "options"],
    gives: ["items"],
    rule(question) {
      asked(question);
      differentTexts(question.items, LIMITS.items);
    },
    isAnswer: (question, answer) => isList(answer, question.items.length, (value) => isCategory(question, value)),
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
    filler: filledNumber,
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
      // What is drawn is a number, so there is no way to report anything else.
      must(!refusable);
    },
    isAnswer: ({ steps }, answer) => (steps ? isIndex(steps, answer) : decimal(answer) !== null),
    encoded: onGrid,
    ends: ({ low, high }) => [low, high],
    answerOf: (question, number) => number,
    filler: (question) => (question.steps ? question.filler : filledNumber(question)),
  },
};

// The fields of its kind that a question has, and, as `list` says, those of which each language of a survey has its own.
export function ownFields(question, list = "own") {
  const { [list]: names, more = [] } = KINDS[question.kind];
  return [...names, ...more.filter((name) => name in question)];
}
