"""Faults put into the served modules; each must be caught by the same checks that pass on the real ones."""

# name: (mechanism, served module, its text, its text with the fault)
BROWSER_FAULTS = {
    "one word shared by all bits": (
        "bitwise",
        "mechanisms",
        "const flips = Array.from({ length: d }, () => uniform() < table.flip);",
        "const shared = uniform(); const flips = Array.from({ length: d }, () => shared < table.flip);",
    ),
    "last bit never flipped": (
        "bitwise",
        "mechanisms",
        "() => uniform() < table.flip)",
        "(_, j) => uniform() < table.flip && j < d - 1)",
    ),
    "zeros never flipped": ("bitwise", "mechanisms", "flip !== (j === answer)", "!flip && j === answer"),
    "signed compare": ("bitwise", "mechanisms", "uniform() < table.flip", "(uniform() | 0) < (table.flip | 0)"),
    "low byte compared": ("bitwise", "mechanisms", "uniform() < table.flip", "uniform() % 256 < table.flip % 256"),
    "flips half as often": ("bitwise", "mechanisms", "uniform() < table.flip", "uniform() < table.flip / 2"),
    "rounded division": (
        "randomized_response",
        "mechanisms",
        "for (let k = 1; k < d; k += 1) shift += u < k * table.other ? 1 : 0;",
        "shift = Math.max(0, d - 1 - Math.round(u / table.other));",
    ),
    "last category never reached": ("randomized_response", "mechanisms", "k < d;", "k < d - 1;"),
    "bit never the other": ("one_bit", "mechanisms", "(answer, 2, table", "(answer, 1, table"),
    "magnitude from the flip's word": (
        "laplace",
        "mechanisms",
        "uniform() < threshold ? 2 ** k : 0",
        "flip ? 2 ** k : 0",
    ),
    "last bin without noise": (
        "laplace",
        "mechanisms",
        "const flip = uniform() < table.flip",
        "const flip = uniform() < table.flip && j < d - 1",
    ),
    "truth always in": ("subset", "mechanisms", "uniform() < table.in", "uniform() < 2 ** 53"),
    "truth in on the wrong side": ("subset", "mechanisms", "uniform() < table.in", "uniform() <= table.in"),
    "fewer choices where the truth is in": (
        "subset",
        "mechanisms",
        "sample(d - 1, table.m, uniform)",
        "sample(d - 1, table.m - (inside ? 1 : 0), uniform)",
    ),
    "order tells the truth": ("subset", "mechanisms", "return increasing(steps.map", "return (steps.map"),
    "answer itself as another category": ("subset", "mechanisms", "(k) => k + 1", "(k) => k"),
    "biased choice": ("subset", "uniform", "2 ** 53 - (2 ** 53 % k)", "2 ** 53"),
    "choice never the last": ("subset", "uniform", "return u % k", "return u % Math.max(1, k - 1)"),
    "shuffle in place": ("subset", "uniform", "i + choice(n - i, uniform)", "choice(n - i, uniform)"),
    "noise reused": (
        "osgt",
        "mechanisms",
        "const noises = Array.from({ length: d }, () => reached(table.noise, uniform()) - table.noise.length / 2);",
        "const u = uniform(); "
        "const noises = Array.from({ length: d }, () => reached(table.noise, u) - table.noise.length / 2);",
    ),
    "noise only beside the answer": (
        "gaussian",
        "mechanisms",
        "noise + (j === answer ? 1 : 0)",
        "(j === answer ? 1 : noise)",
    ),
    "threshold reached too late": ("gaussian", "mechanisms", "u < threshold ? 0 : 1", "u <= threshold ? 0 : 1"),
    "last threshold skipped": (
        "osgt",
        "mechanisms",
        "return thresholds.reduce(",
        "return thresholds.slice(0, -1).reduce(",
    ),
    "the middle row for all": (
        "exponential",
        "mechanisms",
        "reached(table.rows[answer], uniform());",
        "reached(table.rows[1], uniform());",
    ),
    "the answer kept at times": (
        "exponential",
        "mechanisms",
        "return reached(table.rows[answer], uniform());",
        "const z = reached(table.rows[answer], uniform()); return z === 0 ? answer : z;",
    ),
    "off by one step": ("laplace_mean", "mechanisms", "table.rows[0].length + 1", "table.rows[0].length - 1"),
    "clamped to the range": (
        "laplace_mean",
        "mechanisms",
        "uniform()) - beyond",
        "uniform()) - beyond < 0 ? 0 : reached(table.rows[answer], 0)",
    ),
    "only ticked items drawn": (
        "multiple",
        "mechanisms",
        "increasing(sample(answer.length, table.sample, uniform));\n  return items.map((item) => [item, random"
        "izedResponse(answer[item] ? 1 : 0",
        "increasing(sample(answer.length, table.sample, uniform)).filter((item) => answer[item]);\n  "
        "return items.map((item) => [item, randomizedResponse(answer[item] ? 1 : 0",
    ),
    "ticks reported as they are": (
        "multiple",
        "mechanisms",
        "randomizedResponse(answer[item] ? 1 : 0, 2, table, uniform)",
        "(uniform(), answer[item] ? 1 : 0)",
    ),
    "items in the order drawn": (
        "multiple",
        "mechanisms",
        "return numbers.sort((a, b) => a - b);",
        "return numbers;",
    ),
    "always the first items": ("grid", "uniform", "i + choice(n - i, uniform)", "i + 0 * choice(n - i, uniform)"),
    "every item's first answer": ("grid", "mechanisms", "(answer[item], d", "(answer[0], d"),
    "two options' chance of the rest": ("grid", "mechanisms", "(answer[item], d", "(answer[item], 2"),
}
