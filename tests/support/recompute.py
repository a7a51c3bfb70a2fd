"""The published numbers again, from docs/recompute.md alone: nothing of the product is imported here."""

import hashlib
import itertools
import json
import math
from bisect import bisect_left
from itertools import pairwise
from typing import Any

import numpy as np
from scipy import fft, optimize, stats

R = 2.0**53


def question(asked: dict[str, Any], reports: list[Any], confidence: float) -> list[dict[str, Any]]:
    """For each result of a definition's question its methods: name, estimates and, by target, errors and intervals."""
    return list(_given(asked)(asked, reports, confidence))


def survey(definition: dict[str, Any], bodies: list[dict[str, Any]], confidence: float) -> dict[str, list[Any]]:
    """By its key each question's results, from the bodies that were sent; what no report is about is left out."""
    found = {}
    for asked in definition["questions"]:
        reports = [body["answers"][asked["key"]] for body in bodies if asked["key"] in body["answers"]]
        if reports:
            found[asked["key"]] = question(alone(definition, asked), reports, confidence)
    return found


def alone(definition: dict[str, Any], asked: dict[str, Any]) -> dict[str, Any]:
    """A question with the table of its own answer's channel, also where one draw randomizes it with others."""
    draw = _draw_of(definition, [asked["key"]])
    place = draw["questions"].index(asked["key"])
    table = draw["table"]
    if "sizes" in table:
        table = table | {"sizes": [table["sizes"][place]]}
    return asked | {name: value for name, value in draw.items() if name != "questions"} | {"table": table}


def cells(definition: dict[str, Any], bodies: list[dict[str, Any]], keys: list[str], confidence: float) -> list[Any]:
    """The shares of all combinations of answers to two questions of one draw, the last key's fastest."""
    draw, by_key = _draw_of(definition, keys), {asked["key"]: asked for asked in definition["questions"]}
    options = [_options(by_key[key]) for key in keys]
    sizes = [draw["table"]["sizes"][draw["questions"].index(key)] for key in keys]
    keep, d = draw["table"]["keep"], math.prod(options)
    reports = [[body["answers"][key] for key in keys] for body in bodies if keys[0] in body["answers"]]
    if sizes == [1] * len(sizes):
        numbers = [[_number([value[0] for value in values], options)] for values in reports]
        asked = {"options": [""] * d, "table": {"keep": keep, "sizes": [1]}}
        return list(question(asked, numbers, confidence)[0]["methods"]["support"])
    found = []
    for cell in itertools.product(*map(range, options)):
        scores = _cell_scores(keep / R, options, sizes)
        counts = np.zeros(4, dtype=int)
        for values in reports:
            first, second = (option in value for option, value in zip(cell, values, strict=True))
            counts[2 * first + second] += 1
        found.append(_unseen_cell(scores, counts, confidence, d))
    return found


def _cell_scores(kept, options, sizes):
    """The score of a cell where its options are both not listed, the second one is, the first one is, both are."""
    factors = []
    for d, a in zip(options, sizes, strict=True):
        factors.append([(listed - a / d) * (d - 1) / (d - a) + 1 / d for listed in (0, 1)])
    products = np.multiply.outer(*factors).ravel()
    return (products - (1 - kept) / math.prod(options)) / kept


def _unseen_cell(scores, counts, confidence, together):
    n = counts.sum()
    estimate = scores @ counts / n
    spans = []
    for level in (confidence, 1 - (1 - confidence) / together):
        tail = (1 - level) / 2
        low = -_upper(-scores, counts, np.array([-scores.min()]), np.ones(1), tail)
        spans += _moved(low, _upper(scores, counts, np.array([scores.max()]), np.ones(1), tail), estimate)
    return {"estimate": estimate, "population": [(max(scores**2 @ counts / n - estimate**2, 0) / n) ** 0.5, *spans]}


def totals_digest(definition: dict[str, Any], bodies: list[dict[str, Any]]) -> str:
    """Of a survey with the tables that _totals knows."""
    by_key = {asked["key"]: asked for asked in definition["questions"]}
    every = []
    for place, form in enumerate(definition.get("forms", [{"draws": []}])):
        own = [body["answers"] for body in bodies if body.get("form", 0) == place]
        draws = [*definition["draws"], *form["draws"]] if own else []
        totals = {}
        for draw in draws:
            asked = [by_key[key] for key in draw["questions"]]
            reports = [[values[key] for key in draw["questions"]] for values in own]
            totals[",".join(draw["questions"])] = _totals(draw["table"], asked, reports)
        every.append({"n": len(own), "totals": totals})
    stated = every if "forms" in definition else every[0]
    return hashlib.sha256(json.dumps(stated, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def _draw_of(definition, keys):
    """The draw that randomizes these questions together."""
    draws = [*definition["draws"], *(draw for form in definition.get("forms", []) for draw in form["draws"])]
    [found] = [draw for draw in draws if set(keys) <= set(draw["questions"])]
    return found


def _options(asked):
    """How many options an answer is one of: a mean is rounded to one of two ends."""
    return len(asked.get("options", (0, 1)))


def _number(values, options):
    number = 0
    for value, d in zip(values, options, strict=True):
        number = number * d + value
    return number


def _totals(table, questions, reports):
    entries, options = set(table), [_options(asked) for asked in questions]
    if entries == {"keep", "sizes"}:
        counts = [0] * math.prod(options)
        for values in reports:
            for listed in itertools.product(*values):
                counts[_number(listed, options)] += 1
        alone_and_mean = len(questions) == 1 and "options" not in questions[0]
        return {"mean": [counts[1]]} if alone_and_mean else {"support": counts}
    values = [value for [value] in reports]
    if entries == {"flip"}:
        return {"support": [sum(value[j] == "1" for value in values) for j in range(options[0])]}
    assert entries == {"flip", "magnitude"}
    return {
        "threshold": [sum(number >= 1 for number in numbers) for numbers in zip(*values, strict=True)],
        "sum": [sum(numbers) for numbers in zip(*values, strict=True)],
    }


class Score:
    """Mean and variance of a score in the option and outside of it; of sums its whole law: lowest value, chances."""

    def __init__(self, a, v_a, b, v_b, low=None, inside=None, outside=None):
        self.a, self.v_a, self.b, self.v_b = a, v_a, b, v_b
        self.low, self.inside, self.outside = low, inside, outside


def indicator(a, b):
    return Score(a, a * (1 - a), b, b * (1 - b))


def _chances(cumulative):
    return np.array([(y - x) / R for x, y in pairwise([0, *cumulative, 2**53])])


# Scores by mechanism --------------------------------------------------------------------------------------------------


def _shares(asked, reports, confidence, scores, methods):
    """`scores` (n, d) by method, `methods` the laws by method."""
    together = 1 if is_mirrored(asked) else len(asked["options"])
    found = {}
    for name, law in methods.items():
        totals = np.sum(scores[name], axis=0)
        found[name] = [category(t, len(reports), law, confidence, together) for t in totals]
    return [{"together": together, "n_about": len(reports), "methods": found}]


def is_mirrored(asked):
    """Whether a report names one of two options."""
    return len(asked["options"]) == 2 and bool({"sizes", "size", "rows"} & asked["table"].keys())


def _listed(keep, d, a):
    """The law of an option's score: whether it is among the a of d that a report lists."""
    kept = keep / R
    return indicator(kept + (1 - kept) * a / d, kept * (a - 1) / (d - 1) + (1 - kept) * a / d)


def _randomized_response(asked, reports, confidence):
    d, [a] = len(asked["options"]), asked["table"]["sizes"]
    scores = np.array([np.isin(np.arange(d), report) for report in reports], dtype=int)
    law = _listed(asked["table"]["keep"], d, a)
    return _shares(asked, reports, confidence, {"support": scores}, {"support": law})


def _bitwise(asked, reports, confidence):
    q = asked["table"]["flip"] / R
    scores = np.array([[int(bit) for bit in report] for report in reports])
    return _shares(asked, reports, confidence, {"support": scores}, {"support": indicator(1 - q, q)})


def _laplace(asked, reports, confidence):
    q, digits = asked["table"]["flip"] / R, np.array(asked["table"]["magnitude"]) / R
    weights = 2.0 ** np.arange(len(digits))
    mean = digits @ weights
    second = mean**2 + (digits * (1 - digits)) @ weights**2
    magnitude = np.ones(1)
    for chance in digits:
        magnitude = np.concatenate((magnitude * (1 - chance), magnitude * chance))

    def moments(up):
        first = up * (1 + mean) - (1 - up) * mean
        return first, up * (1 + 2 * mean + second) + (1 - up) * second - first**2

    def law(up):
        return np.concatenate(((1 - up) * magnitude[::-1], up * magnitude))

    sums = Score(*moments(1 - q), *moments(q), 1 - len(magnitude), law(1 - q), law(q))
    values = np.array(reports)
    laws = {"threshold": indicator(1 - q, q), "sum": sums}
    return _shares(asked, reports, confidence, {"threshold": values >= 1, "sum": values}, laws)


def _noise(asked, reports, confidence):
    chances = _chances(asked["table"]["noise"])
    reach = len(chances) // 2
    values = np.arange(-reach, reach + 1)
    mean = chances @ values
    variance = chances @ values**2 - mean**2
    law = Score(1 + mean, variance, mean, variance, -reach, np.append(0, chances), np.append(chances, 0))
    return _shares(asked, reports, confidence, {"sum": np.array(reports)}, {"sum": law})


def _one_bit(asked, reports, confidence):
    ones = sum(end for [end] in reports)
    found = category(ones, len(reports), _listed(asked["table"]["keep"], 2, 1), confidence, 1)
    found["respondents"] = found["population"]
    return [{"together": 1, "n_about": len(reports), "methods": {"mean": [_scaled(found, asked)]}}]


def _multiple(asked, reports, confidence):
    d, law = len(asked["options"]), _listed(asked["table"]["keep"], 2, 1)
    found = []
    for j in range(d):
        bits = [bit for report in reports for option, bit in report if option == j]
        if bits:
            found.append(_part(sum(bits), len(bits), len(reports), law, confidence, d))
    return [{"together": d, "n_about": len(reports), "methods": {"support": found}}]


def _grid(asked, reports, confidence):
    d, results = len(asked["options"]), []
    law = _listed(asked["table"]["keep"], d, asked["table"]["size"])
    together = (1 if is_mirrored(asked) else d) * len(asked["items"])
    for i in range(len(asked["items"])):
        own = [options for report in reports for item, options in report if item == i]
        if own:
            came = [sum(j in options for options in own) for j in range(d)]
            found = [_part(came[j], len(own), len(reports), law, confidence, together) for j in range(d)]
            results.append({"together": together, "n_about": len(own), "methods": {"support": found}})
    return results


def _part(total, n, everyone, law, confidence, together):
    found = category(total, n, law, confidence, together)
    if n < everyone:
        found["respondents"] = found["population"]
    return found


# One option -----------------------------------------------------------------------------------------------------------


def category(total, n, law, confidence, together):
    gap = law.a - law.b
    estimate = (total / n - law.b) / gap
    theta = min(max(estimate, 0.0), 1.0)
    noise = (theta * law.v_a + (1 - theta) * law.v_b) / gap**2
    errors = {"population": ((noise + theta * (1 - theta)) / n) ** 0.5, "respondents": (noise / n) ** 0.5}
    found = {"estimate": estimate}
    for target in ("population", "respondents"):
        interval = _exact if law.low is None else _sum
        found[target] = [errors[target]]
        possible = min(max(total, round(n * law.b)), round(n * law.a))
        for level in (confidence, 1 - (1 - confidence) / together):
            found[target] += _united([interval(one, n, law, (1 - level) / 2, target) for one in (total, possible)])
    return found


def _united(spans):
    return [min(low for low, _ in spans), max(high for _, high in spans)]


def _moved(low, high, estimate):
    """Also where the interval would be if the estimate were possible."""
    by = min(max(estimate, 0.0), 1.0) - estimate
    return _united([_cut(low, high), _cut(low + by, high + by)])


def _cut(low, high):
    return [min(max(low, 0.0), 1.0), min(max(high, 0.0), 1.0)]


def _exact(total, n, law, tail, target):
    if target == "respondents":

        def at_least(m, s):
            x = np.arange(m + 1)
            return stats.binom.pmf(x, m, law.a) @ stats.binom.sf(s - x - 1, n - m, law.b)

        return _whole(lambda m: at_least(m, total), lambda m: 1 - at_least(m, total + 1), n, tail)
    low = stats.beta.ppf(tail, total, n - total + 1) if total else 0.0
    high = stats.beta.isf(tail, total + 1, n - total) if total < n else 1.0
    return _cut((low - law.b) / (law.a - law.b), (high - law.b) / (law.a - law.b))


def _whole(at_least, at_most, n, tail):
    """The range of m of n: the more there are, the larger totals are."""
    low = bisect_left(range(n), True, key=lambda m: at_least(m) > tail)
    high = bisect_left(range(n + 1), True, key=lambda m: at_most(m) <= tail) - 1
    return [low / n, max(high, 0) / n]


def _sum(total, n, law, tail, target):
    """The law of the sum by a transform long enough for all that a sum of n values can be."""
    size = fft.next_fast_len(n * (len(law.inside) - 1) + 1, real=True)
    inside, outside = np.fft.rfft(law.inside, size), np.fft.rfft(law.outside, size)
    place = int(total) - n * law.low

    def at_least(transform, index):
        chances = np.fft.irfft(transform, size)
        return chances[max(index, 0) :].sum() if index < size else 0.0

    if target == "respondents":
        return _whole(
            lambda m: at_least(inside**m * outside ** (n - m), place),
            lambda m: 1 - at_least(inside**m * outside ** (n - m), place + 1),
            n,
            tail,
        )

    def mixed(theta):
        return (theta * inside + (1 - theta) * outside) ** n

    low = _crossing(lambda theta: at_least(mixed(theta), place) - tail)
    high = _crossing(lambda theta: tail - (1 - at_least(mixed(theta), place + 1)))
    return [low, high]


def _crossing(rising):
    if rising(0.0) >= 0:
        return 0.0
    if rising(1.0) <= 0:
        return 1.0
    return optimize.brentq(rising, 0.0, 1.0, xtol=1e-13)


# Unknown answers ------------------------------------------------------------------------------------------------------


def _exponential(asked, reports, confidence):
    d, n = len(asked["options"]), len(reports)
    channel = np.array([_chances(row) for row in asked["table"]["rows"]])
    phi = np.linalg.inv(channel)
    counts, found, together = np.bincount(reports, minlength=d), [], 1 if is_mirrored(asked) else d
    for j in range(d):
        score = phi[:, j]
        estimate, square = score @ counts / n, score**2 @ counts / n
        theta = min(max(estimate, 0.0), 1.0)
        spans = []
        for level in (confidence, 1 - (1 - confidence) / together):
            tail = (1 - level) / 2
            low = -_upper(-score, counts, np.array([-score.min()]), np.ones(1), tail)
            high = _upper(score, counts, np.array([score.max()]), np.ones(1), tail)
            spans += _moved(low, high, estimate)
        noise = channel @ score**2 - (channel @ score) ** 2
        population = min(max(square - theta**2, noise.min()), noise.max() + theta * (1 - theta))
        errors = (population / n) ** 0.5, (min(max(square - theta, noise.min()), noise.max()) / n) ** 0.5
        found.append({"estimate": estimate, "population": [errors[0], *spans], "respondents": [errors[1], *spans]})
    return [{"together": together, "n_about": n, "methods": {"inverse": found}}]


def _laplace_mean(asked, reports, confidence):
    rows = np.array([_chances(row) for row in asked["table"]["rows"]])
    steps, n, tail = len(rows) - 1, len(reports), (1 - confidence) / 2
    beyond = (rows.shape[1] - len(rows)) // 2
    y = np.arange(rows.shape[1]) - beyond
    own = (y >= 0) & (y <= steps)
    score = y / 1.0
    score[own] += np.linalg.solve(rows[:, own], np.arange(steps + 1) - rows @ y)
    score /= steps
    counts = np.bincount(np.array(reports) + beyond, minlength=len(y))
    estimate, square = score @ counts / n, score**2 @ counts / n
    theta, noise = min(max(estimate, 0.0), 1.0), rows @ score**2 - (rows @ score) ** 2
    variance = min(max(square - estimate**2, noise.min()), noise.max() + theta * (1 - theta))
    if steps <= 7:
        law = Score(1, 0, 0, 0, -beyond, rows[-1], rows[0])
        total = sum(reports)
        possible = min(max(total, round(n * (rows[0] @ y))), round(n * (rows[-1] @ y)))
        population = _united([_sum(one, n, law, tail, "population") for one in (total, possible)])
    else:
        low = -_upper(-score, counts, -score, rows[0], tail)
        population = _moved(low, _upper(score, counts, score, rows[-1], tail), estimate)
    corrections = steps * score - y
    above = _farthest(rows, corrections, n, tail) / (n * steps)
    below = _farthest(rows[::-1, ::-1], -corrections[::-1], n, tail) / (n * steps)
    respondents = _moved(estimate - above, estimate + below, estimate)
    found = {
        "estimate": estimate,
        "population": [(variance / n) ** 0.5, *population, *population],
        "respondents": [((noise.max() + 1 / (4 * steps**2)) / n) ** 0.5, *respondents, *respondents],
    }
    return [{"together": 1, "n_about": n, "methods": {"mean": [_scaled(found, asked)]}}]


def _farthest(rows, corrections, n, tail):
    """Noise and rounding and corrections of n reports, in steps, that are passed with at most the tail's chance."""
    error, least = tail / 1000, -n * ((rows.shape[1] - len(rows)) // 2)
    size = n * rows.shape[1] + 1
    inside, outside = (np.fft.rfft(law, size) for law in (np.append(0, rows[0]), np.append(rows[0], 0)))

    def tails(theta):
        chances = np.fft.irfft((theta * inside + (1 - theta) * outside) ** n, size)
        return np.append(np.cumsum(chances[::-1])[::-1], 0.0)

    first = int(np.argmax(tails(0.5) <= tail - error))
    shares = {j: _crossing(lambda theta, j=j: tails(theta)[j] - (tail - error)) for j in (first - 1, first)}
    noise = max(least + j - n * share for j, share in shares.items())
    often, u = n * rows[:, corrections > 1e-9].sum(axis=1).max(initial=0.0), np.log(1 / error) / 3
    return noise + (corrections.max() * min(n, often + u + (u**2 + 6 * u * often) ** 0.5) if often else 0.0)


def _scaled(found, asked):
    low, high = float(asked["low"]), float(asked["high"])
    span = high - low
    scaled = {"estimate": low + span * found["estimate"]}
    for target in ("population", "respondents"):
        error, *ends = found[target]
        scaled[target] = [span * error, *(low + span * end for end in ends)]
    return scaled


def _upper(scores, counts, unseen, chances, tail):
    """The limit by the transform E e^{sT} of the sum T and its integral along a line, on a grid that is fine enough."""
    seen, weights = scores[counts > 0], counts[counts > 0]
    both = np.concatenate((seen, unseen[chances > 0]))
    if both.min() == both.max():
        return both.min()

    def above(m):
        a, u = seen - m, unseen - m
        if max(a.max(), u[chances > 0].max()) <= 0:
            return 0.0
        if min(a.min(), u[chances > 0].min()) >= 0:
            return 1.0
        if a @ weights + u @ chances > 0:
            return 1 - _integral(-a, weights, -u, chances)
        return _integral(a, weights, u, chances)

    return optimize.brentq(lambda m: above(m) - tail, both.min(), both.max(), xtol=1e-13, rtol=1e-15)


STEP = 0.02  # of t; the sum of an integrand that is analytic and falls so fast stands still at four times as much


def _integral(a, weights, u, chances):
    end = 1 / max(a.max(), u[chances > 0].max())
    line = end * np.linspace(0.002, 0.7, 350)
    log = -np.log(1 - np.multiply.outer(line, a)) @ weights - np.log(line)
    log += np.log((chances / (1 - np.multiply.outer(line, u))).sum(axis=1))
    c = line[log.argmin()]
    t = np.arange(0, 44, STEP)
    width = min(end - c, 0.3 / np.sqrt(weights @ (a / (1 - a * c)) ** 2 + 1 / c**2))
    s = c + 1j * width * np.sinh(t)
    value = np.exp(-np.log(1 - np.multiply.outer(s, a)) @ weights)
    value = value * (chances / (1 - np.multiply.outer(s, u))).sum(axis=1) / s * width * np.cosh(t)
    value[0] /= 2
    return value.real.sum() * STEP / np.pi


# By what the table holds, and what there is of options and items.
_GIVEN = {
    ("keep", "sizes"): {"one": _randomized_response, "number": _one_bit},
    ("flip",): {"one": _bitwise},
    ("flip", "magnitude"): {"one": _laplace},
    ("noise",): {"one": _noise},
    ("rows",): {"one": _exponential, "number": _laplace_mean},
    ("keep", "sample"): {"one": _multiple},
    ("keep", "sample", "size"): {"items": _grid},
}


def _given(asked):
    answer = "items" if "items" in asked else "one" if "options" in asked else "number"
    return _GIVEN[tuple(sorted(asked["table"]))][answer]
