// The mechanisms on their integer tables. Every decision is the comparison u < threshold of a uniform integer u in
// 0..2^53-1, so a threshold t stands for the probability t / 2^53 exactly. What is drawn does not depend on the answer:
// noise first, then the answer is put under it. `answer` is the index of a category, d the number of categories.

// Randomized response: a shift of 0 keeps the true category; each of the other d-1 has the chance other / 2^53.
// The products k * other stay below 2^53 (the certificate checks it), so they are exact.
function randomizedResponse(answer, d, table, uniform) {
  const u = uniform();
  let shift = 0;
  for (let k = 1; k < d; k += 1) shift += u < k * table.other ? 1 : 0;
  return (answer + shift) % d;
}

// Bitwise randomized response: the answer as d bits, one of them 1, each flipped with the chance flip / 2^53.
function bitwise(answer, d, table, uniform) {
  const flips = Array.from({ length: d }, () => uniform() < table.flip);
  return flips.map((flip, j) => (flip !== (j === answer) ? "1" : "0")).join("");
}

// Laplace noise in each bin: one such bit, which alone depends on the answer, and a magnitude whose binary digits are
// drawn one by one. Together they are exactly a 0 or 1 plus two-sided geometric noise.
function laplace(answer, d, table, uniform) {
  return Array.from({ length: d }, (_, j) => {
    const flip = uniform() < table.flip;
    let magnitude = 0;
    table.magnitude.forEach((threshold, k) => {
      magnitude += uniform() < threshold ? 2 ** k : 0;
    });
    return flip !== (j === answer) ? 1 + magnitude : 0 - magnitude;
  });
}

export const MECHANISMS = { randomized_response: randomizedResponse, bitwise, laplace };
