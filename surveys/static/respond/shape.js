// The shape of a definition: all fields that the form and the draw read, no others, and nothing twice.
//
// Whether a report can be made must not depend on the answer, or a missing report would reveal it. So privatize.js
// accepts, and the mechanism can report, every answer that the form accepts: as many options as bins, a row for every
// category, only numbers where numbers are drawn. surveys/survey/definition/shape.py has the same rules.

import { KINDS, ownFields } from "./kinds.js";
import { AROUND } from "./languages.js";
import { decided, divided, everyPart } from "./lot.js";
import { MECHANISMS, TOGETHER } from "./mechanisms.js";
import { ANCHORS, always } from "./routing.js";
import { exactly, LIMITS, millionths, must, text, trillionths, whole } from "./rules.js";

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const KEY = /^[a-z][a-z\d_]{0,39}$/;
// Optional fields.
const MORE = ["consent", "thanks", "sections", "forms", "language", "translations"];
// Further optional fields, with patterns of their canonical text. wave_of.js enters its own.
export const PATTERNS = {
  // The keys that sign reports; invitation.js checks them before the first question.
  invitations: /^{"/,
  // Pictures; pictures.js checks them likewise (surveys/survey/definition/pictures.py).
  pictures: /^{"/,
  // Origins of pages that may frame this one; framed.js checks them (surveys/survey/definition/frame_hosts.py).
  frame_hosts: /^\["/,
  // The relay, and the key of the gateway behind it (surveys/survey/definition/relay.py).
  relay: /^{"key":"[-\w]{44}","origin":"https:\/\/[-.a-z\d]+(:\d+)?"}$/,
  // The version of the rules of markup (surveys/rules/markup.py).
  markup: /^1$/,
  // The survey's colours; accent.js uses them (surveys/survey/definition/accent.py).
  accent: /^{"dark":"#[\da-f]{6}","light":"#[\da-f]{6}"}$/,
  // For all respondents after sending (surveys/survey/definition/completion.py).
  completion_code: /^"\w[-\w]{0,31}"$/,
  return_link: /^(?=.{0,601}$)"https:\/\/[-.a-z\d]+(:\d+)?\/[-.\w/=?&]{0,400}"$/,
};
const SHARED = ["key", "kind", "text", "note", "prefer_not_to_say"];

// Return the data of a definition's bytes, which must be canonical JSON: sorted fields, no spaces, one notation for
// every number and text. So nothing is in it twice or in two notations (a repeated field, 1e3, -0), and all readers of
// the digest read the same. Throws RangeError or another error otherwise.
export function parse(bytes) {
  const source = UTF8.decode(bytes);
  const data = JSON.parse(source);
  must(canonical(data) === source);
  return data;
}

// Return the canonical text of parsed JSON. Names of fields are ASCII, for which all sort orders agree.
function canonical(data) {
  if (Array.isArray(data)) return `[${data.map(canonical).join(",")}]`;
  if (typeof data !== "object" || data === null) return JSON.stringify(data);
  const fields = Object.keys(data).sort().map((name) => `${JSON.stringify(name)}:${canonical(data[name])}`);
  return `{${fields.join(",")}}`;
}

// Throw RangeError, or any other error, unless the definition as a whole has the right shape; of its questions only the keys
// are checked.
export function frame(definition) {
  const { questions, sections } = definition;
  const more = [...MORE, ...Object.keys(PATTERNS)].filter((name) => name in definition);
  exactly(definition, ["format", "title", "introduction", "questions", "draws", ...more]);
  for (const name in AROUND) if (name in definition) text(definition[name], AROUND[name], name === "introduction");
  must(Array.isArray(questions) && questions.length >= 1 && questions.length <= LIMITS.questions);
  if (sections !== undefined) inSections(sections, questions.map(({ key }) => key));
  must(more.every((name) => PATTERNS[name]?.test(canonical(definition[name])) ?? true));
  divided(definition);
}

// Every question is in one section, in the order of the questions.
function inSections(sections, keys) {
  for (const section of sections) {
    exactly(section, ["title", "text", "questions"]);
    text(section.title, LIMITS.title);
    text(section.text, LIMITS.text, true);
    must(Array.isArray(section.questions) && section.questions.length > 0);
  }
  const named = sections.flatMap(({ questions }) => questions);
  must(named.length === keys.length && named.every((key, i) => key === keys[i]));
}

// Throw RangeError, or any other error, unless the well-formed questions have different keys, each version belongs to a
// question that is no version, their tables are not too long, and each form can be asked (lot.js).
export function fitTogether(definition) {
  const { questions } = definition;
  const integers = everyPart(definition).reduce((count, { table }) => count + Object.values(table).flat(2).length, 0);
  const firsts = questions.filter((each) => !("arm_of" in each)).map(({ key }) => key);
  must(new Set(questions.map(({ key }) => key)).size === questions.length && integers <= LIMITS.tables);
  must(questions.every(({ key, arm_of: first = key }) => firsts.includes(first)));
  decided(definition);
}

// Throw RangeError, or any other error, unless the question has the shape of its kind.
export function wellFormed(question) {
  const { key, kind } = question;
  must(typeof kind === "string" && Object.hasOwn(KINDS, kind));
  const anchor = "right" in question && always(question) && ANCHORS.includes(kind);
  const more = [anchor && "right", "arm_of", "asked_if"].filter((name) => name in question);
  exactly(question, [...SHARED, ...ownFields(question), ...more]);
  must(typeof key === "string" && KEY.test(key));
  text(question.text, LIMITS.text);
  text(question.note, LIMITS.text, true);
  must(typeof question.prefer_not_to_say === "boolean");
  KINDS[kind].rule(question);
  if (anchor) whole(question.right, 0, question.options.length - 1 - question.prefer_not_to_say);
}

// Throw RangeError, or any other error, unless a draw with these fields can randomize these well-formed questions.
export function randomizable(draw, questions) {
  const { mechanism, table } = draw;
  must(typeof mechanism === "string" && Object.hasOwn(MECHANISMS, mechanism));
  exactly(draw, ["alpha", "mechanism", "questions", "table", ...(hasDelta(draw) ? ["delta"] : [])]);
  millionths(draw.alpha);
  if (hasDelta(draw)) trillionths(draw.delta);
  const { takes, entries } = MECHANISMS[mechanism];
  const [{ gives }, ...others] = questions.map(({ kind }) => KINDS[kind]);
  if (others.length > 0) must(mechanism === TOGETHER && questions.every(({ kind }) => KINDS[kind].alone));
  else must(gives.includes(takes));
  exactly(table, Object.keys(entries));
  for (const [name, { fits }] of Object.entries(entries)) fits(table[name], questions);
}

// Return whether the draw's mechanism keeps its alpha except with probability delta.
export function hasDelta({ mechanism }) {
  return "keeps" in MECHANISMS[mechanism];
}
