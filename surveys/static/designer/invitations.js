/* A download of links does not leave its page. So the page's numbers are loaded again until they change. A page with
   refusals is left then, because they are out of date. */

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
