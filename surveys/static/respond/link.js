// Which survey this page is of, and whose invitation: the link says it after its #, in a part that browsers send to nobody.
// The page names the survey in a header of what it asks this site for, so no address has it, and no log of addresses.

const SLUG = /^[-\w]{1,32}$/;
const TOKEN = /^[-\w]{22}$/;
const [linked, tongue, invitation] = location.hash.slice(1).split("/");

// Empty where the link names no survey.
export const slug = SLUG.test(linked) ? linked : "";
// Empty where the link is no invitation.
export const token = TOKEN.test(invitation) ? invitation : "";
// The languages that are wished for, in their order: that of the link, if it has one, then those of the browser.
export const wished = [tongue, ...navigator.languages].filter(Boolean);

/** The header that names a survey. */
export function linkOf(survey) {
  return { "survey-link": survey };
}
