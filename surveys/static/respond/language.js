// Which language the page speaks. It is kept nowhere and sent to nobody.

import { pinned } from "./later.js";
import { wished } from "./link.js";
import { speak, speakMore, THANKS } from "./words.js";

// Those that words/ has a table of, and how each is written: the document has notices in each.
const DIRECTIONS = new Map(Array.from(document.querySelectorAll("[data-notice]"), ({ lang, dir }) => [lang, dir]));
export const SPOKEN = [...DIRECTIONS.keys()];

/** Of these tags the one that somebody who wishes for these languages is served best with, else the first. */
export function preferred(tags, wishes = wished) {
  for (const wish of wishes) {
    const found = tags.find((tag) => tag.toLowerCase() === wish.toLowerCase()) ??
      tags.find((tag) => base(tag) === base(wish));
    if (found) return found;
  }
  return tags[0];
}

/** Whether the page speaks the language of a tag. */
export function isSpoken(tag) {
  return SPOKEN.includes(base(tag));
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
  const own = isSpoken(tag) ? tag : "en";
  const table = await pinned(`${base(own)}.js`);
  const more = THANKS && await pinned(table.LATER.words);
  speak(table);
  if (more) speakMore(more);
  Object.assign(document.documentElement, { lang: own, dir: DIRECTIONS.get(base(own)) });
  // The document says it in each language.
  for (const each of document.querySelectorAll("[data-notice]")) {
    each.dataset.notice = "read";
    each.hidden = each.lang !== base(own);
  }
}
