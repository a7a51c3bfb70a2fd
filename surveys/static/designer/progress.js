/* A part of the page that waits, for example for a worker. It is loaded again until it names no URL to load from,
   after the pause that it names. */

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
