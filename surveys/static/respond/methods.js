// What is said of each mechanism, beside words.js: how it randomizes (`method`), and how to read what was reported
// (`reading`), given its table.

const REACHED = "A whole number from 0 to 2^53−1 is drawn, and how many of the row's numbers it reaches";
const NOISE = "Your group counts 1 and the others 0. For each a whole number from 0 to 2^53−1 is drawn, and how many " +
  "of the numbers below it reaches, less half of how many there are, is added.";
const GROUPS = "Where groups have numbers: chance may have shifted any of them, so the largest need not be that of " +
  "your group.";

export const METHODS = {
  randomized_response: {
    method: "Randomized response. Each other option is reported with the chance below, otherwise yours.",
  },
  bitwise: {
    method: "Bitwise randomized response. Your option is marked and the others are not; then every mark is " +
      "flipped with the chance below, each on its own.",
    reading: () => "Where options are marked: chance marked some and left others out, so there may be several or " +
      "none, whatever you chose.",
  },
  laplace: {
    method: "Laplace noise in each group. Your group counts 1 and the others 0; each is flipped with the chance " +
      "“flip”, each on its own. Then a 1 grows and a 0 shrinks by a distance whose binary digits have the chances " +
      "“magnitude”. The distance does not depend on your answer.",
    reading: () => GROUPS,
  },
  subset: {
    method: "Subset selection. A set of “m” options is reported. Yours is in it with the chance “in”; the others in " +
      "it are drawn at random.",
    reading: () => "Where several options are named: they were drawn with chance, and yours need not be among them.",
  },
  exponential: {
    method: "Exponential mechanism. One option is reported, a near one more likely than a far one. Each row below " +
      `belongs to one answer. ${REACHED} is the option, counted from 0.`,
    reading: () => "Where options have an order: chance may have moved the report along it.",
  },
  osgt: { method: `OSGT noise in each group. ${NOISE}`, reading: () => GROUPS },
  gaussian: { method: `Gaussian noise in each group. ${NOISE}`, reading: () => GROUPS },
  one_bit: {
    method: "One bit. Your number is rounded at random to the lowest or the highest one, the nearer more likely, so " +
      "that it is right on average. With the chance below the other one of the two is reported instead.",
    reading: () => "Where a number is reported as its lowest or highest: chance turned it into one of the two, more " +
      "often into the nearer one, and may then have swapped them.",
  },
  laplace_mean: {
    method: "Laplace noise on your number. It is rounded at random to one of the grid points between the lowest " +
      `and the highest number, and there is a row below for each. ${REACHED} is the step that is reported, counted ` +
      "from below the lowest number to above the highest.",
    reading: () => "Where a number is reported: chance has shifted it, possibly beyond what you could have answered.",
  },
  multiple: {
    method: "Sampling. “sample” of the options are picked at random, whatever you answer. For each of these is " +
      "reported whether you ticked it, and with the chance “other” the opposite.",
    reading: (table) => `Where several options could be ticked: ${pickedBy(table)}; chance may have turned the answer ` +
      "round.",
  },
  grid: {
    method: "Sampling. “sample” of the items are picked at random, whatever you answer. For each of these each other " +
      "option is reported with the chance “other”, otherwise yours.",
    reading: (table) => `Where several items were asked about: ${pickedBy(table)}, and chance may have changed the ` +
      "answer.",
  },
};

function pickedBy({ sample }) {
  const [items, that] = sample > 1 ? ["some of them", "those"] : ["one item", "that one"];
  return `your browser picked ${items} at random and reported only ${that}`;
}
