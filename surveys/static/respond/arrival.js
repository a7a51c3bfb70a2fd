// What has to arrive before anything can be asked: the page's words and the definition's bytes; and what the page shows
// where it does not.

import { preferred, speakIn } from "./language.js";
import { linkOf } from "./link.js";

export const DEFINITION = "/respond/definition";
const LONGEST_WAIT = 60;
export const stage = document.getElementById("stage");
// What the document says for as long as there is nothing to show.
const written = [...stage.childNodes];

/** Speak one of these languages. Its words are asked for until they come: without them the page can say nothing itself. */
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

/** Show what the document says where the page cannot go on. */
export function stuck() {
  stage.replaceChildren(...written);
  document.documentElement.dataset.stuck = "";
}

/** Once the browser is online again, or after so many seconds. */
function online(seconds) {
  return new Promise((resolve) => {
    setTimeout(resolve, 1000 * seconds);
    window.addEventListener("online", resolve, { once: true });
  });
}

/**
 * A survey, {bytes, state, begins, results, newer, earlier}: its definition, whether it is "open", "early" or "closed", when
 * it begins, whether results are published, the slug of the version to which its link leads, and those of earlier versions
 * whose links lead here. Without bytes where no survey has the slug, null where no answer comes. A draft has an
 * address of its own, which knows who may see it.
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

/** SHA-256 of bytes, in hexadecimal. */
export async function sha256(bytes) {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
