/* A browser's own choice of colours beside a field of #rrggbb. The field is what is sent, and may stay empty. */

export function showPickers(form) {
  for (const picker of form.querySelectorAll("input[type=color]")) {
    const field = document.getElementById(picker.dataset.quiet);
    const follow = () => {
      picker.value = /^#[\da-f]{6}$/i.test(field.value) ? field.value : ownAccent();
    };
    follow();
    picker.hidden = false;
    field.addEventListener("input", follow);
    // "input" while somebody still looks around, "change" once they have chosen.
    for (const type of ["input", "change"]) {
      picker.addEventListener(type, () => {
        field.value = picker.value;
        field.dispatchEvent(new Event(type, { bubbles: true }));
      });
    }
  }
}

/* What the page has without one. */
function ownAccent() {
  return getComputedStyle(document.documentElement).getPropertyValue("--accent").trim();
}
