/* Parts of a page, asked of the site and put in their places by their ids (surveys/web/fragments.py). */

const PATIENCE = 15_000; // milliseconds

/* How it went: "ok", "clash", "long", "refused", "outside" (the user must sign in), "failed", or "offline". With `go` the page is left. */
export function send(form, submitter) {
  return request(form.action, { method: "POST", body: new URLSearchParams(new FormData(form, submitter)) });
}

/* The same with files, for which there is more time. */
export function sendFiles(address, body) {
  return request(address, { method: "POST", body }, 4 * PATIENCE);
}

/* What an address shows by now, in parts. */
export function load(address) {
  return request(address, {});
}

async function request(address, options, patience = PATIENCE) {
  const signal = AbortSignal.timeout(patience);
  try {
    return await read(await fetch(address, { ...options, headers: { "X-Fragments": "1" }, signal }));
  } catch {
    return { outcome: "offline" };
  }
}

async function read(response) {
  if (response.status === 413) return { outcome: "long" };
  if (!response.headers.has("X-Fragments")) {
    return { outcome: response.redirected || response.status === 403 ? "outside" : "failed" };
  }
  const outcome = { 409: "clash", 422: "refused" }[response.status] ?? "ok";
  return { outcome, go: response.headers.get("X-Go"), text: await response.text() };
}

/* Focus stays on what has the same id. */
export function replaceParts(text) {
  const parts = new DOMParser().parseFromString(text, "text/html");
  const focused = document.activeElement?.id;
  for (const part of [...parts.body.children]) {
    const place = document.getElementById(part.id);
    if (place && part.id === "announcer") place.textContent = part.textContent;
    else place?.replaceWith(part);
  }
  if (focused && document.activeElement?.id !== focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

/* What was typed meanwhile keeps the browser here until it is asked. */
export function leave(address) {
  if (new URL(address, location.href).pathname !== location.pathname) return location.assign(address);
  history.replaceState(null, "", address);
  return location.reload();
}
