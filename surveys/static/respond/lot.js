// The draws of a definition, each for one question or for several that are randomized together, and its forms, lists of
// draws. This browser draws one form before it asks anything, so that the lot is independent of the answers. The report
// names the form. ldp/forms has the same rules and the same lot.

import { KINDS } from "./kinds.js";
import { inOrder } from "./routing.js";
import { exactly, must, positions, whole } from "./rules.js";
import { choice } from "./uniform.js";

const WEIGHT_MAX = 10000;
const POOLED = ["randomized_response", "one_bit", "multiple", "grid"];

// The rules -----------------------------------------------------------------------------------------------------------

// Throw RangeError, or any other error, unless each list of draws names its questions in order, each form has the right
// shape and asks a question once, and there are no forms or at least two. Estimates pool a question of several forms by
// scores that are 0 or 1, unless all its draws are the same.
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
  questions.forEach(({ key, kind }) => pooled(lists.flat().filter((draw) => draw.questions.includes(key)), kind));
}

// Draws are ordered by their first questions, and the questions of each by their places in the survey.
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
function pooled(draws, kind) {
  const alike = new Set(draws.map((draw) => JSON.stringify(draw))).size === 1;
  must(alike || draws.every(({ mechanism, questions }) =>
    POOLED.includes(questions.length > 1 ? KINDS[kind].alone : mechanism)));
}

// Throw RangeError, or any other error, unless every form asks each of these well-formed questions after those that
// decide on it, and asks no two versions of one. `arm_of` names the first version; nothing else here depends on it.
export function decided(definition) {
  (definition.forms ?? [{}]).forEach((_, form) => {
    const { questions } = ofForm(definition, form);
    must(new Set(questions.map(({ key, arm_of: first = key }) => first)).size === questions.length);
    inOrder(questions);
  });
}

// What is asked -------------------------------------------------------------------------------------------------------

// Return the place of a random form, with a chance of its weight over the sum of all.
export function drawForm(forms, uniform) {
  const ends = forms.map((_, form) => weight(forms.slice(0, form + 1)));
  const place = choice(ends.at(-1), uniform);
  return ends.slice(0, -1).reduce((form, end) => form + (place >= end ? 1 : 0), 0);
}

function weight(forms) {
  return forms.reduce((sum, each) => sum + each.weight, 0);
}

// Return the draws as parts of a report: {alpha, mechanism, table, questions}, perhaps with a delta. Each question is as if
// asked alone: with the alpha of its draw and the channel of its own answer.
export function partsOf(draws, { questions }) {
  return draws.map((draw) => {
    const drawn = questions.filter(({ key }) => draw.questions.includes(key));
    return { ...draw, questions: drawn.map((question, place) => alone(question, draw, place)) };
  });
}

function alone(question, { questions, ...own }, place) {
  if (questions.length === 1) return { ...question, ...own };
  const { keep, sizes: { [place]: size } } = own.table;
  const table = size.length ? { sample: size[0], keep, size: size[1] } : { keep, sizes: [size] };
  return { ...question, ...own, mechanism: KINDS[question.kind].alone, table };
}

// Return the parts of the shared draws, then those of every form.
export function everyPart({ draws, forms = [], ...definition }) {
  return partsOf([draws, ...forms.map((form) => form.draws)].flat(), definition);
}

// Return the certified definition for a person with this form: its `parts` instead of draws, and their questions;
// `form` is the form's number and `of` the number of forms, both undefined without forms.
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
