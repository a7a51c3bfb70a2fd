// Every text that the modules show, in the page's language. Each language has a table, a file of words/ that exports
// these names; the page loads the one that it needs, and nothing is shown before it speaks. What folded parts say, and
// what is said once there is a report, stands in a table of its own, which comes with the first of them.

export let ASKED, BY, CHOOSING, CONSENT, FORM, FREQUENCIES, LANGUAGE, LATER, NUMBERS, ODDS, OWN, PROMISE, SECTIONS, SENDING;
export let STOPPED, STRENGTH, amount, shown;
export let ANSWERED, AUDIT, BELIEFS, BUDGET, FRAME, INVITED, LOST, METHODS, NOT_ASKED, PREVIEW, PROBLEMS, READING, REFUSED, RELAY, SELDOM, THANKS;

/** From now on, the words of this table. */
export function speak(table) {
  ({ ASKED, BY, CHOOSING, CONSENT, FORM, FREQUENCIES, LANGUAGE, LATER, NUMBERS, ODDS, OWN, PROMISE, SECTIONS, SENDING } = table);
  ({ STOPPED, STRENGTH, amount, shown } = table);
}

/** The same for what comes later. */
export function speakMore(table) {
  ({ ANSWERED, AUDIT, BELIEFS, BUDGET, FRAME, INVITED, LOST, METHODS, NOT_ASKED, PREVIEW, PROBLEMS, READING, REFUSED, RELAY, SELDOM, THANKS } = table);
}
