// The languages of a definition, and the definition with the texts of one of them. What translations must hold stands in
// translations.js, which only surveys in several languages need. surveys/survey/definition/languages.py has the same rules.

import { LIMITS, must } from "./rules.js";

const TAG = /^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|\d{3}))?$/;
export const AROUND = { title: LIMITS.title, introduction: LIMITS.text, consent: LIMITS.consent, thanks: LIMITS.text };
// What translations.js enters: complete(definition, tags), an error unless each of these languages has all texts, and
// worded(definition, tag, own), the definition with those of one.
export const TRANSLATIONS = {};

// The tags of a definition's languages, its own first.
export function languagesOf({ language = "en", translations = {} }) {
  return [language, ...Object.keys(translations).sort()];
}

// RangeError, or any other error, unless its languages are ones in which the definition can be asked. The rest of it must
// be well-formed.
export function translated(definition) {
  const tags = languagesOf(definition);
  must(tags.every((tag) => typeof tag === "string" && TAG.test(tag)));
  must(tags.length <= LIMITS.languages && new Set(tags).size === tags.length);
  if ("translations" in definition) TRANSLATIONS.complete(definition, tags.slice(1));
}

// The certified definition with the texts of one of its languages, and no others. `own` are the page's own words for what
// follows from a question's kind.
export function inLanguage({ translations, ...definition }, tag, own) {
  return tag === languagesOf(definition)[0] ? definition : TRANSLATIONS.worded(definition, translations[tag], tag, own);
}
