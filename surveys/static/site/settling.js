// How an estimate settles on the truth as people are added.

import { svg } from "./drawing.js";

const Z = 1.96;
const [WIDTH, HEIGHT, LEFT, BELOW] = [300, 180, 34, 20];

/**
 * The share of yes among n people of whom so many `reported` it, each report changed with this `chance`, and an interval
 * around it that holds the true share about 95 times in 100: Wilson's for the reports, with the odds taken out of both
 * ends.
 */
export function estimate(reported, n, chance) {
  const back = (share) => (share - chance) / (1 - 2 * chance);
  const [share, z2] = [reported / n, Z ** 2 / n];
  const middle = (share + z2 / 2) / (1 + z2);
  const half = (Math.sqrt(share * (1 - share) * z2 + z2 ** 2 / 4)) / (1 + z2);
  const inside = (value) => Math.min(1, Math.max(0, value));
  return { n, reported, share: inside(back(share)), low: inside(back(middle - half)), high: inside(back(middle + half)) };
}

/** Draws the steps so far, each with twice as many people; `most` is where the picture ends, `count` writes a number. */
export function settling(place, steps, truth, most, count, text) {
  const x = (n) => LEFT + 6 + ((WIDTH - LEFT - 26) * Math.log(n / steps[0].n)) / Math.log(most / steps[0].n);
  const y = (share) => 6 + (HEIGHT - BELOW - 6) * (1 - share);
  const picture = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": text });
  [0, 0.5, 1].forEach((share) => picture.append(
    svg("path", { d: `M${LEFT} ${y(share)}H${WIDTH}`, class: "grid" }),
    svg("text", { x: LEFT - 4, y: y(share) + 4, "text-anchor": "end" }, `${100 * share}%`)));
  picture.append(svg("path", { d: `M${LEFT} ${y(truth)}H${WIDTH}`, class: "truth" }));
  steps.forEach(({ n, share, low, high }) => picture.append(
    svg("path", { d: `M${x(n)} ${y(low)}V${y(high)}`, class: "interval" }),
    svg("circle", { cx: x(n), cy: y(share), r: 4, class: "estimate" })));
  [steps[0].n, most].forEach((n) => picture.append(
    svg("text", { x: x(n), y: HEIGHT - 4, "text-anchor": "middle" }, count(n))));
  place.replaceChildren(picture);
}
