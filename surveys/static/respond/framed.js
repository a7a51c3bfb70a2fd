// The page in a frame. It asks only if the survey names the origins of all pages around. The site's policy already
// excludes origins that no survey may name.
//
// A definition's value that is no list names no origin, so it needs no check here.

import { element } from "./dom.js";
import { notice } from "./notice.js";
import { show } from "./view.js";
import { FRAME } from "./words.js";

/**
 * Browsers scroll to the focused element. Gecko also scrolls the pages around, which can show them the asked questions
 * and answers chosen by keyboard; Blink does not around a fixed element. WebKit was not tested. So only Blink, which
 * alone has this object, may ask (docs/makers/connect.md).
 */
const FOLLOWED = !navigator.userAgentData;

/** Return the origins of the pages around a window, innermost first; none if the browser does not tell. */
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
