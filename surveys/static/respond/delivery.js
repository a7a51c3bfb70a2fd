// Delivery of a report: the same bytes, again and again, until the server accepts or refuses them.

import { linkOf } from "./link.js";

const REPORTS = "/respond/reports";
const TIMEOUT = 15;
const LONGEST_PAUSE = 60;
const LONGEST_WISH = 3600;
// The function that sends.
let way = fetch;
const REFUSALS = [410, 413, 415, 422];

/** From now on use another function with fetch's interface. */
export function through(other) {
  way = other;
}

/**
 * Start sending `body` for the survey `slug`. onWaiting({seconds, reason, mayHurry}) is called before every pause,
 * onTrying() after it. reason is "network" (no answer), "busy" (429) or "server"; mayHurry is false if the server
 * required the pause. Return {outcome, tryNow}: a promise of {recorded, repeated, status}, or of the result of
 * `decided`, and a function that ends a pause.
 */
export function deliver(slug, body, { onWaiting, onTrying }, address = REPORTS, decided = judge) {
  let wake = () => {};
  async function insist() {
    for (let attempt = 0; ; attempt += 1) {
      const reply = await post(slug, body, address);
      const outcome = decided(reply);
      if (outcome !== null) return outcome;
      const pause = pauseAfter(reply, attempt);
      onWaiting(pause);
      await new Promise((resolve) => {
        const timer = setTimeout(resolve, pause.seconds * 1000);
        wake = () => {
          if (!pause.mayHurry) return;
          clearTimeout(timer);
          resolve();
        };
      });
      wake = () => {};
      onTrying();
    }
  }
  const tryNow = () => wake();
  window.addEventListener("online", tryNow);
  const outcome = insist().finally(() => window.removeEventListener("online", tryNow));
  return { outcome, tryNow };
}

/** Return the result of one attempt: {status, content, retryAfter}, status 0 without an answer in time. */
async function post(slug, body, address) {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), TIMEOUT * 1000);
  try {
    const response = await way(address, {
      method: "POST",
      headers: { "content-type": "application/json", ...linkOf(slug) },
      body,
      credentials: "omit",
      referrerPolicy: "no-referrer",
      cache: "no-store",
      redirect: "error",
      signal: controller.signal,
    });
    const retryAfter = response.headers.get("retry-after");
    return { status: response.status, content: await contentOf(response), retryAfter };
  } catch {
    return { status: 0 };
  } finally {
    clearTimeout(timer);
  }
}

/** Return the body of a success, or the problem document of a refusal; else null. */
async function contentOf(response) {
  const type = response.headers.get("content-type") ?? "";
  if (!response.ok && !type.startsWith("application/problem+json")) return null;
  return response.json().catch(() => null);
}

/**
 * Return the outcome of the server's answer, or null for "send the same bytes again". Only the intake's decisions are
 * final. Others, such as a proxy's 403, may pass, and repeating the same bytes reveals nothing more.
 */
export function judge({ status, content }) {
  const type = String(content?.type ?? "");
  if (status === 200 || status === 201) return { recorded: true, repeated: status === 200, status };
  const refused = REFUSALS.includes(status) || (status === 404 && content !== null) ||
    (status === 409 && type.endsWith("/other-definition"));
  if (status === 409 && type.endsWith("/not-begun")) return { recorded: false, repeated: false, status: "early" };
  return refused ? { recorded: false, repeated: false, status } : null;
}

/** Return the pause: 1, 2, 4 ... 60 seconds, or longer if the server requires it. */
function pauseAfter({ status, retryAfter }, attempt) {
  const wish = status === 429 || status === 503 ? wishedSeconds(retryAfter) : 0;
  const seconds = Math.max(Math.min(2 ** attempt, LONGEST_PAUSE), wish);
  const reason = status === 0 ? "network" : status === 429 ? "busy" : "server";
  return { seconds, reason, mayHurry: wish === 0 };
}

/** Return the seconds of Retry-After, a number or a date; 0 if absent or unreadable. */
function wishedSeconds(header) {
  if (header === null) return 0;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return seconds > 0 ? Math.min(Math.ceil(seconds), LONGEST_WISH) : 0;
}
