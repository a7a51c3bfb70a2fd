// For surveys in several languages, or in one that the page does not speak: the rules of translations, the definition
// with one language's texts, marks of languages, the choice of a language, and the transfer of entered answers. The
// choice is not stored and not sent.
//
// A translation has a text exactly where the original has one, by position, and nothing that changes a report, because
// answers are positions. surveys/survey/definition/translations.py has the same rules.

import { element, mark } from "./dom.js";
import { KINDS, ownFields } from "./kinds.js";
import { speakIn } from "./language.js";
import { AROUND, TRANSLATIONS } from "./languages.js";
import { BLANK, differentTexts, exactly, LIMITS, must, text } from "./rules.js";
import { LANGUAGE } from "./words.js";

const OF_SECTION = { title: LIMITS.title, text: LIMITS.text };
const OF_QUESTION = { text: LIMITS.text, note: LIMITS.text, unit: LIMITS.unit };

// Languages and scripts.
const RIGHT_TO_LEFT = /^(ar|arc|ckb|dv|fa|he|ks|nqo|ps|sd|syr|ug|ur|yi|Adlm|Arab|Hebr|Nkoo|Rohg|Syrc|Thaa)$/;

// The rules -----------------------------------------------------------------------------------------------------------

TRANSLATIONS.complete = (definition, tags) => {
  must(tags.length > 0);
  exactly(definition.translations, tags);
  for (const texts of Object.values(definition.translations)) whole(definition, texts);
};

function whole(definition, texts) {
  const { sections = [], questions } = definition;
  const more = ["consent", "thanks", "sections"].filter((name) => name in definition);
  exactly(texts, ["title", "introduction", "questions", ...more]);
  matching(definition, texts, AROUND);
  along(sections, texts.sections ?? [], (section, each) => {
    exactly(each, ["title", "text"]);
    matching(section, each, OF_SECTION);
  });
  along(questions, texts.questions, (question, each) => {
    exactly(each, ["text", "note", ...textFields(question)]);
    matching(question, each, OF_QUESTION);
    for (const name of Object.keys(each).filter((list) => typeof question[list] !== "string")) {
      differentTexts(each[name], LIMITS.categories);
      must(each[name].length === question[name].length - (name === "options" && question.prefer_not_to_say));
    }
  });
}

function textFields(question) {
  return ownFields(question, "texts").filter((name) => name !== "limits" && name !== "exclusive");
}

function along(originals, given, rule) {
  must(given.length === originals.length);
  given.forEach((each, i) => rule(originals[i], each));
}

function matching(original, texts, limits) {
  for (const name of Object.keys(limits).filter((each) => each in texts)) {
    text(texts[name], limits[name], true);
    must(BLANK.test(texts[name]) === BLANK.test(original[name]));
  }
}

// What is asked -------------------------------------------------------------------------------------------------------

TRANSLATIONS.worded = (definition, { sections = [], questions, ...texts }, tag, own) => {
  const spoken = { ...definition, ...texts, language: tag };
  if (definition.sections) spoken.sections = definition.sections.map((each, i) => ({ ...each, ...sections[i] }));
  spoken.questions = definition.questions.map((each, i) => wordedQuestion({ ...each, ...questions[i] }, questions[i], own));
  return spoken;
};

function wordedQuestion(question, { options }, own) {
  const answers = KINDS[question.kind].ownOptions?.(question, own) ?? options;
  if (answers === undefined) return question;
  return { ...question, options: [...answers, ...(question.prefer_not_to_say ? [own.withheld] : [])] };
}

// Whose language -----------------------------------------------------------------------------------------------------

/** Return the direction of a language, "ltr" or "rtl". */
export function direction(tag) {
  const [language, ...more] = tag.split("-");
  return RIGHT_TO_LEFT.test(more.find((part) => part.length === 4) ?? language) ? "rtl" : "ltr";
}

/** Return the attributes of an element in a language. */
function attributesOf(tag) {
  return { lang: tag, dir: direction(tag) };
}

/** Mark each text of the survey with its language, if the page itself speaks another. */
export function markTexts(definition, tag) {
  const attributes = attributesOf(tag);
  mark(document.documentElement.lang === tag ? [] : everyText(definition), attributes);
  for (const id of ["title", "introduction"]) Object.assign(document.getElementById(id), attributes);
}

/** Return every text that the authors wrote, without the page's own. */
function everyText({ title, introduction, consent, thanks, sections = [], questions }) {
  const written = questions.flatMap((question) => {
    const { prefer_not_to_say: refusable } = question;
    const own = textFields(question).map((name) => question[name]);
    return [question.text, question.note, ...own.map((each) => (refusable && each === question.options ? each.slice(0, -1) : each))];
  });
  return [title, introduction, consent, thanks, ...sections.flatMap((each) => [each.title, each.text]), ...written].flat();
}

// The choice ----------------------------------------------------------------------------------------------------------

/**
 * Return the choice among the tags of a survey. `page` has the parts that a language changes: the `stage`, the part
 * `below`, and form(), the visible questions; and read(tag) and redraw(), which change them.
 */
export function picker(tags, current, page) {
  const name = element("span", {}, LANGUAGE.label);
  const status = element("p", { class: "hint", role: "status" });
  const select = element("select", { class: "entry", autocomplete: "off" }, ...tags.map((tag) => element("option",
    { value: tag, lang: tag, dir: direction(tag) }, new Intl.DisplayNames([tag], { type: "language" }).of(tag))));
  let tag = current;
  select.value = tag;
  select.addEventListener("change", async () => {
    const wish = select.value;
    if (await change(wish, page)) tag = wish;
    status.textContent = tag === wish ? "" : LANGUAGE.lost;
    select.value = tag;
    name.textContent = LANGUAGE.label;
    select.focus();
  });
  return element("div", { class: "language" }, element("label", {}, name, " ", select), status);
}

/** Show the page in another language, with the same answers; return whether its words came. */
async function change(tag, { stage, below, form, read, redraw }) {
  try {
    await speakIn(tag);
  } catch {
    return false;
  }
  const [before, left, at] = [element("div", {}, ...stage.childNodes, ...below.childNodes), form(), form()?.place()];
  read(tag);
  if (!redraw()) stage.append(...before.querySelectorAll("[data-notice]"));
  carry([before], [stage, below]);
  left?.clear();
  if (left) form().show(at);
  return true;
}

function isOn(control) {
  return ["aria-checked", "aria-pressed"].some((name) => control.getAttribute(name) === "true");
}

const CONTROLS = "button, input, select, details";

/** Repeat the old controls' state on those of the new language. */
function carry(before, after) {
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
