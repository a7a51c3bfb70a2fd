/* A new survey. Templates follow the typed answers on people. Without this script a button shows them. */

import { replaceParts, send } from "./requests.js";

const PAUSE = 400; // milliseconds after the last key, when a number is complete
const form = document.getElementById("new");
const people = form.elements.people;
let newest = 0;
let waiting;

// The button stays in the form, because Enter presses the first button.
const button = document.getElementById("fit");
button.classList.add("hidden");
button.tabIndex = -1;
people.addEventListener("input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(follow, PAUSE);
});
const choices = [...form.querySelectorAll(".basis [type=radio]")];
for (const choice of choices) choice.addEventListener("change", follow);
// What was typed or chosen before this script came, or came back with the page, is followed now.
if (people.value !== people.defaultValue || choices.some((each) => each.checked !== each.defaultChecked)) follow();

/* Unreadable text stays typed, with the previous templates. The next page shows its refusal. */
async function follow() {
  const number = ++newest;
  const { outcome, text } = await send(form);
  if (number !== newest) return;
  people.setAttribute("aria-invalid", outcome === "refused");
  if (outcome === "ok") replaceParts(text);
}
