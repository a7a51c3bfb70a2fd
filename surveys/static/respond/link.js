// The survey and the invitation of this page, in the link after #, which browsers do not send. Requests name the survey
// in a header, so no URL, and no log of URLs, has it. If no survey has the link, lost.js mends it.

// The letters of all codes (surveys/rules/spelling.py).
export const LETTERS = "23456789abcdefghjkmnpqrstuvwxyz";
const LINK = new RegExp(`^#([${LETTERS}]{27})(?:/([a-z]{2,3}(?:-\\w+)*))?(?:/([${LETTERS}]{27,28}))?$`);
export const [, slug = "", tongue, token = ""] = LINK.exec(location.hash) ?? [];
// The wished languages in order: the link's, if it has one, then the browser's.
export const wished = [tongue, ...navigator.languages].filter(Boolean);

/** Return the header that names a survey. */
export function linkOf(survey) {
  return { "survey-link": survey };
}

/** Return the check of a code's letters: 0 for a survey's, 1 for an invitation's, else mostly another number. */
export function remainder(code) {
  return [...code].reduce((sum, letter, i) => sum + (i + 1) * LETTERS.indexOf(letter), 0) % 31;
}
