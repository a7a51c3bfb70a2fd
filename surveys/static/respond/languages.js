// The languages of a definition, and the definition with the texts of one language. The rules of translations are in
// translations.js, which only surveys in several languages need. surveys/survey/definition/languages.py has the same rules.

import { LIMITS, must } from "./rules.js";

const TAG = /^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|\d{3}))?$/;
export const AROUND = { title: LIMITS.title, introduction: LIMITS.text, consent: LIMITS.consent, thanks: LIMITS.text };
// Set by translations.js: complete(definition, tags) throws unless each language has all texts; worded(definition, tag,
// own) returns the definition with the texts of one.
export const TRANSLATIONS = {};

// Return the tags of a definition's languages, its own first.
export function languagesOf({ language = "en", translations = {} }) {
  return [language, ...Object.keys(translations).sort()];
}

// Throw RangeError, or any other error, unless the definition can be asked in its languages. The rest of it must be
// well-formed.
export function translated(definition) {
  const tags = languagesOf(definition);
  must(tags.every((tag) => typeof tag === "string" && TAG.test(tag)));
  must(tags.length <= LIMITS.languages && new Set(tags).size === tags.length);
  if ("translations" in definition) TRANSLATIONS.complete(definition, tags.slice(1));
}

// Return the certified definition with the texts of one language only. `own` are the page's own words for options that
// follow from a question's kind.
export function inLanguage({ translations, ...definition }, tag, own) {
  return tag === languagesOf(definition)[0] ? definition : TRANSLATIONS.worded(definition, translations[tag], tag, own);
}
