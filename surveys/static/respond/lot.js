// The draws of a definition, each of a question or of several that are randomized together, and its forms, lists of draws.
// This browser draws one form before it asks anything, so that nothing that is answered can tell on the lot. Which form it
// was stands in the report. ldp/forms has the same rules and the same lot.

import { KINDS } from "./kinds.js";
import { inOrder } from "./routing.js";
import { exactly, must, positions, whole } from "./rules.js";
import { choice } from "./uniform.js";

const WEIGHT_MAX = 10000;
const POOLED = ["randomized_response", "one_bit"];

// The rules -----------------------------------------------------------------------------------------------------------

// RangeError, or any other error, unless the draws name the questions, those of everybody and of each form in order, each
// form has the right shape, two or more, where there are any, and is asked each question once. Estimates pool a question
// of several forms by scores that are 0 or 1, or all its draws are the same.
export function divided(definition) {
  const { draws, forms = [], questions } = definition;
  if ("forms" in definition) must(forms.length >= 2);
  for (const form of forms) {
    exactly(form, ["weight", "draws"]);
    whole(form.weight, 1, WEIGHT_MAX);
    must(form.draws.length > 0);
  }
  const keys = questions.map(({ key }) => key);
  const lists = [draws, ...forms.map((form) => form.draws)];
  lists.forEach((list) => inTheirOrder(list, keys));
  lists.forEach((list) => once(list === draws ? draws : [...draws, ...list]));
  must(new Set(lists.flat().flatMap((draw) => draw.questions)).size === keys.length);
  keys.forEach((key) => pooled(lists.flat().filter((draw) => draw.questions.includes(key))));
}

// Draws by the first of their questions, and the questions of each by their places in the survey.
function inTheirOrder(draws, keys) {
  const places = draws.map((draw) => draw.questions.map((key) => keys.indexOf(key)));
  places.forEach((each) => {
    must(each.length > 0);
    positions(each, keys.length);
  });
  positions(places.map(([first]) => first), keys.length);
}

function once(draws) {
  const named = draws.flatMap(({ questions }) => questions);
  must(new Set(named).size === named.length);
}

// The bytes are canonical, so equal draws have one text.
function pooled(draws) {
  const alike = new Set(draws.map((draw) => JSON.stringify(draw))).size === 1;
  must(alike || draws.every(({ mechanism }) => POOLED.includes(mechanism)));
}

// RangeError, or any other error, unless whoever is asked one of these well-formed questions has been asked before those
// that decide on it, and nobody is asked two versions of one: `arm_of` names the first of them, and nothing else here
// depends on it.
export function decided(definition) {
  (definition.forms ?? [{}]).forEach((_, form) => {
    const { questions } = ofForm(definition, form);
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

// The draws as parts of a report: {alpha, mechanism, table, questions}, perhaps with a delta. Each question is as if it were
// asked alone: with the alpha of its draw and the channel that its answer goes through.
export function partsOf(draws, { questions }) {
  return draws.map((draw) => {
    const drawn = questions.filter(({ key }) => draw.questions.includes(key));
    return { ...draw, questions: drawn.map((question, place) => alone(question, draw, place)) };
  });
}

function alone(question, { questions, ...own }, place) {
  if (questions.length === 1) return { ...question, ...own };
  const { keep, sizes } = own.table;
  return { ...question, ...own, mechanism: KINDS[question.kind].alone, table: { keep, sizes: [sizes[place]] } };
}

// The parts of everybody's draws, then those of every form.
export function everyPart({ draws, forms = [], ...definition }) {
  return partsOf([draws, ...forms.map((form) => form.draws)].flat(), definition);
}

// The certified definition as somebody with this form is asked it: its `parts` in place of draws, and their questions; `form`
// is which one it is `of` how many, undefined where there are none.
export function ofForm(definition, form) {
  const { draws, forms, sections, ...shared } = definition;
  if (forms) whole(form, 0, forms.length - 1);
  const parts = partsOf([draws, forms?.[form].draws ?? []].flat(), definition);
  const drawn = parts.flatMap((part) => part.questions);
  const questions = definition.questions.flatMap(({ key }) => drawn.filter((question) => question.key === key));
  const keys = questions.map(({ key }) => key);
  const asked = sections?.map((each) => sectionWith(each, keys)).filter((each) => each.questions.length > 0);
  return { ...shared, ...(asked && { sections: asked }), questions, parts, form: forms && form, of: forms?.length };
}

function sectionWith({ title, text, questions }, keys) {
  return { title, text, questions: questions.filter((key) => keys.includes(key)) };
}
