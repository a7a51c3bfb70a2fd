/* A file of links leaves its page where it is: what the page says of the invitations is loaded again until it has changed.
   A page with refusals goes then, since they hold no longer. */

import { load, replaceParts } from "./requests.js";

const PAUSE = 500; // milliseconds
const MOST = 60; // times

const { page } = document.getElementById("rates").dataset;
const count = () => document.getElementById("rates").dataset.invited;

async function refresh(before, left) {
  const { outcome, text } = await load(page);
  if (outcome === "ok") replaceParts(text);
  if (count() !== before && location.pathname !== page) location.assign(page);
  if (left && count() === before) setTimeout(refresh, PAUSE, before, left - 1);
}

document.getElementById("invite").addEventListener("submit", () => setTimeout(refresh, PAUSE, count(), MOST));
