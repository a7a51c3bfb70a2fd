/* The figures of what a user tries: asked for as it is typed, one request at a time. The URL says what they are about. */

import { changed } from "./changed.js";
import { load, replaceParts } from "./requests.js";

const PAUSE = 150; // milliseconds without a key

const form = document.getElementById("what-if");
const button = form.querySelector(".show");
let timer = 0;
let wanted = "";
let running = false;

function address() {
  return `${form.action.split("?")[0]}?${new URLSearchParams(new FormData(form))}`;
}

async function refresh() {
  wanted = address();
  if (running) return; // the loop sees what is wanted by then
  running = true;
  for (let shown = ""; shown !== wanted; ) {
    shown = wanted;
    await show(shown);
  }
  running = false;
}

/* Old figures stay dim, and the button comes back, where no new ones came. */
async function show(from) {
  document.getElementById("figures").setAttribute("aria-busy", "true");
  const { outcome, text } = await load(from);
  if (outcome === "outside") location.assign(from);
  button.hidden = outcome === "ok";
  if (outcome !== "ok") return;
  replaceParts(text);
  history.replaceState(null, "", from);
}

form.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(refresh, PAUSE);
});
button.hidden = true;
// Changed before this script had come, or kept by a browser that loads the page again.
if ([...form.elements].some((each) => each.name && changed(each))) refresh();
