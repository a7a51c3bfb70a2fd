// Joint randomization: several answers by one draw, under one alpha. ldp/mechanisms/joint.py is the same in Python.
//
// Answers x_1 ... x_s of which x_j is one of d_j are one category of D = d_1 ... d_s, and go through randomized response
// on all D: with one chance all of them stay, else all are replaced by a tuple drawn uniformly. So alpha holds for all of
// them together, also against somebody who knows all but one. `sizes` are d_1 ... d_s; a tuple's number reads it in mixed
// radix, the first answer in the most significant place.

import { MECHANISMS, moved } from "./mechanisms.js";
import { must } from "./rules.js";
import { RESOLUTION } from "./uniform.js";

const TUPLES_MAX = 4096;

// D. RangeError where there are more tuples than a tally counts.
export function tuples(sizes) {
  const count = sizes.reduce((product, size) => product * size, 1);
  must(count <= TUPLES_MAX);
  return count;
}

// The tuple with this number.
function tuple(number, sizes) {
  let rest = number;
  return sizes.map((_, place) => {
    const below = tuples(sizes.slice(place + 1));
    const symbol = Math.floor(rest / below);
    rest %= below;
    return symbol;
  });
}

// The certificate: the largest ratio a / b of the chances of a report under two tuples of answers, as a fraction.
export function worstTogether(table, sizes) {
  return moved(table.other, tuples(sizes));
}

// The shift is what randomized response makes of tuple 0, so it is drawn before the answers are looked at; its places are
// added to them one by one. Every tuple comes from every other one by exactly one shift.
export function drawTogether(answers, table, sizes, uniform) {
  const shift = MECHANISMS.randomized_response.draw(0, table, tuples(sizes), uniform);
  return tuple(shift, sizes).map((step, place) => (answers[place] + step) % sizes[place]);
}

// The table of the channel of one of the answers alone: each of its other values stands in D/d tuples.
export function marginal(table, sizes, place) {
  return { other: table.other * (tuples(sizes) / sizes[place]) };
}

// The chance that all answers stay; else all are replaced.
export function staying(table, sizes) {
  return 1 - (tuples(sizes) * table.other) / RESOLUTION;
}
