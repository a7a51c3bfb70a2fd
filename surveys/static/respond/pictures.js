// The pictures of a survey's questions and options, and its logo, if its definition has any.
//
// They are in the definition, the same for all respondents, so the page requests none: requests for visible pictures
// could reveal answers. Each is drawn with its question, asked or not, on a canvas, which needs no exception in the
// page's policy and has its size before it is drawn. An option's words describe its picture.

import { choiceField } from "./choice.js";
import { element } from "./dom.js";
import { FIELDS } from "./fields.js";
import { KINDS } from "./kinds.js";
import { preferred } from "./language.js";
import { languagesOf } from "./languages.js";
import { definition } from "./questionnaire.js";
import { exactly, must, text, whole } from "./rules.js";
import { conclude } from "./view.js";

// WebP in base64: a picture, not a program.
const WEBP = /^UklGR[A-Za-z\d+/]+={0,2}$/;
// The longest sides; the length of a description; and for all together the characters of base64, slightly more than the
// bytes, and pixels. surveys/survey/definition/pictures.py has the same limits.
const [LOGO, QUESTION, OPTION] = [[320, 96], [640, 640], [320, 320]];
const ALT = 300;
const [CHARACTERS, PIXELS] = [350_100, 8_000_000];
const PICTURED = ["single_choice", "multiple_choice", "ordered"];
const RULES = [
  ".picture { display: block; max-width: 100%; border-radius: 0.5rem; }",
  ".logo { max-height: 4rem; margin-bottom: 0.75rem; }",
  // As in the page's style without a logo.
  ".by:empty + .logo + h1 { color: var(--quiet); font: 1rem/1.6 var(--sans); }",
  "h3 + .picture { max-height: 20rem; margin-block: 0.75rem; }",
  ".pictured { grid-template-columns: repeat(auto-fill, minmax(min(8.5rem, 100%), 1fr)); }",
  ".pictured > :not(.withheld) { gap: 0.625rem; padding-inline: 0.625rem; }",
  ".pictured > .illustrated { display: grid; grid-template: 1fr auto / auto 1fr; }",
  ".pictured > * > .picture { grid-column: 1 / -1; order: -1; place-self: center; max-height: 11rem; }",
  ".pictured > .withheld { grid-column: 1 / -1; }",
  "@media print { h3 + .picture, .pictured > * { break-inside: avoid; } }",
];

// The form -----------------------------------------------------------------------------------------------------------

/** Throw RangeError, or any other error, unless the page may show the pictures. */
function sound({ pictures, questions, ...rest }) {
  const tags = languagesOf(rest);
  const keys = questions.map(({ key }) => key);
  const { logo, questions: ofQuestions = {}, options: ofOptions = {} } = pictures;
  exactly(pictures, ["logo", "options", "questions"].filter((part) => part in pictures));
  must([ofQuestions, ofOptions].every((part) => Object.keys(part).every((key) => keys.includes(key))));
  const described = Object.values(ofQuestions).map((each) => [each, QUESTION]);
  if ("logo" in pictures) described.push([logo, LOGO]);
  for (const [{ alt, ...picture }, sides] of described) {
    exactly(alt, tags);
    Object.values(alt).forEach((each) => text(each, ALT, true));
    shape(picture, sides);
  }
  const plain = questions.filter(({ key }) => Object.hasOwn(ofOptions, key)).flatMap(ofEach(ofOptions));
  plain.forEach((picture) => shape(picture, OPTION));
  const all = [...described.map(([picture]) => picture), ...plain];
  must(all.reduce((count, { data }) => count + data.length, 0) <= CHARACTERS);
  must(all.reduce((count, { width, height }) => count + width * height, 0) <= PIXELS);
}

function ofEach(pictures) {
  return ({ key, kind, options, prefer_not_to_say: refusable }) => {
    const given = pictures[key];
    must(PICTURED.includes(kind) && Array.isArray(given) && given.length === options.length - refusable);
    return given.filter((each) => each !== null);
  };
}

function shape(picture, [widest, highest]) {
  const { data, height, width } = picture;
  exactly(picture, ["data", "height", "width"]);
  whole(width, 1, widest);
  whole(height, 1, highest);
  must(typeof data === "string" && WEBP.test(data) && data.length % 4 === 0);
}

// What is shown ------------------------------------------------------------------------------------------------------

/** Return a canvas of this class, with the picture's description in a language, if it has one. */
function drawn({ data, width, height, alt }, name, tag) {
  const node = element("canvas", { class: `picture ${name}`, width, height });
  say(node, alt, tag);
  draw(node, Uint8Array.from(atob(data), (sign) => sign.charCodeAt(0))).catch(() => {
    // If the browser cannot decode or draw it, show the description instead; an option has its words anyway.
    const words = element("p", { class: `hint ${name}`, id: node.id || null });
    if (alt) say(words, alt, node.lang || tag);
    node.replaceWith(...(alt ? [words] : []));
  });
  return node;
}

/** Draw; any error rejects the promise. */
async function draw(node, bytes) {
  await null; // until the node is in its place, where the description may replace it
  const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/webp" }));
  node.getContext("2d").drawImage(bitmap, 0, 0, node.width, node.height);
}

function say(node, alt, tag) {
  if (node.localName === "p") {
    node.lang = tag;
    node.textContent = alt[tag];
    return;
  }
  const said = alt?.[tag] ? { "role": "img", "aria-label": alt[tag], "lang": tag } : { "aria-hidden": "true" };
  for (const name in said) node.setAttribute(name, said[name]);
}

/** Return a function that makes the field of a question with its pictures. */
function pictured(make, { questions = {}, options = {} }) {
  return (question, names, onAnswer) => {
    const { key, kind } = question;
    const shown = Object.hasOwn(questions, key) && questions[key];
    const picture = shown && drawn(shown, "", languagesOf(definition)[0]);
    if (picture) picture.id = `${names.id}-picture`;
    const ofOptions = Object.hasOwn(options, key) && options[key];
    const described = { ...names, describedby: [picture.id, names.describedby].filter(Boolean).join(" ") };
    // Steps with pictures do not fit side by side.
    const made = (ofOptions && kind === "ordered" ? choiceField : make)(question, described, onAnswer);
    if (picture) queueMicrotask(() => made.node.parentElement.querySelector("h3").after(picture));
    if (ofOptions) {
      made.control.classList.add("pictured");
      const buttons = made.control.querySelectorAll("[role=radio], [role=checkbox]");
      ofOptions.forEach((each, i) => {
        if (!each) return;
        buttons[i].classList.add("illustrated");
        buttons[i].prepend(drawn(each, ""));
      });
    }
    return made;
  };
}

/** From now on show pictures with their questions and options. */
export function begin(certified, sayings) {
  try {
    sound(certified);
  } catch (error) {
    conclude(({ unsound }) => unsound({ reason: "form" }, "unknownNow"));
    throw error;
  }
  const { sheet } = document.querySelector("link[integrity]");
  for (const rule of RULES) sheet.insertRule(rule, sheet.cssRules.length);
  for (const kind of Object.keys(KINDS)) FIELDS[kind] = pictured(FIELDS[kind] ?? choiceField, certified.pictures);
  const { logo } = certified.pictures;
  if (!logo) return;
  document.getElementById("by").after(drawn(logo, "logo", preferred(languagesOf(certified))));
  // Each time the page asks anew, it may be in another language.
  sayings.push(() => {
    say(document.querySelector(".logo"), logo.alt, languagesOf(definition)[0]);
    return "";
  });
}
