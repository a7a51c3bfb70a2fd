/* Who is asked what: what its buttons do, without leaving the page, and questions dragged from form to form. */

import { follow } from "./dragging.js";
import { leave, replaceParts, send } from "./requests.js";

const address = location.pathname;

async function change(form, submitter) {
  const { outcome, text } = await send(form, submitter);
  if (outcome === "ok") {
    replaceParts(text);
    return unfold(submitter?.id);
  }
  // Users who must sign in, or have no connection, get the browser's own answer.
  return outcome === "outside" ? leave(address) : form.submit();
}

/* What was pressed keeps the focus, and so is not folded. */
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

/* A form that is submitted without its button names what to do itself. */
function named(form, submitter) {
  if (submitter && !form.querySelector("input[name=do]")) {
    form.append(Object.assign(document.createElement("input"), { type: "hidden", name: "do", value: submitter.value }));
    submitter.removeAttribute("name");
  }
  return form;
}

// Dragging ------------------------------------------------------------------------------------------------------

/* Only what no link or control is drags: text of links is dragged as links are. */
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

/* By the row's own form, so that it is what its button does. */
function move(row, place) {
  const form = row.querySelector(".move");
  form.elements.to.value = place === "0" ? "everybody" : String(Number(place) - 1);
  form.requestSubmit(form.querySelector("button"));
}
