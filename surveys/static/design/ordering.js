/* The outline: what its buttons do, and questions moved with a handle, by pointer or arrow keys. */

import { leave, replaceParts, send } from "./requests.js";

const EDGE = 48; // pixels from the edge of the list in which it scrolls while something is dragged

export class Outline {
  constructor(actions, saver) {
    this.actions = actions;
    this.saver = saver;
    actions.addEventListener("submit", (event) => {
      event.preventDefault();
      if (event.submitter.getAttribute("aria-disabled") !== "true") this.send(event.submitter);
    });
    document.addEventListener("keydown", (event) => this.pressed(event));
    document.addEventListener("pointerdown", (event) => this.grabbed(event));
  }

  /* What is being typed is stored first: the page may be left. */
  async send(submitter) {
    if (this.saver && !(await this.saver.settle())) return;
    const { outcome, go, text } = await send(this.actions, submitter);
    if (text) replaceParts(text);
    if (go) leave(go);
    else if (outcome !== "ok") this.saver?.tell(outcome);
    if (outcome === "ok") document.dispatchEvent(new CustomEvent("stored"));
  }

  /* A action that no button of the page stands for. */
  async order(name, value, before) {
    const button = Object.assign(document.createElement("button"), { name, value, hidden: true });
    const field = Object.assign(document.createElement("input"), { type: "hidden", name: "before", value: before ?? "" });
    this.actions.append(button, field);
    await this.send(button);
    button.remove();
    field.remove();
  }

  pressed(event) {
    const handle = event.target.closest?.(".handle");
    const name = { ArrowUp: "up", ArrowDown: "down" }[event.key];
    if (!handle || !name || this.busy) return;
    event.preventDefault();
    this.busy = true;
    this.order(name, handle.closest(".line").dataset.name).finally(() => {
      this.busy = false;
    });
  }

  // Dragging --------------------------------------------------------------------------------------------------

  grabbed(event) {
    const handle = event.target.closest?.(".handle");
    if (!handle || event.button !== 0) return;
    const row = handle.closest(".line");
    const marker = Object.assign(document.createElement("li"), { className: "marker" });
    const watch = new AbortController();
    const options = { signal: watch.signal };
    // The row stays where it is until it is dropped: moved, it would lose the pointer.
    handle.setPointerCapture(event.pointerId);
    row.classList.add("dragged");
    const drop = (dropped) => {
      watch.abort();
      const next = marker.isConnected ? following(marker) : row;
      marker.remove();
      row.classList.remove("dragged");
      if (dropped && next !== row && next !== following(row)) this.order("move", row.dataset.name, next?.dataset.name);
    };
    handle.addEventListener("pointermove", ({ clientY }) => mark(row, marker, clientY), options);
    handle.addEventListener("pointerup", () => drop(true), options);
    handle.addEventListener("pointercancel", () => drop(false), options);
    document.addEventListener("keydown", ({ key }) => key === "Escape" && drop(false), options);
  }
}

/* The next question or heading. */
function following(element) {
  let next = element.nextElementSibling;
  while (next && !next.dataset.name) next = next.nextElementSibling;
  return next;
}

/* Puts the marker where a row dropped at this height would go, and scrolls where the list goes on. */
function mark(row, marker, y) {
  const list = row.parentElement;
  const rows = [...list.children].filter((each) => each.dataset.name);
  const next = rows.find((each) => {
    const { top, height } = each.getBoundingClientRect();
    return y < top + height / 2;
  });
  // Where there are sections, nothing stands above the first one's heading.
  if (next === rows[0] && next.classList.contains("section")) next.after(marker);
  else list.insertBefore(marker, next ?? null);
  const { top, bottom } = list.getBoundingClientRect();
  if (y < top + EDGE) list.scrollBy(0, -EDGE / 4);
  if (y > bottom - EDGE) list.scrollBy(0, EDGE / 4);
}
