/* Save the edited part while the user types, one request at a time, and show the state.

   A request without a response may still have been stored. So the next request names what was sent, and the site
   does not take the user's own work for another user's. */

import { changed } from "./changed.js";
import { leave, replaceParts, send } from "./requests.js";

const PAUSE = 700; // milliseconds after the last key
const AGAIN = 5_000;
const UNANSWERED = 10;

export class Saver {
  constructor(form) {
    this.form = form;
    this.state = document.getElementById("state");
    this.alarm = document.getElementById("alarm");
    this.unanswered = [];
    this.dirty = false;
    this.running = null;
    this.listen();
    this.showState("saved");
    const early = [...form.elements].filter(changed); // changed before this script loaded
    for (const field of early) this.typed(field, 0);
  }

  listen() {
    this.form.addEventListener("input", ({ target }) => this.typed(target, PAUSE));
    this.form.addEventListener("change", ({ target }) => this.typed(target, 0));
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.save(event.submitter?.id === "save" ? undefined : event.submitter);
    });
    window.addEventListener("online", () => this.dirty && this.save());
    window.addEventListener("beforeunload", (event) => this.unsettled && event.preventDefault());
    document.addEventListener("keydown", (event) => {
      if ((event.ctrlKey || event.metaKey) && event.key === "s") {
        event.preventDefault();
        this.save();
      }
    });
  }

  typed(target, pause) {
    if ("quiet" in target.dataset) return;
    this.dirty = true;
    this.showState("saving");
    clearTimeout(this.timer);
    // A key is a name, and half a key would be a name, too.
    if (target.name !== "key" || pause === 0) this.timer = setTimeout(() => this.save(), pause);
  }

  get unsettled() {
    return this.dirty || this.running !== null;
  }

  /* Resolve when no typed text waits or is being sent: true if all is stored. */
  async settle() {
    while (this.running) await this.running;
    return this.dirty ? this.save() : true;
  }

  /* Resolve when earlier text has a response: true if it is stored. */
  async save(submitter) {
    clearTimeout(this.timer);
    while (this.running) await this.running;
    this.running = this.sendOnce(submitter);
    const stored = await this.running;
    return stored;
  }

  async sendOnce(submitter) {
    this.dirty = false;
    this.showState("saving");
    const sent = this.fields();
    const { outcome, go, text } = await send(this.withUnanswered(), submitter);
    this.running = null;
    if (outcome === "offline" || outcome === "failed") this.unanswered = [...this.unanswered, sent].slice(-UNANSWERED);
    else if (outcome !== "outside") this.unanswered = [];
    if (text) this.show(text);
    const stored = outcome === "ok";
    this.dirty = this.dirty || !stored;
    if (stored && go) leave(go);
    if (!this.dirty || !stored) this.showState(stored ? "saved" : outcome);
    if (outcome === "offline" || outcome === "failed") this.timer = setTimeout(() => this.save(), AGAIN);
    if (outcome === "clash") document.getElementById("clash").focus();
    if (stored) document.dispatchEvent(new CustomEvent("stored"));
    return stored;
  }

  /* Send another form's data, after the requests under way. */
  async sendOther(sending) {
    while (this.running) await this.running;
    this.showState("saving");
    this.running = sending();
    const { outcome, go, text } = await this.running;
    this.running = null;
    if (text) this.show(text);
    this.showState(outcome === "ok" ? "saved" : outcome);
    if (outcome !== "ok") return;
    if (go) leave(go);
    document.dispatchEvent(new CustomEvent("stored"));
  }

  fields() {
    const data = new URLSearchParams(new FormData(this.form));
    data.delete("csrfmiddlewaretoken");
    return data.toString();
  }

  withUnanswered() {
    for (const old of this.form.querySelectorAll("[name=unanswered]")) old.remove();
    for (const text of this.unanswered) {
      const field = Object.assign(document.createElement("input"), { type: "hidden", name: "unanswered", value: text });
      this.form.append(field);
    }
    return this.form;
  }

  show(text) {
    replaceParts(text);
    for (const errors of this.form.querySelectorAll(".errors")) {
      const field = document.getElementById(errors.id.replace("e-", "f-"));
      if ("wrong" in errors.dataset) field?.setAttribute("aria-invalid", "true");
      else field?.removeAttribute("aria-invalid");
    }
  }

  showState(state) {
    const words = this.state.dataset[state];
    const failed = state !== "saved" && state !== "saving";
    this.state.textContent = words;
    this.state.className = failed ? "failed" : state;
    if (failed && this.alarm.textContent !== words) this.alarm.textContent = words;
    if (state === "saved") this.alarm.textContent = "";
  }
}
