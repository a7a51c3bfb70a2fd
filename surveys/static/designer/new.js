/* A new survey: the templates follow what is said of the people. Without this script a button shows them. */

import { replaceParts, send } from "./requests.js";

const PAUSE = 400; // milliseconds without a key, after which a number is one
const form = document.getElementById("new");
const people = form.elements.people;
let newest = 0;
let waiting;

// The form's first button is what Enter presses, so it stays.
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

/* What cannot be read stays typed, beside the templates of before; its refusal is on the page that follows. */
async function follow() {
  const number = ++newest;
  const { outcome, text } = await send(form);
  if (number !== newest) return;
  people.setAttribute("aria-invalid", outcome === "refused");
  if (outcome === "ok") replaceParts(text);
}
