// What has to arrive before anything can be asked: the page's words and the definition's bytes; and what the page shows
// where it does not.

import { preferred, speakIn } from "./language.js";

const LONGEST_WAIT = 60;
export const stage = document.getElementById("stage");
// What the server wrote for as long as there is nothing to show.
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

/** Show what the server wrote for where the page cannot go on, with a link to load it again. */
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

/** The bytes at an address of this site, null where they do not come. */
export async function fetchedBytes(url, credentials) {
  try {
    const response = await fetch(url, { credentials, cache: "no-store", redirect: "error" });
    return response.ok ? await response.arrayBuffer() : null;
  } catch {
    return null;
  }
}

/** SHA-256 of bytes, in hexadecimal. */
export async function sha256(bytes) {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
