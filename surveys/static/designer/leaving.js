/* Ask before a user leaves a page with unsaved text, including other forms than the submitted one and refused text.
   `data-leavable` marks forms that users may leave: they save while typing, or leaving means no. */

import { changed } from "./changed.js";

let sent = null;

function unsaved(form) {
  if (form === sent || form.method !== "post" || "leavable" in form.dataset) return false;
  const refused = document.getElementById("form-errors") !== null && form.querySelector("[aria-invalid=true]") !== null;
  return refused || [...form.elements].some(changed);
}

document.addEventListener("submit", (event) => {
  sent = event.target;
  setTimeout(() => event.defaultPrevented && (sent = null)); // another script sends it, and the page stays
});
document.addEventListener("input", () => (sent = null)); // the response was a file, and the page stayed
window.addEventListener("beforeunload", (event) => [...document.forms].some(unsaved) && event.preventDefault());
