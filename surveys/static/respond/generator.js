// Where chance enters: the browser's cryptographic generator, watched for repeating itself.
//
// A generator that is stuck, or that runs through a short cycle, makes reports that tell the answers. So words are taken
// in blocks of eight, of which four are for use and the other four are only looked at. No four of these may have come
// before, and no bit may have kept its value through the first 1024 of them, which are taken before there is any report
// and reveal every cycle of at most 255 words.
//
// Of a sound generator two given fours are equal with the chance 2^-128. The longest report takes less than 2^23 words,
// so there are less than 2^22 fours, less than 2^43 pairs, and the chance of a false alarm is below 2^-85; that a bit
// kept its value has the chance 64 / 2^1024. The words looked at and those used are independent, so neither the chances
// of a report nor the chance that there is one depends on the answer, not even by 2^-85.

const AT_FIRST = 1024;

/** This browser's generator repeats itself. */
export class RepeatingGenerator extends Error {}

// A function that returns the next word, a uniform 32-bit integer. RepeatingGenerator, here or from that function, as
// soon as words were seen to repeat.
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

/** Whether the browser gives random words that do not repeat themselves. */
export function chanceIsSound() {
  try {
    return Number.isInteger(browserWords()());
  } catch {
    return false;
  }
}
