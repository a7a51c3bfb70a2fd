// Questions that are asked only for some answers. Whoever is not asked counts as the question's filler, which is put in
// before anything is drawn, so a report is made in one way whatever was asked. surveys/definition/routing.py has the same
// rules, ldp/routing.py the same answers.

import { KINDS } from "./kinds.js";
import { exactly, must, positions } from "./rules.js";

const DECIDING = ["yes_no", "single_choice", "ordered", "multiple_choice"];

// The fields that the question has for it, which are both or none.
export function routingFields(question) {
  return always(question) ? [] : ["asked_if", "filler"];
}

// RangeError, or any other error, unless they have the right shape.
export function routable(question) {
  if (always(question)) return;
  const { question: key, options } = question.asked_if;
  exactly(question.asked_if, ["question", "options"]);
  must(typeof key === "string");
  positions(options, Infinity);
  must(options.length > 0 && KINDS[question.kind].isAnswer(question, filler(question)));
}

// Whether each of these well-formed questions depends on one before it, and on some of its answers only.
export function inOrder(questions) {
  return questions.every(({ asked_if: rule }, place) => {
    if (!rule) return true;
    const deciding = questions.slice(0, place).find(({ key }) => key === rule.question);
    return deciding !== undefined && DECIDING.includes(deciding.kind) && rule.options.at(-1) < deciding.options.length &&
      (deciding.kind === "multiple_choice" || rule.options.length < deciding.options.length);
  });
}

// Whether the question is asked whatever the answers are.
export function always(question) {
  return !("asked_if" in question);
}

// The keys of the questions that are asked, as far as these answers go: a Map of key -> answer. A question that depends
// on one that is not asked is not asked either.
export function askedOf(questions, answers) {
  const asked = new Set();
  for (const { key, asked_if: rule } of questions) {
    if (!rule || (asked.has(rule.question) && applies(answers.get(rule.question), rule.options))) asked.add(key);
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
