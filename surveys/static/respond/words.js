// Every text that the modules show, in the page's language. Each language has a table, a file of words/ that exports
// these names; the page loads the one that it needs, and nothing is shown before it speaks. What folded parts say stands
// in a table of its own, which comes with the first of them that is opened.

export let ANSWERED, ASKED, BY, CHOOSING, CONSENT, FORM, LANGUAGE, LATER, NUMBERS, ODDS, OWN, PREVIEW, PROBLEMS, PROMISE;
export let READING, REFUSED, SECTIONS, SENDING, STOPPED, STRENGTH, THANKS, amount, frequencies, shown;
export let AUDIT, BUDGET, METHODS;

/** From now on, the words of this table. */
export function speak(table) {
  ({ ANSWERED, ASKED, BY, CHOOSING, CONSENT, FORM, LANGUAGE, LATER, NUMBERS, ODDS, OWN, PREVIEW, PROBLEMS, PROMISE } = table);
  ({ READING, REFUSED, SECTIONS, SENDING, STOPPED, STRENGTH, THANKS, amount, frequencies, shown } = table);
}

/** The same for what folded parts say. */
export function speakMore(table) {
  ({ AUDIT, BUDGET, METHODS } = table);
}
