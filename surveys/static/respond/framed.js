// The page in a frame: it asks only if every page around it has an origin that its survey names. The site's policy already
// excludes all origins but those that some survey may name.
//
// If a definition's value is no list, it names no origin; so nothing more is checked here.

import { element } from "./dom.js";
import { notice } from "./notice.js";
import { show } from "./view.js";
import { FRAME } from "./words.js";

/**
 * Browsers scroll to what gets the focus. Gecko also scrolls the pages around, which can show them which questions are
 * asked and which answer is chosen by keyboard; Blink does not scroll pages around a fixed element. WebKit was not tested.
 * So only Blink may ask, and only Blink has this object (docs/makers/connect.md).
 */
const FOLLOWED = !navigator.userAgentData;

/** Return the origins of the pages around a window, the innermost first; none if the browser does not name them. */
export function holders({ ancestorOrigins }) {
  return [...(ancestorOrigins ?? [])];
}

/** Return whether a survey that names the origins `named` may be asked inside pages of `origins`. */
export function allowed(origins, named = []) {
  return origins.length > 0 && origins.every((each) => named.includes(each));
}

/** Show that the page may not ask here and return true, or add a note on the outer page and return false. */
export function refuses({ frame_hosts: named }, sayings) {
  const origins = holders(location);
  const known = allowed(origins, named);
  if (!known || FOLLOWED) {
    show(() => notice(FRAME.refused, known ? FRAME.followed : FRAME.why, element("p", {}, alone("button primary"))));
    return true;
  }
  Object.assign(document.body.style, { position: "fixed", inset: 0 });
  const [host] = origins.slice(-1).map((each) => new URL(each).host);
  sayings.push(() => element("p", { class: "hint" }, FRAME.held(host), " ", alone(null)));
  return false;
}

/** Return a link to the page in a window of its own. */
function alone(style) {
  const itself = { href: location.href, target: "_blank", rel: "noopener noreferrer" };
  return element("a", { class: style, ...itself }, FRAME.alone);
}
