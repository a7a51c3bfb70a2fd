// A designer's preview: it shows the report, or sends it as a test answer, and stores none. The respondents' page does
// not name this file.

import { stage } from "./arrival.js";
import { button, element, panel } from "./dom.js";
import { definition as asked } from "./questionnaire.js";
import { conclude } from "./view.js";
import { PREVIEW } from "./words.js";

const TIMEOUT = 15_000;
const { tests, key, form: wish, only } = document.querySelector("main").dataset;

/** The preview's memory: it remembers nothing, and asks the form that a designer wants to see. */
export const store = { current: () => null, keepForm: (form) => wish ?? form, onChange() {} };

// Beside the builder only the edited part is shown: a section by its number, or a question by its key.
if (only) new MutationObserver(() => shownAlone()?.setAttribute("data-edited", "")).observe(stage, { childList: true, subtree: true });

function shownAlone() {
  const place = asked?.questions.findIndex((question) => question.key === only) + 1;
  return document.getElementById(place > 0 ? `question-${place}-title` : `section-${only}`)?.parentElement;
}

/** Show the result after a report is drawn, with a way back to the questions; send a test answer first. */
export async function previewed(onAgain, definition, body) {
  const sent = tests ? marked(body) : body;
  const outcome = tests && await delivered(sent);
  const again = () => button(PREVIEW.again, { class: "button primary" }, onAgain);
  const above = () => (outcome ? said(outcome, again()) : panel("previewed", PREVIEW.title, element("p", {}, PREVIEW.nothing), again()));
  await conclude(({ thanks }) => [above(), ...(tests && outcome !== "arrived" ? [] : [thanks(definition, sent, {}, "")])]);
}

/** Return the report with a mark in its digest, so that no survey ever accepts it. */
function marked(body) {
  return body.replace('"digest":"', '"digest":"test-');
}

/** Send the test answer; return the name of the message about the outcome. */
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

/** Return the message in the language of the studio, like the banner. */
function said(outcome, again) {
  const { content, dataset, parentElement: { lang, dir } } = document.getElementById(outcome);
  const view = panel("previewed", dataset.title, content.cloneNode(true), again);
  Object.assign(view.node, { lang, dir });
  return view;
}
