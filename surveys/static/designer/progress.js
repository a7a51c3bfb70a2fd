/* A part of the page that waits for something, such as a worker: loaded again until it no longer names an address to load it
   from, or asked after as slowly as it says. */

import { load, replaceParts } from "./requests.js";

const PAUSE = 1_000; // milliseconds

async function refresh() {
  const part = document.querySelector("[data-refresh]");
  if (!part) return;
  const { outcome, text } = await load(part.dataset.refresh);
  if (outcome === "outside") location.reload();
  if (text) replaceParts(text);
  setTimeout(refresh, Number(part.dataset.pause ?? PAUSE));
}

setTimeout(refresh, PAUSE);
