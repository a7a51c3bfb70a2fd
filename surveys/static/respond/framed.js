// The page inside of somebody else's page: it asks only where every page that holds it is of an origin that its survey
// names. The site's policy has kept all others away but those that other surveys of the site may be held by.
//
// A definition whose list is none names no origin, so nothing more of it is looked at here.

import { element } from "./dom.js";
import { notice } from "./notice.js";
import { show } from "./view.js";
import { FRAME } from "./words.js";

/**
 * Browsers scroll to what gets the focus. Gecko scrolls the pages around with it, which can tell them which questions are
 * asked and which answer is chosen by keyboard; Blink scrolls none around what is fixed in its own page. Of WebKit nobody
 * here knows, so the survey is asked by Blink alone, which alone has this object (docs/makers/connect.md).
 */
const FOLLOWED = !navigator.userAgentData;

/** The origins of the pages that hold a window's, the innermost first; none where the browser does not name them. */
export function holders({ ancestorOrigins }) {
  return [...(ancestorOrigins ?? [])];
}

/** Whether a survey that names these origins may be asked where it is held by pages of those. */
export function allowed(origins, named = []) {
  return origins.length > 0 && origins.every((each) => named.includes(each));
}

/** Says where the page is shown, before the first question. Where it may not be, that is all it shows, and it says true. */
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

/** The same page in a window of its own. */
function alone(style) {
  const itself = { href: location.href, target: "_blank", rel: "noopener noreferrer" };
  return element("a", { class: style, ...itself }, FRAME.alone);
}
