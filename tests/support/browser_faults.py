"""Faults put into the served modules; each must be caught by the same checks that pass on the real ones.

Each is a statement that stands at the end of the served module and puts a faulty function in the place of a sound one,
found by the name of its mechanism or its own (`served.serve_with`). Where a fault is a small one, the function is the
real one but for it.
"""

# name: (mechanism, served module, statement)
BROWSER_FAULTS = {
    "one word shared by all bits": (
        "bitwise",
        "mechanisms",
        """MECHANISMS.bitwise.draw = (answer, table, d, uniform) => {
          const shared = uniform();
          return bitwise(answer, table, d, () => shared);
        };""",
    ),
    "last bit never flipped": (
        "bitwise",
        "mechanisms",
        """MECHANISMS.bitwise.draw = (answer, table, d, uniform) =>
          bitwise(answer, table, d - 1, uniform) + (answer === d - 1 ? "1" : "0");""",
    ),
    "zeros never flipped": (
        "bitwise",
        "mechanisms",
        """MECHANISMS.bitwise.draw = (answer, table, d, uniform) => {
          const flips = Array.from({ length: d }, () => uniform() < table.flip);
          return flips.map((flip, j) => (!flip && j === answer ? "1" : "0")).join("");
        };""",
    ),
    "signed compare": (
        "bitwise",
        "mechanisms",
        """MECHANISMS.bitwise.draw = (answer, table, d, uniform) =>
          bitwise(answer, { flip: table.flip | 0 }, d, () => uniform() | 0);""",
    ),
    "low byte compared": (
        "bitwise",
        "mechanisms",
        """MECHANISMS.bitwise.draw = (answer, table, d, uniform) =>
          bitwise(answer, { flip: table.flip % 256 }, d, () => uniform() % 256);""",
    ),
    "flips half as often": (
        "bitwise",
        "mechanisms",
        """MECHANISMS.bitwise.draw = (answer, table, d, uniform) =>
          bitwise(answer, { flip: table.flip / 2 }, d, uniform);""",
    ),
    "rounded division": (
        "randomized_response",
        "mechanisms",
        """MECHANISMS.randomized_response.draw = (answer, table, d, uniform) =>
          (answer + Math.max(0, d - 1 - Math.round(uniform() / table.other))) % d;""",
    ),
    "last category never reached": (
        "randomized_response",
        "mechanisms",
        """MECHANISMS.randomized_response.draw = (answer, table, d, uniform) => {
          const u = uniform();
          let shift = 0;
          for (let k = 1; k < d - 1; k += 1) shift += u < k * table.other ? 1 : 0;
          return (answer + shift) % d;
        };""",
    ),
    "bit never the other": (
        "one_bit",
        "mechanisms",
        """MECHANISMS.one_bit.draw = (answer, table, d, uniform) => randomizedResponse(answer, table, 1, uniform);""",
    ),
    "magnitude from the flip's word": (
        "laplace",
        "mechanisms",
        """MECHANISMS.laplace.draw = (answer, table, d, uniform) => Array.from({ length: d }, (_, j) => {
          const flip = uniform() < table.flip;
          const magnitude = table.magnitude.reduce((sum, _, k) => sum + (flip ? 2 ** k : 0), 0);
          return flip !== (j === answer) ? 1 + magnitude : 0 - magnitude;
        });""",
    ),
    "last bin without noise": (
        "laplace",
        "mechanisms",
        """MECHANISMS.laplace.draw = (answer, table, d, uniform) => Array.from({ length: d }, (_, j) => {
          const kept = j < d - 1 ? table : { ...table, flip: 0 };
          return laplace(j === answer ? 0 : -1, kept, 1, uniform)[0];
        });""",
    ),
    "truth always in": (
        "subset",
        "mechanisms",
        """MECHANISMS.subset.draw = (answer, table, d, uniform) =>
          subset(answer, { ...table, in: 2 ** 53 }, d, uniform);""",
    ),
    "truth in on the wrong side": (
        "subset",
        "mechanisms",
        """MECHANISMS.subset.draw = (answer, table, d, uniform) =>
          subset(answer, { ...table, in: table.in + 1 }, d, uniform);""",
    ),
    "fewer choices where the truth is in": (
        "subset",
        "mechanisms",
        """MECHANISMS.subset.draw = (answer, table, d, uniform) => {
          const inside = uniform() < table.in;
          const steps = sample(d - 1, table.m - (inside ? 1 : 0), uniform).map((k) => k + 1);
          if (inside) steps[table.m - 1] = 0;
          return sorted(steps.map((step) => (answer + step) % d));
        };""",
    ),
    "order tells the truth": ("subset", "mechanisms", "sorted = (numbers) => numbers;"),
    "answer itself as another category": (
        "subset",
        "mechanisms",
        """MECHANISMS.subset.draw = (answer, table, d, uniform) => {
          const inside = uniform() < table.in;
          const steps = sample(d - 1, table.m, uniform);
          if (inside) steps[table.m - 1] = 0;
          return sorted(steps.map((step) => (answer + step) % d));
        };""",
    ),
    "biased choice": ("subset", "uniform", "choice = (k, uniform) => uniform() % k;"),
    "choice never the last": (
        "subset",
        "uniform",
        "{ const sound = choice; choice = (k, uniform) => sound(k, uniform) % Math.max(1, k - 1); }",
    ),
    "shuffle in place": (
        "subset",
        "uniform",
        """sample = (n, m, uniform) => {
          const deck = Array.from({ length: n }, (_, i) => i);
          for (let i = 0; i < m; i += 1) {
            const j = choice(n - i, uniform);
            [deck[i], deck[j]] = [deck[j], deck[i]];
          }
          return deck.slice(0, m);
        };""",
    ),
    "noise reused": (
        "osgt",
        "mechanisms",
        """MECHANISMS.osgt.draw = (answer, table, d, uniform) => {
          const u = uniform();
          return binNoise(answer, table, d, () => u);
        };""",
    ),
    "noise only beside the answer": (
        "gaussian",
        "mechanisms",
        """MECHANISMS.gaussian.draw = (answer, table, d, uniform) =>
          binNoise(-1, table, d, uniform).map((noise, j) => (j === answer ? 1 : noise));""",
    ),
    "threshold reached too late": (
        "gaussian",
        "mechanisms",
        "{ const sound = reached; reached = (thresholds, u) => sound(thresholds, u - 1); }",
    ),
    "last threshold skipped": (
        "osgt",
        "mechanisms",
        "{ const sound = reached; reached = (thresholds, u) => sound(thresholds.slice(0, -1), u); }",
    ),
    "the middle row for all": (
        "exponential",
        "mechanisms",
        """MECHANISMS.exponential.draw = (answer, table, d, uniform) => exponential(1, table, d, uniform);""",
    ),
    "the answer kept at times": (
        "exponential",
        "mechanisms",
        """MECHANISMS.exponential.draw = (answer, table, d, uniform) =>
          exponential(answer, table, d, uniform) || answer;""",
    ),
    "off by one step": (
        "laplace_mean",
        "mechanisms",
        """MECHANISMS.laplace_mean.draw = (answer, table, d, uniform) => laplaceMean(answer, table, d, uniform) + 1;""",
    ),
    "clamped to the range": (
        "laplace_mean",
        "mechanisms",
        """MECHANISMS.laplace_mean.draw = (answer, table, d, uniform) =>
          Math.max(0, laplaceMean(answer, table, d, uniform));""",
    ),
    "only ticked items drawn": (
        "multiple",
        "mechanisms",
        """MECHANISMS.multiple.draw = (answer, table, d, uniform) =>
          multiple(answer, table, d, uniform).filter(([item]) => answer[item]);""",
    ),
    "ticks reported as they are": (
        "multiple",
        "mechanisms",
        """MECHANISMS.multiple.draw = (answer, table, d, uniform) =>
          multiple(answer, table, d, uniform).map(([item]) => [item, answer[item] ? 1 : 0]);""",
    ),
    "items in the order drawn": ("multiple", "mechanisms", "sorted = (numbers) => numbers;"),
    "always the first items": (
        "grid",
        "uniform",
        """sample = (n, m, uniform) => {
          const drawn = Array.from({ length: m }, (_, i) => i);
          drawn.forEach((i) => choice(n - i, uniform));
          return drawn;
        };""",
    ),
    "every item's first answer": (
        "grid",
        "mechanisms",
        """MECHANISMS.grid.draw = (answer, table, d, uniform) =>
          grid(answer.map(() => answer[0]), table, d, uniform);""",
    ),
    "two options' chance of the rest": (
        "grid",
        "mechanisms",
        """MECHANISMS.grid.draw = (answer, table, d, uniform) => grid(answer, table, 2, uniform);""",
    ),
}

# name: (served module, statement); each of a function of the name on its left.
ROUNDING_FAULTS = {
    "no upper clamp": (
        "exact",
        """gridPoint = (answer, low, high, steps, uniform) => {
          const [x, from, to] = [answer, low, high].map(decimal);
          const scaled = ((x < from ? from : x) - from) * BigInt(steps);
          const threshold = ((scaled % (to - from)) * UNITS) / (to - from);
          return Number(scaled / (to - from)) + (uniform() < Number(threshold) ? 1 : 0);
        };""",
    ),
    "at most instead of less": (
        "exact",
        """{
          const sound = gridPoint;
          gridPoint = (answer, low, high, steps, uniform) => sound(answer, low, high, steps, () => uniform() - 1);
        }""",
    ),
    "a unit less than the whole": (
        "exact",
        """gridPoint = (answer, low, high, steps, uniform) => {
          const [x, from, to] = [answer, low, high].map(decimal);
          const scaled = ((x < from ? from : x > to ? to : x) - from) * BigInt(steps);
          const threshold = ((scaled % (to - from)) * (UNITS - 1n)) / (to - from);
          return Number(scaled / (to - from)) + (uniform() < Number(threshold) ? 1 : 0);
        };""",
    ),
    "six digits only": (
        "rules",
        r"{ const sound = decimal; decimal = (number) => sound(number.replace(/(\.[0-9]{6})[0-9]+/, '$1')); }",
    ),
}
