/* Asks before a page is left with something typed that is not stored: in a form other than the one that is sent, too, and
   what came back with an error. A form that may be left says so by `data-leavable`: it saves as it is typed in, or leaving
   it means no. */

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
document.addEventListener("input", () => (sent = null)); // what was sent was answered by a file, and the page stayed
window.addEventListener("beforeunload", (event) => [...document.forms].some(unsaved) && event.preventDefault());
