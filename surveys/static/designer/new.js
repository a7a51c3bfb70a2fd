/* A new survey: the templates follow what is said of the people. Without this script a button shows them. */

import { replaceParts, send } from "./requests.js";

const form = document.getElementById("new");
const people = form.elements.people;
let newest = 0;

// The form's first button is what Enter presses, so it stays.
const button = document.getElementById("fit");
button.classList.add("hidden");
button.tabIndex = -1;
for (const part of form.querySelectorAll(".basis .field")) part.addEventListener("change", follow);

/* What cannot be read stays typed; its refusal is on the page that follows. */
async function follow() {
  const number = ++newest;
  const { outcome, text } = await send(form);
  if (number !== newest) return;
  people.toggleAttribute("aria-invalid", outcome !== "ok");
  if (outcome === "ok") replaceParts(text);
}
