// The language of the page. It is not stored and not sent.

import { pinned } from "./later.js";
import { wished } from "./link.js";
import { speak, speakMore, THANKS } from "./words.js";

// The languages of words/ with their directions, from the notices in the document.
const DIRECTIONS = new Map(Array.from(document.querySelectorAll("[data-notice]"), ({ lang, dir }) => [lang, dir]));
export const SPOKEN = [...DIRECTIONS.keys()];

/** Return the tag that fits the wished languages best, else the first. */
export function preferred(tags, wishes = wished) {
  for (const wish of wishes) {
    const found = tags.find((tag) => tag.toLowerCase() === wish.toLowerCase()) ??
      tags.find((tag) => base(tag) === base(wish));
    if (found) return found;
  }
  return tags[0];
}

/** Return whether the page has words in the language of a tag. */
export function isSpoken(tag) {
  return SPOKEN.includes(base(tag));
}

function base(tag) {
  return tag.toLowerCase().split("-")[0];
}

/** Return the locale for dates: the page's language with European digits. */
export function locale() {
  return `${document.documentElement.lang}-u-nu-latn`;
}

/** Use the language of a tag, or English, from now on. Fails if its words do not come. */
export async function speakIn(tag) {
  const own = isSpoken(tag) ? tag : "en";
  const table = await pinned(`${base(own)}.js`);
  const more = THANKS && await pinned(table.LATER.words);
  speak(table);
  if (more) speakMore(more);
  Object.assign(document.documentElement, { lang: own, dir: DIRECTIONS.get(base(own)) });
  // The document has notices in each language.
  for (const each of document.querySelectorAll("[data-notice]")) {
    each.dataset.notice = "read";
    each.hidden = each.lang !== base(own);
  }
}
