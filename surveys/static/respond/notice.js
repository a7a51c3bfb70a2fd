// Views while a report is sent, or if the page cannot go on. outcome.js has the views at the end.

import { button, element, panel } from "./dom.js";
import { SENDING } from "./words.js";

/** Return the view of sending, with waiting(pause) and trying(), which `deliver` calls. */
export function sending(lasting, onTryNow) {
  const status = element("p", { role: "status" });
  const again = button(SENDING.now, { class: "button", hidden: true }, () => {
    if (again.getAttribute("aria-disabled") !== "true") onTryNow();
  });
  const view = panel("outcome", SENDING.title,
    element("p", {}, SENDING.cleared),
    status, again, element("p", { class: "hint" }, lasting ? SENDING.lasting : SENDING.fleeting));

  function trying() {
    status.textContent = SENDING.trying;
    again.setAttribute("aria-disabled", "true");
  }
  function waiting({ seconds, reason, mayHurry }) {
    status.textContent = SENDING.waiting(SENDING[reason], seconds);
    again.hidden = false;
    again.setAttribute("aria-disabled", String(!mayHurry));
  }
  trying();
  return { ...view, trying, waiting };
}

/** Return a view with a title and paragraphs of text, or other nodes. */
export function notice(title, ...parts) {
  const paragraphs = parts.map((part) => (typeof part === "string" ? element("p", {}, part) : part));
  return panel("outcome", title, ...paragraphs);
}
