// The page inside of somebody else's page: it asks only where every page that holds it is of an origin that its survey
// names. The site's policy has kept all others away but those that other surveys of the site may be held by.
//
// A definition whose list is none names no origin, so nothing more of it is looked at here.

import { element } from "./dom.js";
import { notice } from "./notice.js";
import { show } from "./view.js";
import { FRAME } from "./words.js";

/**
 * The origins of the pages that hold a window's, the innermost first. Of a browser that does not name them all, that of the
 * page from which this one was asked for, if no other can be around it. None where nobody can know.
 */
export function holders({ location: { ancestorOrigins }, parent, top, document: { referrer } }) {
  if (ancestorOrigins) return [...ancestorOrigins];
  return parent === top && referrer ? [new URL(referrer).origin] : [];
}

/** Whether a survey that names these origins may be asked where it is held by pages of those. */
export function allowed(origins, named = []) {
  return origins.length > 0 && origins.every((each) => named.includes(each));
}

/** Says where the page is shown, before the first question. Where it may not be, that is all it shows, and it says true. */
export function refuses({ frame_hosts: named }, sayings) {
  const origins = holders(window);
  if (!allowed(origins, named)) {
    show(() => notice(FRAME.refused, FRAME.why, element("p", {}, alone("button primary"))));
    return true;
  }
  stayInside();
  const [host] = origins.slice(-1).map((each) => new URL(each).host);
  sayings.push(() => element("p", { class: "hint" }, FRAME.held(host), " ", alone(null)));
  return false;
}

/**
 * Browsers scroll all pages around what gets the focus, and the outer ones could tell by that which questions are asked and
 * which answer is chosen. Chromium scrolls none around what is fixed in its own page; Firefox does (docs/connect.md).
 */
function stayInside() {
  Object.assign(document.body.style, { position: "fixed", inset: 0 });
}

/** The same page in a window of its own. */
function alone(style) {
  const itself = { href: location.href, target: "_blank", rel: "noopener noreferrer" };
  return element("a", { class: style, ...itself }, FRAME.alone);
}
