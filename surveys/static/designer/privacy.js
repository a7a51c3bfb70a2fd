/* Who is asked what. Buttons work without leaving the page, and questions can be dragged between forms. */

import { follow } from "./dragging.js";
import { leave, replaceParts, send } from "./requests.js";

const address = location.pathname;

async function change(form, submitter) {
  const { outcome, text } = await send(form, submitter);
  if (outcome === "ok") {
    replaceParts(text);
    return unfold(submitter?.id);
  }
  // Users who must sign in, or who are offline, get the browser's own page.
  return outcome === "outside" ? leave(address) : form.submit();
}

/* Unfold the part of the pressed button, which keeps the focus. */
function unfold(id) {
  const button = id && document.getElementById(id);
  const fold = button && button.closest("details");
  if (!fold) return;
  fold.open = true;
  button.focus({ preventScroll: true });
}

document.addEventListener("submit", (event) => {
  if (!event.target.closest("#forms")) return;
  event.preventDefault();
  change(named(event.target, event.submitter), event.submitter);
});

/* Name the action of a form that is submitted without its button. */
function named(form, submitter) {
  if (submitter && !form.querySelector("input[name=do]")) {
    form.append(Object.assign(document.createElement("input"), { type: "hidden", name: "do", value: submitter.value }));
    submitter.removeAttribute("name");
  }
  return form;
}

// Dragging ------------------------------------------------------------------------------------------------------

/* Only text outside links and controls starts a drag, because browsers drag links themselves. */
document.addEventListener("pointerdown", (event) => {
  const row = event.target.closest?.("#forms .movable");
  if (!row || event.button !== 0 || event.pointerType !== "mouse" || event.target.closest("a, select, button, summary")) return;
  event.preventDefault();
  drag(row, event.pointerId);
});

function drag(row, pointer) {
  let target = null;
  const mark = (card) => {
    target?.classList.remove("target");
    target = card && card !== row.closest(".card") ? card : null;
    target?.classList.add("target");
  };
  const over = ({ clientX, clientY }) => document.elementFromPoint(clientX, clientY)?.closest("#forms .card");
  follow(row, pointer, row, (event) => mark(over(event)), (dropped) => {
    const card = target;
    mark(null);
    if (dropped && card) move(row, card.dataset.place);
  });
}

/* Submit the row's own form, so that dragging equals its button. */
function move(row, place) {
  const form = row.querySelector(".move");
  form.elements.to.value = place === "0" ? "everyone" : String(Number(place) - 1);
  form.requestSubmit(form.querySelector("button"));
}
