/* A part of the page that says how far a worker is: loaded again until it no longer names an address to load it from. */

import { load, replaceParts } from "./requests.js";

const PAUSE = 1_000; // milliseconds

async function refresh() {
  const address = document.querySelector("[data-refresh]")?.dataset.refresh;
  if (!address) return;
  const { outcome, text } = await load(address);
  if (outcome === "outside") location.reload();
  if (text) replaceParts(text);
  setTimeout(refresh, PAUSE);
}

setTimeout(refresh, PAUSE);
