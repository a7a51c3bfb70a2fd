// What this person is asked: the certified definition in the language of the page and, where the survey has forms, of the
// form that was drawn in this browser.

import { totalAlpha, totalDelta } from "./certificate.js";
import { inLanguage } from "./languages.js";
import { browserWords } from "./generator.js";
import { drawForm, ofForm } from "./lot.js";
import { strengths } from "./promise.js";
import { uniformFrom } from "./uniform.js";
import { OWN } from "./words.js";

// The definition in the language of the page, with all its forms.
export let everyForm = null;
// The same as this person is asked it, once a form was drawn.
export let definition = null;
// Which form that is, undefined where there is none.
export let place;

/** From now on the page speaks the language of a tag. */
export function inTongue(certified, tag) {
  everyForm = inLanguage(certified, tag, OWN);
  choose(place);
}

/** From now on the page is about the form with this place. */
export function choose(form) {
  place = form;
  definition = everyForm.forms && form === undefined ? everyForm : ofForm(everyForm, form);
}

/** Draw a form where the survey has any; the store says which one is asked, this or one that was drawn before. */
export async function chooseByLot({ forms }, store) {
  if (forms) choose(Number(await store.keepForm(drawForm(forms, uniformFrom(browserWords())))));
}

/** What a report costs, for the list that this device keeps. Whoever was sent it may have it, recorded or not. */
export function spent() {
  const day = new Date().toISOString().slice(0, 10);
  const [alpha, delta] = [totalAlpha(definition), totalDelta(definition)];
  return { title: definition.title, day, alpha, delta, step: strengths(definition).all };
}
