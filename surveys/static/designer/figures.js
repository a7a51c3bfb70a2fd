/* Figures for the values that a user tries. They are requested while typing, one request at a time. The URL has the
   values. */

import { changed } from "./changed.js";
import { load, replaceParts } from "./requests.js";

const PAUSE = 150; // milliseconds after the last key

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
  if (running) return; // the loop will see the wanted values
  running = true;
  for (let shown = ""; shown !== wanted; ) {
    shown = wanted;
    await show(shown);
  }
  running = false;
}

/* If no new figures come, the old ones stay dim, and the button returns. */
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
// Fields changed before this script loaded, or restored by the browser.
if ([...form.elements].some((each) => each.name && changed(each))) refresh();
