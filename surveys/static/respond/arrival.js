// Arrival of the page's words and of the definition, which the first question needs, and the page without them.

import { preferred, speakIn } from "./language.js";
import { linkOf } from "./link.js";

export const DEFINITION = "/respond/definition";
const LONGEST_WAIT = 60;
export const stage = document.getElementById("stage");
// The document's own notices, shown if nothing else can be.
const written = [...stage.childNodes];

/** Speak one of these languages. Request its words until they come, because the page has no other texts. */
export async function speakOneOf(tags) {
  for (let seconds = 1; ; seconds = Math.min(2 * seconds, LONGEST_WAIT)) {
    try {
      await speakIn(preferred(tags));
      delete document.documentElement.dataset.stuck;
      return;
    } catch {
      stuck();
      await online(seconds);
    }
  }
}

/** Show the document's own notices: the page cannot go on. */
export function stuck() {
  stage.replaceChildren(...written);
  document.documentElement.dataset.stuck = "";
}

/** Wait until the browser is online again, or for this many seconds. */
function online(seconds) {
  return new Promise((resolve) => {
    setTimeout(resolve, 1000 * seconds);
    window.addEventListener("online", resolve, { once: true });
  });
}

/**
 * Return a survey, {bytes, state, begins, results, newer, earlier}: its definition, its state ("open", "early",
 * "closed"), its beginning, whether results are published, the slug of the version to which its link leads, and the
 * earlier versions whose links lead here. No bytes if no survey has the slug; null without an answer. A draft's own URL
 * checks who may see it.
 */
export async function fetchedSurvey(slug, draft) {
  if (!draft && !slug) return {};
  const whose = draft ? { credentials: "same-origin" } : { credentials: "omit", headers: linkOf(slug) };
  try {
    const response = await fetch(draft ?? DEFINITION, { ...whose, cache: "no-store", redirect: "error" });
    const { headers, status } = response;
    if (status === 404 && headers.get("content-type")?.startsWith("application/problem+json")) return {};
    if (!response.ok) return null;
    const survey = { bytes: await response.arrayBuffer() };
    for (const name of ["state", "begins", "results", "newer", "earlier"]) survey[name] = headers.get(`survey-${name}`);
    return survey;
  } catch {
    return null;
  }
}

/** Return the SHA-256 of bytes, in hexadecimal. */
export async function sha256(bytes) {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
