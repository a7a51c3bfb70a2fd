// The views in the middle of the page and in the bar above it, made again when the language changes.

import { stage } from "./arrival.js";
import { button } from "./dom.js";
import { withWords } from "./later.js";
import { notice, sending } from "./notice.js";
import { standing } from "./promise.js";
import { definition } from "./questionnaire.js";
import { LATER, STOPPED } from "./words.js";

const bar = document.getElementById("bar");
// How the visible views were made, and the first one: {make, first}.
let drawn = null;

/** Replace the views and focus the first. `make` returns them, again when the language changes. */
export function show(make) {
  put(make);
  leadToFirst();
}

/** Replace the views without moving the focus. */
export function put(make) {
  const views = [make()].flat();
  drawn = { make, first: views[0] };
  stage.replaceChildren(...views.map(({ node }) => node));
  const top = views.map((view) => view.bar).filter(Boolean).at(-1);
  bar.replaceChildren(...(top ? [standing(definition), ...top] : []));
}

/** Make the views again in the current language; return whether there are any yet. */
export function redraw() {
  if (drawn) put(drawn.make);
  return drawn !== null;
}

/** Focus the new heading, so that a screen reader reads it. */
export function leadToFirst() {
  document.body.scrollTop = 0;
  drawn.first.heading.focus({ preventScroll: true });
}

/** Show the progress of what start(handlers) sends with `deliver`; return its outcome. */
export function untilSent(store, start) {
  let view = null;
  let now = () => {};
  const call = (how) => (pause) => {
    now = () => view[how](pause);
    now();
  };
  show(() => {
    view = sending(store.lasting, () => delivery.tryNow());
    now();
    return view;
  });
  const delivery = start({ onWaiting: call("waiting"), onTrying: call("trying") });
  return delivery.outcome;
}

/** Show views(outcome.js). Until that file comes, show `said`. */
export async function conclude(views, ...said) {
  const module = await loaded("outcome.js", ...said);
  show(() => views(module));
}

/** Return the module with this name, with its words. Until it comes, show `said` and a retry button. */
export async function loaded(name, title = LATER.missing, ...said) {
  for (;;) {
    const module = await withWords(name).catch(() => null);
    if (module !== null) return module;
    await new Promise((resolve) => {
      show(() => notice(title, ...said, LATER.lost, button(STOPPED.again, { class: "button primary" }, resolve)));
    });
  }
}
