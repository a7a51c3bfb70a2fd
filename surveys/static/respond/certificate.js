// The proof that a definition's integer tables keep the alpha that it states, in whole numbers only (BigInt).
//
// Partial sums of the Taylor series are lower bounds of e^alpha. So 2^53 - (d-1) t <= t * (partial sum) proves that
// moving to each of d-1 other categories with the chance t / 2^53 changes no probability by more than e^alpha. A flipped
// bit is the case d = 2 at alpha/2: two answers differ in two bits. docs/mathematics.md has the argument.

const RESOLUTION = 2n ** 53n;
const TERMS = 96n;
const ALPHA = /^(?:0|[1-9][0-9]{0,2})(?:\.[0-9]{1,6})?$/;
const ALPHA_MILLIONTHS = [10000n, 16000000n];

// The decimal string as an integer number of millionths; null where it is not one that may be used.
function millionths(alpha) {
  if (typeof alpha !== "string" || !ALPHA.test(alpha)) return null;
  const [whole, decimals = ""] = alpha.split(".");
  const value = BigInt(whole + decimals.padEnd(6, "0"));
  return value < ALPHA_MILLIONTHS[0] || value > ALPHA_MILLIONTHS[1] ? null : value;
}

// A lower bound of e^(p/q) as a fraction [numerator, denominator], by Horner's rule.
function expBelow(p, q) {
  let [numerator, denominator] = [1n, 1n];
  for (let k = TERMS; k > 0n; k -= 1n) {
    const step = denominator * q * k;
    [numerator, denominator] = [step + p * numerator, step];
  }
  return [numerator, denominator];
}

// Whether moving to each of d-1 other categories with the chance t / 2^53 keeps alpha = p/q, in both directions.
export function certified(t, p, q, d) {
  const [numerator, denominator] = expBelow(p, q);
  const kept = RESOLUTION - (d - 1n) * t;
  return d * t <= RESOLUTION && kept * denominator <= t * numerator;
}

function isThreshold(t) {
  return Number.isSafeInteger(t) && t >= 0;
}

// For each mechanism: the threshold that carries the guarantee and its number of categories d; in how many independent
// parts of the report two answers differ, among which alpha is shared; and the integers beside it, which do not
// depend on the answer and need only be thresholds.
const GUARANTEES = {
  randomized_response: (table, d) => ({ t: table.other, d, parts: 1n, beside: [] }),
  bitwise: (table) => ({ t: table.flip, d: 2, parts: 2n, beside: [] }),
  laplace: (table) => ({ t: table.flip, d: 2, parts: 2n, beside: table.magnitude }),
};

function guarantee(question) {
  return GUARANTEES[question.mechanism](question.table, question.options.length);
}

function keepsAlpha(question) {
  const alpha = millionths(question.alpha);
  if (alpha === null || !Object.hasOwn(GUARANTEES, question.mechanism) || question.options.length < 2) return false;
  const { t, d, parts, beside } = guarantee(question);
  if (![t, ...beside].every(isThreshold)) return false;
  return certified(BigInt(t), alpha, 1000000n * parts, BigInt(d));
}

// Null where every question keeps its alpha; otherwise a sentence that names the first that does not.
export function weakness(definition) {
  if (definition.format !== 1) return "This page does not know this format of survey.";
  for (const question of definition.questions) {
    let kept = false;
    try {
      kept = keepsAlpha(question);
    } catch {
      kept = false; // a table that cannot even be read keeps nothing
    }
    if (!kept) return `The table of the question “${question.text}” does not keep the alpha that it states.`;
  }
  return null;
}

// The factor by which a report can change the odds between two answers, as an exact fraction from the table.
function factor(question) {
  const { t, d, parts } = guarantee(question);
  const kept = RESOLUTION - BigInt(d - 1) * BigInt(t);
  return [kept ** parts, BigInt(t) ** parts];
}

// A fraction as text with one decimal below 100 and none above, always rounded up: never a promise too strong.
function upward([numerator, denominator]) {
  const tenths = (numerator * 10n + denominator - 1n) / denominator;
  if (tenths >= 1000n) return ((tenths + 9n) / 10n).toString();
  return `${tenths / 10n}.${tenths % 10n}`;
}

export function oddsFactor(question) {
  return { text: upward(factor(question)) };
}

// Questions compose: their alphas add, so their factors multiply.
export function totalFactor(definition) {
  const product = definition.questions.map(factor).reduce(([a, b], [c, e]) => [a * c, b * e], [1n, 1n]);
  return upward(product);
}

export function totalAlpha(definition) {
  const sum = definition.questions.reduce((total, question) => total + millionths(question.alpha), 0n);
  const decimals = (sum % 1000000n).toString().padStart(6, "0").replace(/0+$/, "");
  return decimals ? `${sum / 1000000n}.${decimals}` : `${sum / 1000000n}`;
}
