// Randomness: the browser's cryptographic generator, watched for repetition.
//
// A stuck generator, or one in a short cycle, makes reports that reveal the answers. So words are drawn in blocks of
// eight: four for use and four for checks. No four checked words may come twice, and no bit may stay constant in the
// first 1024, which are drawn before any report and reveal every cycle of at most 255 words.
//
// With a sound generator two fours are equal with the chance 2^-128. The longest report takes less than 2^23 words, so
// there are less than 2^22 fours and less than 2^43 pairs, and the chance of a false alarm is below 2^-85; the chance
// of a constant bit is 64 / 2^1024. Checked and used words are independent, so neither the chances of a report nor the
// chance that there is one depends on the answer, not even by 2^-85.

const AT_FIRST = 1024;

/** This browser's generator repeats itself. */
export class RepeatingGenerator extends Error {}

// Return a function that returns the next word, a uniform 32-bit integer. Both throw RepeatingGenerator as soon as words
// repeat.
export function browserWords() {
  const seen = new Set();
  const first = fresh(AT_FIRST);
  if (!everyBitVaries(first)) throw new RepeatingGenerator();
  for (let i = 0; i < AT_FIRST; i += 4) look(first.slice(i, i + 4), seen);
  let ready = [];
  return () => {
    if (ready.length === 0) {
      const block = fresh(8);
      look(block.slice(0, 4), seen);
      ready = [...block.slice(4)];
    }
    return ready.shift();
  };
}

function fresh(count) {
  return crypto.getRandomValues(new Uint32Array(count));
}

function look(four, seen) {
  const text = four.join();
  if (seen.has(text)) throw new RepeatingGenerator();
  seen.add(text);
}

function everyBitVaries(words) {
  return words.reduce((varying, word) => varying | (word ^ words[0]), 0) >>> 0 === 0xffffffff;
}

/** Return whether the browser gives random words without repetition. */
export function chanceIsSound() {
  try {
    return Number.isInteger(browserWords()());
  } catch {
    return false;
  }
}
