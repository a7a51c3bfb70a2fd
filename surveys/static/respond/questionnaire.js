// The questions for this person: the certified definition in the page's language, limited to the drawn form if there
// are forms.

import { totalAlpha, totalDelta } from "./certificate.js";
import { inLanguage } from "./languages.js";
import { browserWords } from "./generator.js";
import { drawForm, ofForm } from "./lot.js";
import { strengths } from "./promise.js";
import { uniformFrom } from "./uniform.js";
import { OWN } from "./words.js";

// The definition in the language of the page, with all its forms.
export let everyForm = null;
// The definition for this person, after a form was drawn.
export let definition = null;
// The drawn form, undefined without forms.
export let place;

/** From now on use the texts in the language of a tag. */
export function inTongue(certified, tag) {
  everyForm = inLanguage(certified, tag, OWN);
  choose(place);
}

/** From now on use the form with this place. */
export function choose(form) {
  place = form;
  definition = everyForm.forms && form === undefined ? everyForm : ofForm(everyForm, form);
}

/** Draw a form if the survey has any, unless the store has one from before. */
export async function chooseByLot({ forms }, store) {
  if (forms) choose(Number(await store.keepForm(drawForm(forms, uniformFrom(browserWords())))));
}

/** Return the cost of a report for this device's list. A refused one counts, because its receiver may have kept it. */
export function spent() {
  const day = new Date().toISOString().slice(0, 10);
  const [alpha, delta] = [totalAlpha(definition), totalDelta(definition)];
  return { title: definition.title, day, alpha, delta, step: strengths(definition).all };
}
