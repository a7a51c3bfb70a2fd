// All texts of the modules in the page's language. Each language has a table, a file of words/ with these exports. The
// page loads one, and shows nothing before. Texts for folded parts and after sending are in a second table, loaded when
// needed.

export let ASKED, BY, CHOOSING, CONSENT, FORM, FREQUENCIES, LANGUAGE, LATER, NUMBERS, ODDS, OWN, PROMISE, SECTIONS, SENDING;
export let STOPPED, STRENGTH, amount, shown;
export let ANSWERED, AUDIT, BELIEFS, BUDGET, FRAME, INVITED, LOST, METHODS, NOT_ASKED, PREVIEW, PROBLEMS, READING, REFUSED, RELAY, SELDOM, THANKS;

/** From now on use the words of this table. */
export function speak(table) {
  ({ ASKED, BY, CHOOSING, CONSENT, FORM, FREQUENCIES, LANGUAGE, LATER, NUMBERS, ODDS, OWN, PROMISE, SECTIONS, SENDING } = table);
  ({ STOPPED, STRENGTH, amount, shown } = table);
}

/** From now on use this second table too. */
export function speakMore(table) {
  ({ ANSWERED, AUDIT, BELIEFS, BUDGET, FRAME, INVITED, LOST, METHODS, NOT_ASKED, PREVIEW, PROBLEMS, READING, REFUSED, RELAY, SELDOM, THANKS } = table);
}
