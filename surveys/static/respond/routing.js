// Questions that are asked only for some answers. For people who are not asked, a filler of the question's kind is set
// before any draw, so all reports are made alike. surveys/survey/definition/routing.py has the same rules,
// ldp/routing.py the same answers.

import { KINDS } from "./kinds.js";
import { exactly, must, positions, whole } from "./rules.js";

// Kinds that may have a right answer (surveys/survey/definition/anchors.py).
export const ANCHORS = ["yes_no", "single_choice", "ordered"];
const DECIDING = [...ANCHORS, "multiple_choice"];

// Return a question's rules {question, options} and the array method that joins them; no rules if it is always asked.
export function rulesOf({ asked_if: rule = { all: [] } }) {
  return [rule.all ?? rule.any ?? [rule], rule.any ? "some" : "every"];
}

// Throw RangeError, or any other error, unless the rules of these well-formed questions name different earlier
// questions in order, and only some answers of each.
export function inOrder(questions) {
  questions.forEach((question, place) => {
    const [rules] = rulesOf(question);
    if (rules[0] !== question.asked_if) {
      must(Object.keys(question.asked_if).length === 1);
      whole(rules.length, 2, 5);
    }
    const places = rules.map((rule) => questions.findIndex(({ key }) => key === rule.question));
    positions(places, place);
    rules.forEach((rule, i) => {
      const { kind, options } = questions[places[i]];
      exactly(rule, ["question", "options"]);
      must(DECIDING.includes(kind));
      positions(rule.options, options.length);
      whole(rule.options.length, 1, options.length - (kind !== "multiple_choice"));
    });
  });
}

// Return whether the question is asked whatever the answers are.
export function always(question) {
  return !("asked_if" in question);
}

// Return the keys of the asked questions, given a Map of key -> answer. A rule about an unasked question fails.
export function askedOf(questions, answers) {
  const asked = new Set();
  for (const question of questions) {
    const [rules, join] = rulesOf(question);
    if (rules[join]((rule) => asked.has(rule.question) && applies(answers.get(rule.question), rule.options))) {
      asked.add(question.key);
    }
  }
  return asked;
}

function applies(answer, options) {
  return options.some((option) => (Array.isArray(answer) ? answer[option] : answer === option));
}

// Return a Map of key -> answer for every question: the answers to asked questions, and fillers for the others.
export function filled(questions, answers) {
  const asked = askedOf(questions, answers);
  const answerTo = (each) => (asked.has(each.key) ? answers.get(each.key) : KINDS[each.kind].filler(each));
  return new Map(questions.map((each) => [each.key, answerTo(each)]));
}
