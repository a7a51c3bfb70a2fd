// What a designer's preview does in place of keeping a report and sending it to a survey: it shows it, or sends it as a test
// answer. No respondent's page names this file.

import { stage } from "./arrival.js";
import { button, element, panel } from "./dom.js";
import { definition as asked } from "./questionnaire.js";
import { conclude } from "./view.js";
import { PREVIEW } from "./words.js";

const TIMEOUT = 15_000;
const { tests, key, form: wish, only } = document.querySelector("main").dataset;

/** The memory of a preview: it has none, and asks the form that a designer wishes to see, where there is such a wish. */
export const store = { current: () => null, keepForm: (form) => wish ?? form, onChange() {} };

// Beside the builder the style shows nothing but what is edited there, a section by its number, else a question by its key.
if (only) new MutationObserver(() => shownAlone()?.setAttribute("data-edited", "")).observe(stage, { childList: true, subtree: true });

function shownAlone() {
  const place = asked?.questions.findIndex((question) => question.key === only) + 1;
  return document.getElementById(place > 0 ? `question-${place}-title` : `section-${only}`)?.parentElement;
}

/** What stands there once a report was drawn, with a way back to the questions; a test answer is sent first. */
export async function previewed(onAgain, definition, body) {
  const sent = tests ? marked(body) : body;
  const outcome = tests && await delivered(sent);
  const again = () => button(PREVIEW.again, { class: "button primary" }, onAgain);
  const above = () => (outcome ? said(outcome, again()) : panel("previewed", PREVIEW.title, element("p", {}, PREVIEW.nothing), again()));
  await conclude(({ thanks }) => [above(), ...(tests && outcome !== "arrived" ? [] : [thanks(definition, sent, {}, "")])]);
}

/** The report with a mark in its digest, so that no survey takes it, now or later. */
function marked(body) {
  return body.replace('"digest":"', '"digest":"test-');
}

/** What became of it, by the name of what is said then. */
async function delivered(body) {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), TIMEOUT);
  try {
    const headers = { "content-type": "application/json", "x-csrftoken": key };
    const { signal } = controller;
    const { ok, status } = await fetch(tests, { method: "POST", headers, body, redirect: "error", cache: "no-store", signal });
    return ok ? "arrived" : status === 409 ? "changed" : "lost";
  } catch {
    return "lost";
  } finally {
    clearTimeout(timer);
  }
}

/** In the language of the studio, as the banner is. */
function said(outcome, again) {
  const { content, dataset, parentElement: { lang, dir } } = document.getElementById(outcome);
  const view = panel("previewed", dataset.title, content.cloneNode(true), again);
  Object.assign(view.node, { lang, dir });
  return view;
}
