// Every text that the modules show, in the page's language. Each language has a table, a file of words/ that exports
// these names; the page loads the one that it needs, and nothing is shown before it speaks.

export let AUDIT, ANSWERED, ASKED, BUDGET, CHOOSING, CONSENT, FORM, LANGUAGE, LATER, METHODS, NUMBERS, ODDS, OWN, PREVIEW;
export let PROBLEMS, PROMISE, REFUSED, SECTIONS, SENDING, STOPPED, STRENGTH, THANKS, amount, frequencies, shown;

/** From now on, the words of this table. */
export function speak(table) {
  ({ AUDIT, ANSWERED, ASKED, BUDGET, CHOOSING, CONSENT, FORM, LANGUAGE, LATER, METHODS, NUMBERS, ODDS, OWN, PREVIEW } = table);
  ({ PROBLEMS, PROMISE, REFUSED, SECTIONS, SENDING, STOPPED, STRENGTH, THANKS, amount, frequencies, shown } = table);
}
