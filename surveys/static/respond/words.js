// Every text that the modules show, in the page's language. Each language has a table, a file of words/ that exports
// these names; the page loads the one that it needs, and nothing is shown before it speaks.

export let AUDIT, ANSWERED, ASKED, BUDGET, CHOOSING, CONSENT, FORM, LATER, METHODS, NUMBERS, ODDS, PREVIEW, PROBLEMS;
export let PROMISE, REFUSED, SECTIONS, SENDING, STOPPED, STRENGTH, THANKS, amount, frequencies;

/** From now on, the words of this table. */
export function speak(table) {
  ({ AUDIT, ANSWERED, ASKED, BUDGET, CHOOSING, CONSENT, FORM, LATER, METHODS, NUMBERS, ODDS, PREVIEW, PROBLEMS } = table);
  ({ PROMISE, REFUSED, SECTIONS, SENDING, STOPPED, STRENGTH, THANKS, amount, frequencies } = table);
}
