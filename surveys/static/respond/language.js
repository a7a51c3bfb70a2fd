// Which language the page speaks, and the choice of it. The choice is kept nowhere and sent to nobody.

import { element, mark } from "./dom.js";
import { KINDS } from "./kinds.js";
import { pinned } from "./later.js";
import { LANGUAGE, speak } from "./words.js";

const SPOKEN = ["en", "de", "ar"]; // those that words/ has a table of
const RIGHT_TO_LEFT = ["ar", "arc", "ckb", "dv", "fa", "he", "ks", "nqo", "ps", "sd", "syr", "ug", "ur", "yi"];
const RIGHT_TO_LEFT_SCRIPTS = ["Adlm", "Arab", "Hebr", "Nkoo", "Rohg", "Syrc", "Thaa"];

/** How the language of a tag is written, "ltr" or "rtl". */
export function direction(tag) {
  const [language, ...more] = tag.split("-");
  const script = more.find((part) => part.length === 4);
  return (script ? RIGHT_TO_LEFT_SCRIPTS.includes(script) : RIGHT_TO_LEFT.includes(language)) ? "rtl" : "ltr";
}

/** Of these tags the one that a browser with these languages is served best with, else the first. */
export function preferred(tags, wished = navigator.languages) {
  for (const wish of wished) {
    const found = tags.find((tag) => tag.toLowerCase() === wish.toLowerCase()) ??
      tags.find((tag) => base(tag) === base(wish));
    if (found) return found;
  }
  return tags[0];
}

function base(tag) {
  return tag.toLowerCase().split("-")[0];
}

/** From now on the page speaks the language of a tag, or English; an error where its words do not come. */
export async function speakIn(tag) {
  const own = SPOKEN.includes(base(tag));
  speak(await pinned(`${own ? base(tag) : "en"}.js`));
  Object.assign(document.documentElement, own ? { lang: tag, dir: direction(tag) } : { lang: "en", dir: "ltr" });
  // The server has written what there is to say of a survey that is closed or has not begun, once in each language.
  for (const each of document.querySelectorAll("[data-notice]")) {
    each.dataset.notice = "read";
    each.hidden = each.lang !== document.documentElement.lang;
  }
}

/** Say of each text of the survey in which language it is, where the page itself speaks another. */
export function markTexts(definition, tag) {
  const attributes = { lang: tag, dir: direction(tag) };
  mark(document.documentElement.lang === tag ? [] : texts(definition), attributes);
  for (const id of ["title", "introduction"]) Object.assign(document.getElementById(id), attributes);
}

/** Every text that somebody wrote for the survey, not those that the page itself has. */
function texts({ title, introduction, consent, thanks, sections = [], questions }) {
  const written = questions.flatMap((question) => {
    const { text, note, prefer_not_to_say: refusable } = question;
    const own = KINDS[question.kind].texts.map((name) => question[name]);
    return [text, note, ...own.map((each) => (refusable && each === question.options ? each.slice(0, -1) : each))];
  });
  return [title, introduction, consent, thanks, ...sections.flatMap((each) => [each.title, each.text]), ...written].flat();
}

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
