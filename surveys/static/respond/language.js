// Which language the page speaks. It is kept nowhere and sent to nobody.

import { mark } from "./dom.js";
import { ownFields } from "./kinds.js";
import { pinned } from "./later.js";
import { wished } from "./link.js";
import { speak, speakMore, THANKS } from "./words.js";

// Those that words/ has a table of: the document has notices in each.
export const SPOKEN = Array.from(document.querySelectorAll("[data-notice]"), ({ lang }) => lang);
// Languages and scripts.
const RIGHT_TO_LEFT = /^(ar|arc|ckb|dv|fa|he|ks|nqo|ps|sd|syr|ug|ur|yi|Adlm|Arab|Hebr|Nkoo|Rohg|Syrc|Thaa)$/;

/** How the language of a tag is written, "ltr" or "rtl". */
export function direction(tag) {
  const [language, ...more] = tag.split("-");
  return RIGHT_TO_LEFT.test(more.find((part) => part.length === 4) ?? language) ? "rtl" : "ltr";
}

/** The attributes of an element in the language of a tag. */
function attributesOf(tag) {
  return { lang: tag, dir: direction(tag) };
}

/** Of these tags the one that somebody who wishes for these languages is served best with, else the first. */
export function preferred(tags, wishes = wished) {
  for (const wish of wishes) {
    const found = tags.find((tag) => tag.toLowerCase() === wish.toLowerCase()) ??
      tags.find((tag) => base(tag) === base(wish));
    if (found) return found;
  }
  return tags[0];
}

function base(tag) {
  return tag.toLowerCase().split("-")[0];
}

/** For dates: the language that the page speaks, with the digits of its numbers. */
export function locale() {
  return `${document.documentElement.lang}-u-nu-latn`;
}

/** From now on the page speaks the language of a tag, or English; an error where its words do not come. */
export async function speakIn(tag) {
  const own = SPOKEN.includes(base(tag)) ? tag : "en";
  const table = await pinned(`${base(own)}.js`);
  const more = THANKS && await pinned(table.LATER.words);
  speak(table);
  if (more) speakMore(more);
  Object.assign(document.documentElement, attributesOf(own));
  // The document says it in each language.
  for (const each of document.querySelectorAll("[data-notice]")) {
    each.dataset.notice = "read";
    each.hidden = each.lang !== base(document.documentElement.lang);
  }
}

/** Say of each text of the survey in which language it is, where the page itself speaks another. */
export function markTexts(definition, tag) {
  const attributes = attributesOf(tag);
  mark(document.documentElement.lang === tag ? [] : texts(definition), attributes);
  for (const id of ["title", "introduction"]) Object.assign(document.getElementById(id), attributes);
}

/** Every text that somebody wrote for the survey, not those that the page itself has. */
function texts({ title, introduction, consent, thanks, sections = [], questions }) {
  const written = questions.flatMap((question) => {
    const { text, note, prefer_not_to_say: refusable } = question;
    const own = ownFields(question, "texts").map((name) => question[name]);
    return [text, note, ...own.map((each) => (refusable && each === question.options ? each.slice(0, -1) : each))];
  });
  return [title, introduction, consent, thanks, ...sections.flatMap((each) => [each.title, each.text]), ...written].flat();
}
