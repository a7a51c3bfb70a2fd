// The choice of a language, of a survey that has several, and how what was done so far is done in the new one. The choice
// is kept nowhere and sent to nobody.

import { element } from "./dom.js";
import { direction } from "./language.js";
import { LANGUAGE } from "./words.js";

/** The choice among the tags of a survey; onChoose(tag) says whether it could be followed. */
export function picker(tags, current, onChoose) {
  const name = element("span", {}, LANGUAGE.label);
  const status = element("p", { class: "hint", role: "status" });
  const select = element("select", { class: "entry", autocomplete: "off" }, ...tags.map((tag) => element("option",
    { value: tag, lang: tag, dir: direction(tag) }, new Intl.DisplayNames([tag], { type: "language" }).of(tag))));
  let tag = current;
  select.value = tag;
  select.addEventListener("change", async () => {
    const wish = select.value;
    if (await onChoose(wish)) tag = wish;
    status.textContent = tag === wish ? "" : LANGUAGE.lost;
    select.value = tag;
    name.textContent = LANGUAGE.label;
    select.focus();
  });
  return element("div", { class: "language" }, element("label", {}, name, " ", select), status);
}

function isOn(control) {
  return ["aria-checked", "aria-pressed"].some((name) => control.getAttribute(name) === "true");
}

const CONTROLS = "button, input, select, details";

/** What somebody has done to controls, done to others that are the same ones in another language. */
export function carry(before, after) {
  const [old, fresh] = [before, after].map((roots) => roots.flatMap((root) => [...root.querySelectorAll(CONTROLS)]));
  if (old.length !== fresh.length) return;
  old.forEach((each, i) => {
    const other = fresh[i];
    if (each.open) other.open = true;
    if (each.checked) other.checked = true;
    if (each.type !== "checkbox" && each.tagName !== "BUTTON" && each.value) {
      other.value = each.value;
      for (const name of ["input", "change"]) other.dispatchEvent(new Event(name, { bubbles: true }));
    }
    if (isOn(each) && !isOn(other)) other.click();
  });
}
