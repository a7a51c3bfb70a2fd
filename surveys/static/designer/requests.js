/* Requests for parts of a page, which replace elements by their ids (surveys/web/fragments.py). */

const PATIENCE = 15_000; // milliseconds

/* Send a form. Return the outcome: "ok", "clash", "long", "refused", "outside" (the user must sign in), "failed", or
   "offline". With `go` the page is left. */
export function send(form, submitter) {
  return request(form.action, { method: "POST", body: new URLSearchParams(new FormData(form, submitter)) });
}

/* Send files, with more time. */
export function sendFiles(address, body) {
  return request(address, { method: "POST", body }, 4 * PATIENCE);
}

/* Load the present parts at a URL. */
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

/* Focus stays on the element with the same id. */
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

/* Leave the page. Unsaved text makes the browser ask first. */
export function leave(address) {
  if (new URL(address, location.href).pathname !== location.pathname) return location.assign(address);
  history.replaceState(null, "", address);
  return location.reload();
}
