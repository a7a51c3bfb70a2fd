// The forms of a definition, parts of the questionnaire of which this browser draws one before it asks anything, so that
// nothing that is answered can tell on the draw. Which one it was stands in the report. A question is asked with one
// form, or of everybody where none names it; those of a joint form, one with an alpha, are randomized together and have
// none of their own. ldp/forms has the same rules and the same draw.

import { marginal, tuples } from "./joint.js";
import { KINDS } from "./kinds.js";
import { inOrder } from "./routing.js";
import { exactly, millionths, must, threshold, whole } from "./rules.js";
import { choice } from "./uniform.js";

const WEIGHT_MAX = 10000;
const OWN_RANDOMIZATION = ["alpha", "mechanism", "table"];

// The rules -----------------------------------------------------------------------------------------------------------

// RangeError, or any other error, unless each of the forms has the right shape: two or more, and no question in two.
export function drawable(definition) {
  if (!("forms" in definition)) return;
  const { forms } = definition;
  must(forms.length >= 2);
  forms.forEach((form) => oneForm(definition, form));
  const named = forms.flatMap(({ questions }) => questions);
  must(new Set(named).size === named.length);
}

function oneForm(definition, form) {
  exactly(form, ["weight", "questions", ...(isJoint(form) ? ["alpha", "table"] : [])]);
  whole(form.weight, 1, WEIGHT_MAX);
  must(Array.isArray(form.questions) && form.questions.length > 0);
  const own = members(definition, form);
  must(own.length === form.questions.length && own.every(({ key }, i) => key === form.questions[i]));
  if (isJoint(form)) together(form, own);
}

function together({ alpha, table }, own) {
  must(own.length >= 2 && own.every((question) => OWN_RANDOMIZATION.every((name) => !(name in question))));
  millionths(alpha);
  exactly(table, ["other"]);
  threshold(table.other);
  tuples(sizesOf(own));
}

// Whether its questions are randomized together.
export function isJoint(form) {
  return "alpha" in form;
}

// The form's own questions, in their order.
export function members({ questions }, form) {
  return questions.filter(({ key }) => form.questions.includes(key));
}

// How many values each answer has; an error where a kind has none that can be drawn with others.
function sizesOf(questions) {
  return questions.map((question) => KINDS[question.kind].together.symbols(question));
}

// RangeError, or any other error, unless whoever is asked one of these well-formed questions has been asked before those
// that decide on it, and nobody is asked two versions of one: `arm_of` names the first of them, and nothing else here
// depends on it.
export function decided(definition) {
  (definition.forms ?? [{}]).forEach((_, form) => {
    const questions = questionsWith(definition, form);
    must(new Set(questions.map(({ key, arm_of: first = key }) => first)).size === questions.length);
    inOrder(questions);
  });
}

// What is asked -------------------------------------------------------------------------------------------------------

// The place of a form, each drawn with its weight over the sum of all.
export function drawForm(forms, uniform) {
  const ends = forms.map((_, form) => weight(forms.slice(0, form + 1)));
  const place = choice(ends.at(-1), uniform);
  return ends.slice(0, -1).reduce((form, end) => form + (place >= end ? 1 : 0), 0);
}

function weight(forms) {
  return forms.reduce((sum, each) => sum + each.weight, 0);
}

// The questions that people with this form are asked.
function questionsWith({ forms = [], questions }, form) {
  const elsewhere = forms.flatMap((each, i) => (i === form ? [] : each.questions));
  return questions.filter(({ key }) => !elsewhere.includes(key));
}

// A joint form's {keys, sizes, alpha, table}; null where each of its questions has a draw of its own.
export function jointOf(definition, form) {
  if (!isJoint(form)) return null;
  const { questions: keys, alpha, table } = form;
  return { keys, sizes: sizesOf(members(definition, form)), alpha, table };
}

// The questions of a definition as if each were asked alone: one of a joint form has the form's alpha and the channel
// that its answer goes through.
export function alone(definition) {
  const groups = (definition.forms ?? []).map((form) => jointOf(definition, form));
  return definition.questions.map((question) => {
    const group = groups.find((each) => each?.keys.includes(question.key));
    if (!group) return question;
    const { keys, sizes, alpha, table } = group;
    const mechanism = KINDS[question.kind].together.alone;
    return { ...question, alpha, mechanism, table: marginal(table, sizes, keys.indexOf(question.key)) };
  });
}

// Those of the questions that are not randomized together.
export function apartFrom(joint, questions) {
  return joint ? questions.filter(({ key }) => !joint.keys.includes(key)) : questions;
}

// The certified definition as somebody with this form is asked it: without the questions of the others, each of its own
// as if it were asked alone; `form` is which one it is `of` how many, `joint` says which are drawn together. Without
// forms it is the definition itself.
export function ofForm(definition, form) {
  const { forms, sections, ...shared } = definition;
  if (!forms) return definition;
  whole(form, 0, forms.length - 1);
  const questions = questionsWith({ forms, questions: alone(definition) }, form);
  const keys = questions.map(({ key }) => key);
  const asked = sections?.map((each) => sectionWith(each, keys)).filter((each) => each.questions.length > 0);
  return { ...shared, ...(asked && { sections: asked }), questions, form, of: forms.length, joint: jointOf(definition, forms[form]) };
}

function sectionWith({ title, text, questions }, keys) {
  return { title, text, questions: questions.filter((key) => keys.includes(key)) };
}
