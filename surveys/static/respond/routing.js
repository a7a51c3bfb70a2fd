// Questions that are asked only for some answers. Whoever is not asked counts as the question's filler, which is put in
// before anything is drawn, so a report is made in one way whatever was asked. surveys/survey/definition/routing.py has the same
// rules, ldp/routing.py the same answers.

import { KINDS } from "./kinds.js";
import { exactly, must, positions, whole } from "./rules.js";

// Everybody may know the right answer (surveys/survey/definition/anchors.py).
export const ANCHORS = ["yes_no", "single_choice", "ordered"];
const DECIDING = [...ANCHORS, "multiple_choice"];

// The rules {question, options} by which the question is asked, and the array's method that joins them: none by which
// it is asked of everybody.
export function rulesOf({ asked_if: rule = { all: [] } }) {
  return [rule.all ?? rule.any ?? [rule], rule.any ? "some" : "every"];
}

// RangeError, or any other error, unless whoever is not asked the question counts as one of its answers.
export function fillable(question) {
  must(always(question) ? !("filler" in question) : KINDS[question.kind].isAnswer(question, filler(question)));
}

// RangeError, or any other error, unless each of these well-formed questions depends on different ones before it if on
// any, which its rules name in their order, and of each on some of its answers only.
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

// Whether the question is asked whatever the answers are.
export function always(question) {
  return !("asked_if" in question);
}

// The keys of the questions that are asked, as far as these answers go: a Map of key -> answer. A rule about a question
// that is not asked does not hold.
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

// A Map of key -> answer to every question: those that were given to what is asked, and fillers.
export function filled(questions, answers) {
  const asked = askedOf(questions, answers);
  return new Map(questions.map((each) => [each.key, asked.has(each.key) ? answers.get(each.key) : filler(each)]));
}

function filler(question) {
  return KINDS[question.kind].filler(question);
}
