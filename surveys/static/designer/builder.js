/* The builder's page. It also works without this script, with a button to save. */

import { Outline } from "./ordering.js";
import { showPictures } from "./pictures.js";
import { Preview } from "./preview.js";
import { showRows } from "./rows.js";
import { Saver } from "./saving.js";

const part = document.getElementById("part");
const actions = document.getElementById("actions");
const preview = document.querySelector(".preview");
document.documentElement.classList.add("scripted");

const saver = part && new Saver(part);
if (part) showRows(part);
if (part) showPickers(part);
const pictures = document.getElementById("pictures");
if (pictures) showPictures(pictures, saver);
if (actions) actions.outline = new Outline(actions, saver);
if (preview) preview.shows = new Preview(preview);

// Store typed text before following a link.
document.addEventListener("click", async (event) => {
  const link = event.target.closest?.("a[href]");
  const plain = link && !link.target && !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0;
  if (!plain || link.hash && link.pathname === location.pathname || !saver?.unsettled) return;
  event.preventDefault();
  await saver.settle();
  location.assign(link.href);
});

// Store typed text before undoing something else.
document.getElementById("undo-bar")?.parentElement.addEventListener("submit", async (event) => {
  if (event.target.id !== "undo-bar" || !saver?.unsettled) return;
  event.preventDefault();
  if (await saver.settle()) event.target.requestSubmit(event.submitter);
});

// The pressed button is gone; the URL names the element to focus.
if (location.hash) document.getElementById(location.hash.slice(1))?.focus();

// A page that a browser restores may be older than the stored draft.
window.addEventListener("pageshow", (event) => event.persisted && location.reload());

// Show the row of the edited part in a long list.
const list = document.querySelector(".lines");
const current = list?.querySelector("[aria-current]");
if (current) {
  list.scrollTop += current.getBoundingClientRect().top - list.getBoundingClientRect().top - list.clientHeight / 3;
}

/* The browser's colour picker beside a field of #rrggbb. Only the field is sent, and it may be empty. Then the
   picker shows the page's default. */
function showPickers(form) {
  for (const picker of form.querySelectorAll("input[type=color]")) {
    const field = document.getElementById(picker.dataset.quiet);
    const accent = () => getComputedStyle(document.documentElement).getPropertyValue("--accent").trim();
    const follow = () => {
      picker.value = /^#[\da-f]{6}$/i.test(field.value) ? field.value : accent();
    };
    follow();
    picker.hidden = false;
    field.addEventListener("input", follow);
    // "input" comes while a user tries colours, "change" after the choice.
    for (const type of ["input", "change"]) {
      picker.addEventListener(type, () => {
        field.value = picker.value;
        field.dispatchEvent(new Event(type, { bubbles: true }));
      });
    }
  }
}

// Release clicks from before this script loaded (early.js).
window.dispatchEvent(new Event("scripted"));
