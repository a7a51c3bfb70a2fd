// What the page shows in its middle and in the bar above it: some views at a time, and once more where the language changes.

import { stage } from "./arrival.js";
import { button } from "./dom.js";
import { withWords } from "./later.js";
import { notice, sending } from "./notice.js";
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

/** Show how far it is with what start(handlers) sends, by `deliver`; what comes of it. */
export function untilSent(store, start) {
  let view = null;
  let now = () => {};
  const tell = (how) => (pause) => {
    now = () => view[how](pause);
    now();
  };
  show(() => {
    view = sending(store.lasting, () => delivery.tryNow());
    now();
    return view;
  });
  const delivery = start({ onWaiting: tell("waiting"), onTrying: tell("trying") });
  return delivery.outcome;
}

/** Show what views(outcome.js) makes. As long as that file does not come, what it would say first. */
export async function conclude(views, ...said) {
  const module = await loaded("outcome.js", ...said);
  show(() => views(module));
}

/** The module with this name, with its words. As long as it does not come, what is said, and a way to ask for it again. */
export async function loaded(name, title = LATER.missing, ...said) {
  for (;;) {
    const module = await withWords(name).catch(() => null);
    if (module !== null) return module;
    await new Promise((resolve) => {
      show(() => notice(title, ...said, LATER.lost, button(STOPPED.again, { class: "button primary" }, resolve)));
    });
  }
}
