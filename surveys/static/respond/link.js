// Which survey this page is of, and whose invitation: the link says it after its #, in a part that browsers send to nobody.
// The page names the survey in a header of what it asks this site for, so no address has it, and no log of addresses. Where
// no survey has the link, lost.js mends it and begins anew.

// The letters of all codes (surveys/rules/spelling.py).
export const LETTERS = "23456789abcdefghjkmnpqrstuvwxyz";
const LINK = new RegExp(`^#([${LETTERS}]{27})(?:/([a-z]{2,3}(?:-\\w+)*))?(?:/([${LETTERS}]{27,28}))?$`);
export const [, slug = "", tongue, token = ""] = LINK.exec(location.hash) ?? [];
// The languages that are wished for, in their order: that of the link, if it has one, then those of the browser.
export const wished = [tongue, ...navigator.languages].filter(Boolean);

/** The header that names a survey. */
export function linkOf(survey) {
  return { "survey-link": survey };
}

/** What the letters of a code leave: 0 of a survey's, 1 of an invitation's, else mostly another number. */
export function remainder(code) {
  return [...code].reduce((sum, letter, i) => sum + (i + 1) * LETTERS.indexOf(letter), 0) % 31;
}
