// A hundred people as a picture: what their reports say, and on request what their answers are.

import { sample } from "../respond/uniform.js";
import { svg } from "./drawing.js";

const SIDE = 10;
const STEP = 12;

/** Draws them in random places, and returns a function that outlines those whose answer is yes, or no longer. */
export function crowd(place, reports, uniform) {
  const seats = sample(reports.length, reports.length, uniform);
  const picture = svg("svg", { viewBox: `0 0 ${SIDE * STEP} ${SIDE * STEP}`, "aria-hidden": "true" });
  const dots = reports.map(({ report }, i) => svg("circle", {
    cx: STEP * (seats[i] % SIDE) + STEP / 2,
    cy: STEP * Math.floor(seats[i] / SIDE) + STEP / 2,
    r: 4,
    class: report === 0 ? "says-yes" : "says-no",
  }));
  picture.append(...dots);
  place.replaceChildren(picture);
  return (open) => dots.forEach((dot, i) => dot.classList.toggle("is-yes", open && reports[i].answer === 0));
}
