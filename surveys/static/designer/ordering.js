/* The outline: its buttons' actions, and questions that a handle moves by pointer or arrow keys. */

import { drag } from "./dragging.js";
import { leave, replaceParts, send } from "./requests.js";

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

  /* Store typed text first, because the page may be left. */
  async send(submitter) {
    if (this.saver && !(await this.saver.settle())) return;
    const { outcome, go, text } = await send(this.actions, submitter);
    if (text) replaceParts(text);
    if (go) leave(go);
    else if (outcome !== "ok") this.saver?.showState(outcome);
    if (outcome === "ok") document.dispatchEvent(new CustomEvent("stored"));
  }

  /* Send an action that has no button on the page. */
  async order(name, value, before) {
    const button = Object.assign(document.createElement("button"), { name, value, hidden: true });
    const field = Object.assign(document.createElement("input"), { type: "hidden", name: "before", value: before ?? "" });
    this.actions.append(button, field);
    await this.send(button);
    button.remove();
    field.remove();
  }

  pressed(event) {
    const handle = event.target.closest?.(".line .handle");
    const name = { ArrowUp: "up", ArrowDown: "down" }[event.key];
    if (!handle || !name || this.busy) return;
    event.preventDefault();
    this.busy = true;
    this.order(name, handle.closest(".line").dataset.name).finally(() => {
      this.busy = false;
    });
  }

  grabbed(event) {
    const handle = event.target.closest?.(".line .handle");
    if (!handle) return;
    const row = handle.closest(".line");
    drag(event, handle, row, (next) => this.order("move", row.dataset.name, next?.dataset.name));
  }
}
