// What the page shows in its middle and in the bar above it: some views at a time, and once more where the language changes.

import { stage } from "./arrival.js";
import { button } from "./dom.js";
import { withWords } from "./later.js";
import { notice } from "./notice.js";
import { standing } from "./promise.js";
import { definition } from "./questionnaire.js";
import { LATER, STOPPED } from "./words.js";

const bar = document.getElementById("bar");
// How the page made what it shows, with the first view of it: {make, first}.
let drawn = null;

/** Replace what the page shows: `make` returns its views, and once more where the language changes. */
export function show(make) {
  put(make);
  leadToFirst();
}

/** The same without leading there. */
export function put(make) {
  const views = [make()].flat();
  drawn = { make, first: views[0] };
  stage.replaceChildren(...views.map(({ node }) => node));
  const top = views.map((view) => view.bar).filter(Boolean).at(-1);
  bar.replaceChildren(...(top ? [standing(definition), ...top] : []));
}

/** The same in the language in which the page speaks now; whether there is anything yet. */
export function redraw() {
  if (drawn) put(drawn.make);
  return drawn !== null;
}

/** To a new heading, so a screen reader says it. */
export function leadToFirst() {
  document.body.scrollTop = 0;
  drawn.first.heading.focus({ preventScroll: true });
}

/**
 * Show what views(outcome.js) makes. That comes in a file of its own; as long as it does not, what it would say first, and a
 * way to ask for it again.
 */
export async function conclude(views, title = LATER.missing, ...said) {
  for (;;) {
    const module = await withWords("outcome.js").catch(() => null);
    if (module !== null) {
      show(() => views(module));
      return;
    }
    await new Promise((resolve) => {
      show(() => notice(title, ...said, LATER.lost, button(STOPPED.again, { class: "button primary" }, resolve)));
    });
  }
}
