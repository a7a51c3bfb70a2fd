/* The builder's page. Without this script it works as well, with a button to save. */

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

// What is typed is stored before a link is followed.
document.addEventListener("click", async (event) => {
  const link = event.target.closest?.("a[href]");
  const plain = link && !link.target && !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0;
  if (!plain || link.hash && link.pathname === location.pathname || !saver?.unsettled) return;
  event.preventDefault();
  await saver.settle();
  location.assign(link.href);
});

// What is typed is stored before something else is undone.
document.getElementById("undo-bar")?.parentElement.addEventListener("submit", async (event) => {
  if (event.target.id !== "undo-bar" || !saver?.unsettled) return;
  event.preventDefault();
  if (await saver.settle()) event.target.requestSubmit(event.submitter);
});

// The button that was pressed went with the page: the address names what has the focus now.
if (location.hash) document.getElementById(location.hash.slice(1))?.focus();

// A page that a browser brings back as it was may be older than what is stored.
window.addEventListener("pageshow", (event) => event.persisted && location.reload());

// In a long list the row of what is edited is in sight.
const list = document.querySelector(".lines");
const current = list?.querySelector("[aria-current]");
if (current) {
  list.scrollTop += current.getBoundingClientRect().top - list.getBoundingClientRect().top - list.clientHeight / 3;
}

/* A browser's own choice of colours beside a field of #rrggbb. The field is what is sent, and may stay empty: then the
   picker shows what the page has without one. */
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
    // "input" while a user still looks around, "change" once they have chosen.
    for (const type of ["input", "change"]) {
      picker.addEventListener(type, () => {
        field.value = picker.value;
        field.dispatchEvent(new Event(type, { bubbles: true }));
      });
    }
  }
}

// What was pressed before this script had come (early.js).
window.dispatchEvent(new Event("scripted"));
