/* A file of links leaves its page where it is: what the page says of the invitations is loaded again until it has changed. */

import { load, replaceParts } from "./requests.js";

const PAUSE = 500; // milliseconds
const MOST = 60; // times

const count = () => document.getElementById("rates").dataset.invited;

async function refresh(before, left) {
  const { outcome, text } = await load(location.pathname);
  if (outcome === "ok") replaceParts(text);
  if (left && count() === before) setTimeout(refresh, PAUSE, before, left - 1);
}

document.getElementById("invite").addEventListener("submit", () => setTimeout(refresh, PAUSE, count(), MOST));
