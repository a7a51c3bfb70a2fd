// Uniform numbers from random words.
//
// `words` is a function that returns the next uniform 32-bit integer; `uniform` one that returns the next uniform
// integer in 0..2^53-1. Both are passed as arguments, so a test can replay them.

// A chance is an integer of the tables over this number.
export const RESOLUTION = 2 ** 53;

// 21 bits of one word above the 32 bits of the next: every integer below 2^53 exactly once, each exact as a Number.
export function uniformFrom(words) {
  return () => {
    const high = words() & 0x1fffff;
    const low = words();
    return high * 0x100000000 + low;
  };
}

// A uniform integer in 0..k-1. The integers below 2^53 - 2^53 % k hold every remainder equally often; the fewer than k
// others are drawn again, so the number of draws depends on chance and k alone.
export function choice(k, uniform) {
  const end = RESOLUTION - (RESOLUTION % k);
  let u = uniform();
  while (u >= end) u = uniform();
  return u % k;
}

// The first m places of a uniform shuffle of 0..n-1 (Fisher-Yates): m choices, among n, n-1, ... .
export function sample(n, m, uniform) {
  const deck = Array.from({ length: n }, (_, i) => i);
  for (let i = 0; i < m; i += 1) {
    const j = i + choice(n - i, uniform);
    [deck[i], deck[j]] = [deck[j], deck[i]];
  }
  return deck.slice(0, m);
}

// A random (version 4) UUID from four words.
export function uuid4From(words) {
  const parts = [words(), words(), words(), words()];
  const digits = parts.map((word) => word.toString(16).padStart(8, "0")).join("").split("");
  digits[12] = "4";
  digits[16] = "89ab"[parseInt(digits[16], 16) & 3];
  return digits.join("").replace(/(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
