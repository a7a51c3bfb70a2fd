// A number on the grid of its range, exactly: decimal strings become fractions of BigInts, never floating point.

const DECIMAL = /^-?[0-9]{1,15}(?:\.[0-9]{1,15})?$/;

// The decimal string as an integer number of 10^-15; null where it is none.
export function decimal(text) {
  if (typeof text !== "string" || !DECIMAL.test(text)) return null;
  const [whole, decimals = ""] = text.split(".");
  return BigInt(whole + decimals.padEnd(15, "0"));
}

// Unbiased randomized rounding of a number between low and high to 0..steps; numbers outside count as the nearest end.
// The position g = steps (x - low)/(high - low) becomes floor(g) + 1 with the chance g - floor(g), else floor(g).
export function gridPoint(answer, low, high, steps, uniform) {
  const [x, from, to] = [answer, low, high].map(decimal);
  const inside = x < from ? from : x > to ? to : x;
  const scaled = (inside - from) * BigInt(steps);
  const threshold = ((scaled % (to - from)) * 2n ** 53n) / (to - from);
  return Number(scaled / (to - from)) + (uniform() < Number(threshold) ? 1 : 0);
}
