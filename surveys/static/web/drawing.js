// The pictures of the trial on the first page: a hundred people, and an estimate that approaches the truth.

import { sample } from "../respond/uniform.js";

const [SIDE, STEP] = [10, 12];
const [WIDTH, HEIGHT, LEFT, BELOW] = [300, 180, 34, 20];
const Z = 1.96;

/** Return an element of a picture. */
function svg(name, attributes, text = "") {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  Object.entries(attributes).forEach(([key, value]) => element.setAttribute(key, value));
  element.textContent = text;
  return element;
}

/** Draw people in random places by their reports. Return a function that outlines those whose answer is yes. */
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

/**
 * Return the estimated share of yes among n people, `reported` of whom reported yes, each report changed with this
 * `chance`. Also return an interval that holds the true share about 95 times in 100: Wilson's for the reports, with
 * both ends corrected for the odds.
 */
export function estimate(reported, n, chance) {
  const back = (share) => (share - chance) / (1 - 2 * chance);
  const [share, z2] = [reported / n, Z ** 2 / n];
  const middle = (share + z2 / 2) / (1 + z2);
  const half = (Math.sqrt(share * (1 - share) * z2 + z2 ** 2 / 4)) / (1 + z2);
  const inside = (value) => Math.min(1, Math.max(0, value));
  return { n, reported, share: inside(back(share)), low: inside(back(middle - half)), high: inside(back(middle + half)) };
}

/** Draw the steps so far, each with twice as many people, up to `most`. `count` and `percent` format numbers. */
export function settling(place, steps, truth, most, count, percent, text) {
  const x = (n) => LEFT + 6 + ((WIDTH - LEFT - 26) * Math.log(n / steps[0].n)) / Math.log(most / steps[0].n);
  const y = (share) => 6 + (HEIGHT - BELOW - 6) * (1 - share);
  const picture = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": text });
  [0, 0.5, 1].forEach((share) => picture.append(
    svg("path", { d: `M${LEFT} ${y(share)}H${WIDTH}`, class: "grid" }),
    svg("text", { x: LEFT - 4, y: y(share) + 4, "text-anchor": "end" }, percent(share))));
  picture.append(svg("path", { d: `M${LEFT} ${y(truth)}H${WIDTH}`, class: "truth" }));
  steps.forEach(({ n, share, low, high }) => picture.append(
    svg("path", { d: `M${x(n)} ${y(low)}V${y(high)}`, class: "interval" }),
    svg("circle", { cx: x(n), cy: y(share), r: 4, class: "estimate" })));
  [steps[0].n, most].forEach((n) => picture.append(
    svg("text", { x: x(n), y: HEIGHT - 4, "text-anchor": "middle" }, count(n))));
  place.replaceChildren(picture);
}
