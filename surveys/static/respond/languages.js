// The languages of a definition: what its translations must hold, and the definition with the texts of one of them. A
// translation has a text exactly where the survey's own language has one, by position, and nothing that decides what a
// report is: answers are positions. surveys/survey/definition/translations.py and languages.py have the same rules.

import { KINDS, ownFields } from "./kinds.js";
import { BLANK, differentTexts, exactly, LIMITS, must, text } from "./rules.js";

const TAG = /^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|\d{3}))?$/;
export const AROUND = { title: LIMITS.title, introduction: LIMITS.text, consent: LIMITS.consent, thanks: LIMITS.text };
const OF_SECTION = { title: LIMITS.title, text: LIMITS.text };
const OF_QUESTION = { text: LIMITS.text, note: LIMITS.text, unit: LIMITS.unit };

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
  if (!("translations" in definition)) return;
  must(tags.length > 1);
  exactly(definition.translations, tags.slice(1));
  for (const texts of Object.values(definition.translations)) complete(definition, texts);
}

function complete(definition, texts) {
  const { sections = [], questions } = definition;
  const more = ["consent", "thanks", "sections"].filter((name) => name in definition);
  exactly(texts, ["title", "introduction", "questions", ...more]);
  matching(definition, texts, AROUND);
  along(sections, texts.sections ?? [], (section, each) => {
    exactly(each, ["title", "text"]);
    matching(section, each, OF_SECTION);
  });
  along(questions, texts.questions, (question, each) => {
    exactly(each, ["text", "note", ...ownFields(question, "texts")]);
    matching(question, each, OF_QUESTION);
    for (const name of Object.keys(each).filter((list) => typeof question[list] !== "string")) {
      differentTexts(each[name], LIMITS.categories);
      must(each[name].length === question[name].length - (name === "options" && question.prefer_not_to_say));
    }
  });
}

function along(originals, given, rule) {
  must(given.length === originals.length);
  given.forEach((each, i) => rule(originals[i], each));
}

function matching(original, texts, limits) {
  for (const name of Object.keys(limits).filter((each) => each in texts)) {
    text(texts[name], limits[name], true);
    must(BLANK.test(texts[name]) === BLANK.test(original[name]));
  }
}

// The certified definition with the texts of one of its languages, and no others. `own` are the page's own words for what
// follows from a question's kind.
export function inLanguage({ translations = {}, ...definition }, tag, own) {
  if (tag === languagesOf(definition)[0]) return definition;
  const { sections = [], questions, ...texts } = translations[tag];
  const spoken = { ...definition, ...texts, language: tag };
  if (definition.sections) spoken.sections = definition.sections.map((each, i) => ({ ...each, ...sections[i] }));
  spoken.questions = definition.questions.map((each, i) => worded({ ...each, ...questions[i] }, questions[i], own));
  return spoken;
}

function worded(question, { options }, own) {
  const answers = KINDS[question.kind].ownOptions?.(question, own) ?? options;
  if (answers === undefined) return question;
  return { ...question, options: [...answers, ...(question.prefer_not_to_say ? [own.withheld] : [])] };
}
