// For a later wave of another survey: what the reports of all waves can reveal together.

import { above, decimalText, totalDelta, totalFactor } from "./certificate.js";
import { element } from "./dom.js";
import { expBelow } from "./exact.js";
import { apart, believed } from "./promise.js";
import { definition } from "./questionnaire.js";
import { decimal, millionths } from "./rules.js";
import { PATTERNS } from "./shape.js";
import { BELIEFS } from "./words.js";

// surveys/survey/definition/waves.py has the same rule.
PATTERNS.wave_of =
  /^{"alpha":"(?!0")(0|[1-9]\d{0,5})(\.\d{0,5}[1-9])?",("delta":"0\.0\d{0,10}[1-9]",)?"digest":"[\da-f]{64}","survey":"\w[-\w]{0,31}"}$/;

/** Add to the promise what holds for a person who answered all waves so far. */
export function begin(certified, sayings) {
  sayings.push(() => element("p", {}, BELIEFS.wave + believed(factorOfWaves(definition), BELIEFS) + apart(deltaOfWaves(definition))));
}

// Beyond alpha 16 beliefs no longer change.
function factorOfWaves({ wave_of: { alpha }, ...asked }) {
  const [a, b] = totalFactor(asked);
  const [c, d] = above(expBelow(millionths(`${Math.min(16, alpha)}`), 1n));
  return [a * c, b * d];
}

// Null if no wave has a delta.
function deltaOfWaves({ wave_of: { delta }, ...asked }) {
  const deltas = [totalDelta(asked), delta].filter(Boolean).map(decimal);
  return deltas.length > 0 ? decimalText(deltas.reduce((one, other) => one + other), 15) : null;
}
