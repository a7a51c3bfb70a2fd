"""Recompute every published estimate, standard error and interval of a release from its reports. Needs numpy.

    python recompute.py microdata.csv codebook.json                  prints the numbers as CSV
    python recompute.py microdata.csv codebook.json estimates.csv    compares them with the published ones

The formulas are in docs/researchers/recompute.md.
"""

import csv
import functools
import gzip
import json
import math
import re
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import islice
from typing import Any

import numpy as np

R = 2.0**53
EMPTY = -32768  # marks an empty cell
NAMED = ("question", "method", "target", "confidence")
COLUMNS = ("question", "method", "option", "target", "confidence")
NUMBERS = ("estimate", "standard_error", "interval_low", "interval_high", "simultaneous_low", "simultaneous_high")
AGREE = 1e-9  # of the scale's width, the largest difference
NEGLIGIBLE, TINY = 1e-18, 1e-300  # of a transform
Array = Any
Row = dict[str, Any]
Part = tuple[int, Array, Array]


# Reading --------------------------------------------------------------------------------------------------------------


def read(path: str) -> dict[str, Array]:
    """Return the columns by name."""
    opened = gzip.open(path, "rb") if path.endswith(".gz") else open(path, "rb")  # noqa: SIM115
    with opened as file:
        names = file.readline().decode("utf-8-sig").strip().split(",")
        parts = []
        while lines := b"".join(islice(file, 50_000)):
            filled = re.sub(rb"(?<=,)(?=[,\r\n])|^(?=,)", b"%d" % EMPTY, lines, flags=re.MULTILINE)
            parts.append(np.loadtxt(filled.decode().splitlines(), dtype=np.int16, delimiter=",", ndmin=2))
    return dict(zip(names, np.concatenate(parts).T, strict=True))


# Laws of scores -------------------------------------------------------------------------------------------------------


class Score:
    """The mean and variance of a score in the option, `a` and `v_a`, and outside it, `b` and `v_b`.

    A sum also has the law of its values from `low`. Pooled scores have `a` and `b` as means over these reports, the
    number of reports and law of each form in `forms`, and in `k` the factor of the sampling variance against a single
    form.
    """

    def __init__(self, a: float, v_a: float, b: float, v_b: float, low: int = 0, inside: Array = None,
                 outside: Array = None, *, forms: list[Part] | None = None, k: float = 1.0) -> None:  # fmt: skip
        self.a, self.v_a, self.b, self.v_b = a, v_a, b, v_b
        self.low, self.inside, self.outside, self.forms, self.k = low, inside, outside, forms, k

    def parts(self, n: int) -> list[Part]:
        """Return the reports in parts: their number, and the chances of low, low + 1, ... in and outside the option."""
        if self.forms is not None:
            return self.forms
        if self.inside is not None:
            return [(n, self.inside, self.outside)]
        return [(n, np.array([1 - self.a, self.a]), np.array([1 - self.b, self.b]))]


def indicator(a: float, b: float) -> Score:
    return Score(a, a * (1 - a), b, b * (1 - b))


def listed(keep: int, d: int, a: int) -> Score:
    """Return the score that is 1 if a report lists the option, in a list of `a` of `d` options."""
    kept = keep / R
    return indicator(kept + (1 - kept) * a / d, kept * (a - 1) / (d - 1) + (1 - kept) * a / d)


def chances(cumulative: list[int]) -> Array:
    return np.diff(np.array([0, *cumulative, 2**53], dtype=np.int64)) / R


def laplace(table: Row) -> tuple[Score, Score]:
    """Return the scores by the threshold and by the sum."""
    q, digits = table["flip"] / R, np.array(table["magnitude"]) / R
    weights = 2.0 ** np.arange(len(digits))
    mean = float(digits @ weights)
    second = mean**2 + float((digits * (1 - digits)) @ weights**2)
    magnitude = np.ones(1)
    for chance in digits:
        magnitude = np.concatenate((magnitude * (1 - chance), magnitude * chance))

    def moments(up: float) -> tuple[float, float]:
        first = up * (1 + mean) - (1 - up) * mean
        return first, up * (1 + 2 * mean + second) + (1 - up) * second - first**2

    laws = [np.concatenate(((1 - up) * magnitude[::-1], up * magnitude)) for up in (1 - q, q)]
    return indicator(1 - q, q), Score(*moments(1 - q), *moments(q), 1 - len(magnitude), *laws)


def noise(table: Row) -> Score:
    law = chances(table["noise"])
    values = np.arange(len(law)) - len(law) // 2
    mean = law @ values
    variance = law @ values**2 - mean**2
    return Score(1 + mean, variance, mean, variance, int(values[0]), np.append(0, law), np.append(law, 0))


# Questions ------------------------------------------------------------------------------------------------------------


def question(question: Row, table: dict[str, Array], levels: list[float]) -> Iterator[Row]:
    """Yield the rows of a question's results; none if no one was asked.

    Only reports of forms with the question count. `table` is the channel of the question's answers, even in a joint
    draw. Without it forms have different channels, and the shares are pooled.
    """
    columns = [table[column["name"]] for column in question["microdata"]["columns"]]
    forms = [question["form"]] if "form" in question else [each["form"] for each in question.get("asked", [])]
    of_form = [[column[table[question["form_column"]] == form] for column in columns] for form in forms]
    if forms:
        columns = [np.concatenate(parts) for parts in zip(*of_form, strict=True)]
    if not len(columns[0]):
        return
    if "table" not in question:
        yield from _pooled(question, of_form, levels)
    else:
        yield from _QUESTIONS[", ".join(sorted(question["table"])), about(question)](question, columns, levels)


def of_groups(book: Row, table: dict[str, Array]) -> Iterator[dict[str, Array]]:
    """Yield the reports of each group, if results are published by group."""
    for place in range(len(book.get("groups", []))):
        mine = table[book["group_column"]] == place
        yield {name: column[mine] for name, column in table.items()}


def at_once(question: Row) -> int:
    """Return the number of simultaneous intervals. If reports name one of two options, the other is mirrored."""
    d, parts = len(question["options"]), len(question.get("items", [1]))
    table = question.get("table") or question["asked"][0]["table"]
    return parts * (1 if d == 2 and {"sizes", "size", "rows"} & {*table} else d)


def _shares(question: Row, totals: dict[str, list[int]], laws: dict[str, Score], n: int, levels: list[float]) -> Any:
    together = at_once(question)
    for method, law in laws.items():
        total_law = law_of(question, n, law)
        for option, total in zip(question["options"], totals[method], strict=True):
            named = {"question": question["key"], "method": method, "option": option}
            yield from category(named, total, n, law, levels, together, total_law)


def _randomized_response(question: Row, columns: list[Array], levels: list[float]) -> Any:
    d, [a] = len(question["options"]), question["table"]["sizes"]
    law = listed(question["table"]["keep"], d, a)
    return _shares(question, {"support": listed_counts(columns, d)}, {"support": law}, len(columns[0]), levels)


def listed_counts(columns: list[Array], d: int) -> list[int]:
    """Return how many reports list each option. A single column holds the option, else each has one."""
    return np.bincount(columns[0], minlength=d).tolist() if len(columns) == 1 else _sums(columns)["support"]


def _bitwise(question: Row, columns: list[Array], levels: list[float]) -> Any:
    q = question["table"]["flip"] / R
    return _shares(question, _sums(columns), {"support": indicator(1 - q, q)}, len(columns[0]), levels)


def _laplace(question: Row, columns: list[Array], levels: list[float]) -> Any:
    threshold, total = laplace(question["table"])
    totals = {"threshold": [int((column >= 1).sum()) for column in columns], "sum": _sums(columns)["support"]}
    return _shares(question, totals, {"threshold": threshold, "sum": total}, len(columns[0]), levels)


def _noise(question: Row, columns: list[Array], levels: list[float]) -> Any:
    return _shares(
        question, {"sum": _sums(columns)["support"]}, {"sum": noise(question["table"])}, len(columns[0]), levels
    )


def _sums(columns: list[Array]) -> dict[str, list[int]]:
    return {"support": [int(column.sum(dtype=np.int64)) for column in columns]}


def _one_bit(question: Row, columns: list[Array], levels: list[float]) -> Any:
    named = {"question": question["key"], "method": "mean", "option": "mean"}
    n, law = len(columns[0]), listed(question["table"]["keep"], 2, 1)
    rows = category(named, int(columns[0].sum()), n, law, levels, 1, law_of(question, n, law), True)
    return (_scaled(row, question) for row in rows)


def _pooled(question: Row, of_form: list[list[Array]], levels: list[float]) -> Any:
    """Return the rows of pooled shares. Each form's reports have a factor."""
    if "sample" in question["asked"][0]["table"]:
        yield from _pooled_items(question, of_form, levels)
        return
    d = len(question.get("options", (0, 1)))
    counts = [len(columns[0]) for columns in of_form]
    law, scores = pooled([(n, each["table"]) for n, each in zip(counts, question["asked"], strict=True)], d)
    ones = np.array([listed_counts(columns, d) for columns in of_form])
    totals, n = (np.array(scores) @ ones).tolist(), sum(counts)
    if "options" in question:
        yield from _shares(question, {"support": totals}, {"support": law}, n, levels)
        return
    named = {"question": question["key"], "method": "mean", "option": "mean"}
    rows = category(named, totals[1], n, law, levels, 1, law_of(question, n, law), True)
    yield from (_scaled(row, question) for row in rows)


def _pooled_items(question: Row, of_form: list[list[Array]], levels: list[float]) -> Any:
    """Yield the rows of a grid's items or a multiple choice's options, from each form's reports about them."""
    grid, reports = "items" in question, sum(len(columns[0]) for columns in of_form)
    items, d = len(question["items" if grid else "options"]), len(question["options"]) if grid else 2
    together = at_once(question) if grid else items
    for place in range(items):
        each = [columns[place * len(columns) // items : (place + 1) * len(columns) // items] for columns in of_form]
        own = [[column[columns[0] != EMPTY] for column in columns] for columns in each]
        counts = [len(columns[0]) for columns in own]
        if not (n := sum(counts)):
            continue
        law, scores = pooled([(m, form["table"]) for m, form in zip(counts, question["asked"], strict=True)], d)
        totals = np.array(scores) @ np.array([listed_counts(columns, d) for columns in own])
        named = {"question": f"{question['key']}.{place + 1}" if grid else question["key"], "method": "support"}
        options = question["options"] if grid else [question["options"][place]]
        for option, total in zip(options, totals.tolist() if grid else totals.tolist()[1:], strict=True):
            about = named | {"option": option}
            yield from category(about, total, n, law, levels, together, law_of(question, n, law), n < reports)


def pooled(forms: list[tuple[int, Row]], d: int) -> tuple[Score, list[int]]:
    """Return the law of the pooled scores, and each form's factor. `forms` has their numbers of reports and tables."""
    sizes = [table["sizes"][0] if "sizes" in table else table.get("size", 1) for _, table in forms]
    ends = [_listed_exactly(table["keep"], d, size) for (_, table), size in zip(forms, sizes, strict=True)]
    middles = [q + (p - q) / d for p, q in ends]
    scores = whole_numbers([(p - q) / (pi * (1 - pi)) for (p, q), pi in zip(ends, middles, strict=True)])
    counts, c = np.array([n for n, _ in forms]), np.array(scores)
    p, q = (np.array([float(end) for end in side]) for side in zip(*ends, strict=True))
    weights, n = counts * c, counts.sum()
    [(a, v_a), (b, v_b)] = [(float(weights @ end / n), float((weights * c) @ (end * (1 - end)) / n)) for end in (p, q)]
    parts = [
        (count, *(np.concatenate(([1 - end], np.zeros(score - 1), [end])) for end in chance))
        for count, score, chance in zip(counts.tolist(), scores, zip(p, q, strict=True), strict=True)
    ]
    excess = n * float(counts @ (c * (p - q)) ** 2) / float(weights @ (p - q)) ** 2
    return Score(a, v_a, b, v_b, forms=parts, k=excess), scores


def _listed_exactly(keep: int, d: int, a: int) -> tuple[Fraction, Fraction]:
    """Return the chances that a report lists the true option, and another one."""
    kept = Fraction(keep, 2**53)
    return kept + (1 - kept) * Fraction(a, d), kept * Fraction(a - 1, d - 1) + (1 - kept) * Fraction(a, d)


def whole_numbers(best: list[Fraction]) -> list[int]:
    """Return integers up to 60 that are within a twentieth of a multiple of these, or as near as possible."""
    shares = [each / max(best) for each in best]
    for most in range(1, 61):
        whole = [max(1, round(most * share)) for share in shares]
        if all(20 * abs(one - most * share) <= most * share for one, share in zip(whole, shares, strict=True)):
            break
    return whole


def _multiple(question: Row, columns: list[Array], levels: list[float]) -> Any:
    d, law = len(columns), listed(question["table"]["keep"], 2, 1)
    for option, column in zip(question["options"], columns, strict=True):
        own = column[column != EMPTY]
        if len(own):
            named = {"question": question["key"], "method": "support", "option": option}
            part = len(own) < len(column)
            spans = law_of(question, len(own), law)
            yield from category(named, int(own.sum()), len(own), law, levels, d, spans, part)


def _grid(question: Row, columns: list[Array], levels: list[float]) -> Any:
    d, items = len(question["options"]), len(question["items"])
    law, together = listed(question["table"]["keep"], d, question["table"]["size"]), at_once(question)
    for place in range(items):
        mine = columns[place * len(columns) // items : (place + 1) * len(columns) // items]
        about = mine[0] != EMPTY
        n, part = int(about.sum()), not about.all()
        counts = listed_counts([column[about] for column in mine], d) if n else []
        for option, count in zip(question["options"], counts, strict=False):
            named = {"question": f"{question['key']}.{place + 1}", "method": "support", "option": option}
            yield from category(named, count, n, law, levels, together, law_of(question, n, law), part)


def _exponential(question: Row, columns: list[Array], levels: list[float]) -> Any:
    d, n = len(question["options"]), len(columns[0])
    channel = np.array([chances(row) for row in question["table"]["rows"]])
    counts, phi = np.bincount(columns[0], minlength=d), np.linalg.inv(channel)
    together = at_once(question)
    every = _both(levels, together)
    for place, (option, score) in enumerate(zip(question["options"], phi.T, strict=True)):
        estimate, square = score @ counts / n, score**2 @ counts / n
        theta = cut(estimate)
        own = channel @ score**2 - (channel @ score) ** 2
        variances = {
            "population": clamp(square - theta**2, own.min(), own.max() + theta * (1 - theta)),
            "respondents": clamp(square - theta, own.min(), own.max()),
        }
        low, high = ([np.array([end]), np.ones(1)] for end in (score.min(), score.max()))
        if question["every_release"]:
            where = np.eye(d)[place]
            spans = {level: channel_ends(score, counts, where, channel, (1 - level) / 2) for level in every}
        else:
            spans = {level: unseen(score, counts, low, high, 1 - level) for level in every}
        for target, variance in variances.items():
            for level in levels:
                row = {"question": question["key"], "method": "inverse", "option": option, "target": target}
                ends = [*spans[level], *spans[1 - (1 - level) / together]]
                yield row | _numbers(level, estimate, math.sqrt(variance / n), ends)


def _laplace_mean(question: Row, columns: list[Array], levels: list[float]) -> Any:
    rows = np.array([chances(row) for row in question["table"]["rows"]])
    steps, n = len(rows) - 1, len(columns[0])
    beyond = (rows.shape[1] - len(rows)) // 2
    y = np.arange(rows.shape[1]) - beyond
    own = (y >= 0) & (y <= steps)
    score = y.astype(float)
    score[own] += np.linalg.solve(rows[:, own], np.arange(steps + 1) - rows @ y)
    score /= steps
    counts = np.bincount(columns[0] + beyond, minlength=len(y))
    estimate, square = score @ counts / n, score**2 @ counts / n
    theta, own_noise = cut(estimate), rows @ score**2 - (rows @ score) ** 2
    variance = clamp(square - estimate**2, own_noise.min(), own_noise.max() + theta * (1 - theta))
    errors = {"population": variance, "respondents": own_noise.max() + 1 / (4 * steps**2)}
    ends = Total([(n, rows[-1], rows[0])], -beyond) if steps <= 7 else None
    total = int(columns[0].sum(dtype=np.int64))
    sides = [(rows, score * steps - y), (rows[::-1, ::-1], (y - score * steps)[::-1])]
    for target, squared in errors.items():
        for level in levels:
            tail = (1 - level) / 2
            if question["every_release"]:
                span = channel_ends(score, counts, np.arange(steps + 1) / steps, rows, tail)
            elif target == "respondents":
                above, below = (farthest(*side, n, tail) / (n * steps) for side in sides)
                span = clipped([estimate - above, estimate + below], estimate)
            elif ends is not None:
                span = union(functools.partial(ends.population, tail=tail), total, ends.possible(total))
            else:
                span = unseen(score, counts, [score, rows[0]], [score, rows[-1]], 1 - level)
            named = {"question": question["key"], "method": "mean", "option": "mean", "target": target}
            yield _scaled(named | _numbers(level, estimate, math.sqrt(squared / n), [*span, *span]), question)


def _scaled(row: Row, question: Row) -> Row:
    """Return the row on the question's scale instead of 0 to 1."""
    low, width = float(question["low"]), float(question["high"]) - float(question["low"])
    ends = {name: low + width * row[name] for name in NUMBERS if name != "standard_error"}
    return row | ends | {"standard_error": width * row["standard_error"]}


def _both(levels: list[float], together: int) -> set[float]:
    """Return the confidences, and the confidences of one interval of `together` that hold at once."""
    return {*levels, *(1 - (1 - level) / together for level in levels)}


# One option -----------------------------------------------------------------------------------------------------------


def category(named: Row, total: int, n: int, law: Score, levels: list[float], together: int,
             total_law: "Total | Sequence | None", part: bool = False) -> Iterator[Row]:  # fmt: skip
    """Yield the rows of an option. If `part`, the population's numbers serve for the respondents too."""
    gap = law.a - law.b
    estimate = (total / n - law.b) / gap
    theta = cut(estimate)
    own = (theta * law.v_a + (1 - theta) * law.v_b) / gap**2
    for target in ("population", "respondents"):
        by = "population" if part else target
        sampling = law.k if by == "population" else (law.k - 1) * n / max(n - 1, 1)
        error = math.sqrt((own + sampling * theta * (1 - theta)) / n)
        for level in levels:
            ends: list[float] = []
            for confidence in (level, 1 - (1 - level) / together):
                tail = (1 - confidence) / 2

                def at(one: int, by: str = by, tail: float = tail) -> list[float]:
                    if total_law is not None:
                        return list(getattr(total_law, by)(one, tail))
                    binomial = binomial_population if by == "population" else binomial_respondents
                    return binomial(one, n, law, tail)

                ends += union(at, total, int(clamp(total, round(n * law.b), round(n * law.a))))
            yield named | {"target": target} | _numbers(level, estimate, error, ends)


def _numbers(level: float, estimate: float, error: float, ends: list[float]) -> Row:
    return {"confidence": level} | dict(zip(NUMBERS, [float(estimate), float(error), *map(float, ends)], strict=True))


def cut(x: float) -> float:
    return clamp(x, 0.0, 1.0)


def clamp(x: float, low: float, high: float) -> float:
    return float(min(max(x, low), high))


# Impossible estimates -------------------------------------------------------------------------------------------------


def union(ends: Callable[[Any], list[float]], total: Any, possible: Any) -> list[float]:
    """Return the interval at a total. If its estimate is impossible, also cover the interval at the nearest possible
    one."""
    spans = [ends(each) for each in {total, possible}]
    return [min(low for low, _ in spans), max(high for _, high in spans)]


def clipped(span: list[float], estimate: float) -> list[float]:
    """Return the clipped interval. It moves with its estimate."""
    moved = cut(estimate) - estimate
    return [cut(min(span[0], span[0] + moved)), cut(max(span[1], span[1] + moved))]


# 0/1 scores -----------------------------------------------------------------------------------------------------------


def binomial(n: int, chance: float) -> tuple[int, Array]:
    """Return the first relevant count, and the chances from it on. They come from ratios, so no factorial is needed."""
    if n == 0 or chance in (0.0, 1.0):
        return (n if chance == 1.0 else 0), np.ones(1)
    around = 10 * math.sqrt(n * chance * (1 - chance)) + 40
    low, high = max(0, math.floor(n * chance - around)), min(n, math.ceil(n * chance + around))
    k = np.arange(low, high)
    logs = np.concatenate(([0.0], np.cumsum(np.log((n - k) / (k + 1)) + math.log(chance / (1 - chance)))))
    weights = np.exp(logs - logs.max())
    return low, weights / weights.sum()


def binomial_population(total: int, n: int, law: Score, tail: float) -> list[float]:
    """Return Clopper and Pearson's interval."""

    def at_least(chance: float, count: int) -> float:
        low, weights = binomial(n, chance)
        return float(weights[max(count - low, 0) :].sum())

    low = root(lambda x: at_least(x, total) - tail, 0.0, 1.0) if total else 0.0
    high = root(lambda x: tail - (1 - at_least(x, total + 1)), 0.0, 1.0) if total < n else 1.0
    return [cut((low - law.b) / (law.a - law.b)), cut((high - law.b) / (law.a - law.b))]


def binomial_respondents(total: int, n: int, law: Score, tail: float) -> list[float]:
    """Return the exact interval. The total is the sum of a binomial for m in the option and one for the others."""

    def at_least(m: int, count: int) -> float:
        x, x_weights = binomial(m, law.a)
        y, y_weights = binomial(n - m, law.b)
        above = np.append(np.cumsum(y_weights[::-1])[::-1], 0.0)
        return float(x_weights @ above[np.clip(count - x - np.arange(len(x_weights)) - y, 0, len(y_weights))])

    return exact_ends(lambda m: at_least(m, total), lambda m: at_least(m, total + 1), n, tail)


def exact_ends(at_least: Callable[[int], float], more: Callable[[int], float], n: int, tail: float) -> list[float]:
    """Return the ends of the m that neither tail refuses, divided by n. Both chances increase with m."""
    low = first(lambda m: at_least(m) > tail, 0, n)
    high = first(lambda m: 1 - more(m) <= tail, 0, n + 1) - 1
    return [low / n, max(high, 0) / n]


def first(holds: Callable[[int], bool], low: int, high: int) -> int:
    """Return the first integer from `low` to `high` - 1 with a condition that stays true; else `high`."""
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle + 1, high)
    return low


# Sums -----------------------------------------------------------------------------------------------------------------


class Total:
    """The law of a sum of integers with `n` of each part, from `low` on."""

    def __init__(self, parts: list[Part], low: int) -> None:
        parts = [part for part in parts if part[0]]
        self._counts = [n for n, _, _ in parts]
        self.n, self.low = sum(self._counts), low
        self._means, spread = np.zeros(2), 0.0
        for n, *laws in parts:
            index = np.arange(len(laws[0]))
            means = np.array([law @ index for law in laws])
            self._means += n * means
            variances = [law @ index**2 - mean**2 for law, mean in zip(laws, means, strict=True)]
            spread += n * float(max(variances) + (means[0] - means[1]) ** 2 / 4)
        # Sums farther from their mean have a chance below 1e-15. The transform may mistake them for others.
        self._reach = 12 * math.sqrt(spread) + 3 * max(len(inside) for _, inside, _ in parts)
        every = sum(n * (len(inside) - 1) for n, inside, _ in parts) + 1
        self.size = int(min(every, 2 * self._reach)) | 1
        self._whole = self.size >= every
        transforms = [[np.fft.rfft(_wrapped(law, self.size)) for law in laws] for _, *laws in parts]
        with np.errstate(divide="ignore"):
            sizes = [n * np.log(np.abs(both).max(axis=0)) for n, both in zip(self._counts, transforms, strict=True)]
        kept = np.nonzero(np.sum(sizes, axis=0) > math.log(NEGLIGIBLE))[0]
        self._k, self._laws = kept, [[law[kept] for law in both] for both in transforms]

    def possible(self, total: int) -> int:
        """Return the nearest total between the expected ones at shares 0 and 1."""
        inside, outside = (round(self.n * self.low + mean) for mean in self._means)
        return int(clamp(total, outside, inside))

    def population(self, total: int, tail: float) -> list[float]:
        low = root(lambda share: self.mixed(share, total) - tail, 0.0, 1.0)
        high = root(lambda share: tail - 1 + self.mixed(share, total + 1), 0.0, 1.0)
        return [low, high]

    def respondents(self, total: int, tail: float) -> list[float]:
        return exact_ends(lambda m: self.fixed(m, total), lambda m: self.fixed(m, total + 1), self.n, tail)

    def mixed(self, share: float, total: int) -> float:
        both = (share * inside + (1 - share) * outside for inside, outside in self._laws)
        return self._at_least(math.prod(each**n for n, each in zip(self._counts, both, strict=True)), share, total)

    def fixed(self, m: int, total: int) -> float:
        if len(self._laws) > 1:
            return self._at_least(self._drawn(m), m / self.n, total)
        [[inside, outside]] = self._laws
        return self._at_least(inside**m * outside ** (self.n - m), m / self.n, total)

    def _drawn(self, m: int) -> Array:
        """Return the transform if exactly m are inside. Each is inside with chance m/n, given that there are m."""
        share = m / self.n
        start, chance = binomial(self.n, share)
        length = min(self.n, int(10 * math.sqrt(self.n * share * (1 - share)) + 40)) + 1
        turns = -2j * np.pi * np.arange(length)[:, None] / length
        both = [share * np.exp(turns) * inside + (1 - share) * outside for inside, outside in self._laws]
        sizes = sum(n * np.log(np.maximum(np.abs(each), TINY)) for n, each in zip(self._counts, both, strict=True))
        kept, found = sizes > math.log(NEGLIGIBLE), np.zeros(both[0].shape, dtype=complex)
        found[kept] = math.prod(each[kept] ** n for n, each in zip(self._counts, both, strict=True))
        return (found * np.exp(-turns * m)).sum(axis=0) / length / chance[m - start]

    def _at_least(self, transform: Array, share: float, total: int) -> float:
        """Return P(sum >= total) from a transform, as a geometric series over the window around the mean."""
        mean = share * self._means[0] + (1 - share) * self._means[1]
        start = 0 if self._whole else max(math.floor(mean - self.size / 2), 0)
        index = total - self.n * self.low - start
        if index <= 0 or index >= self.size:
            return float(index <= 0)
        k, turn = self._k[1:], 2j * np.pi / self.size
        phase = np.exp(turn * (k * (start % self.size) % self.size))
        series = phase * (1 - np.exp(turn * (k * index % self.size))) / (np.exp(turn * k) - 1)
        return (float(transform[0].real) * (self.size - index) + 2 * float((transform[1:] @ series).real)) / self.size


def farthest(rows: Array, corrections: Array, n: int, tail: float) -> float:
    """Return what noise, rounding and corrections of n reports exceed with at most the chance `tail`, in steps."""
    beyond, error = (rows.shape[1] - len(rows)) // 2, tail / 1000
    law, tail = Total([(n, np.append(0.0, rows[0]), np.append(rows[0], 0.0))], -beyond), tail - error
    highest = n * (rows.shape[1] - beyond)
    half = first(lambda total: law.mixed(0.5, total) <= tail, -n * beyond, highest + 1)
    noise = max(total - n * law.population(total, tail)[0] for total in (half - 1, half))
    times = n * float(rows[:, corrections > 1e-9].sum(axis=1).max())
    more = -math.log(error) / 3
    often = min(float(n), times + more + math.sqrt(more**2 + 6 * more * times))
    return noise + max(float(corrections.max()), 0.0) * often if times else noise


def _wrapped(law: Array, size: int) -> Array:
    """Return a law whose part beyond the window's end continues at its start."""
    padded = np.zeros(-(-len(law) // size) * size)
    padded[: len(law)] = law
    return padded.reshape(-1, size).sum(axis=0)


# Every release --------------------------------------------------------------------------------------------------------


def law_of(question: Row, n: int, law: Score) -> "Total | Sequence | None":
    """Return the law that gives the intervals of a total; None for a binomial at one look."""
    if question["every_release"]:
        return Sequence(n, law)
    return Total(law.parts(n), law.low) if law.inside is not None or law.forms is not None else None


class Sequence:
    """Intervals of a total that hold at every release. They contain the shares with little evidence against them."""

    def __init__(self, n: int, law: Score) -> None:
        self.n, self.law, self.parts, self.spread = n, law, law.parts(n), 0.0
        for _, *rows in self.parts:
            values = law.low + np.arange(len(rows[0]))
            self.spread = max(self.spread, *(float(row @ values**2 - (row @ values) ** 2) for row in rows))

    def population(self, total: int, tail: float) -> list[float]:
        if self.law.inside is None and self.law.forms is None:
            return self._mixture(total, tail)
        return self._tilted(total, tail, _mixed_cumulants)

    def respondents(self, total: int, tail: float) -> list[float]:
        if self.law.forms is not None:
            return self.population(total, tail)
        return self._tilted(total, tail, lambda share, logs: logs.T @ [share, 1 - share])

    def _tilted(self, total: int, tail: float, cumulants: Callable[[float, Array], Array]) -> list[float]:
        sides = []
        for sign in (1, -1):
            t, weights = tilts(self.spread, tail, sign)
            logs = [(n, self._logs(t, np.array(rows))) for n, *rows in self.parts]

            def excess(share: float, t: Array = t, weights: Array = weights, logs: Any = logs) -> float:
                each = sum(n * cumulants(share, own) for n, own in logs)
                return log_sum(weights + t * total - each) + math.log(tail)

            sides.append(excess)
        return little(*sides)

    def _logs(self, t: Array, rows: Array) -> Array:
        """Return the logarithm of the mean of e^{t score}, in the option and outside it."""
        exponents = np.multiply.outer(self.law.low + np.arange(rows.shape[1]), t)
        highest = exponents.max(axis=0)  # its exponential may overflow a float
        return np.asarray(highest + np.log(rows @ np.exp(exponents - highest)))

    def _mixture(self, total: int, tail: float) -> list[float]:
        """Return the interval for 0/1 scores of a population, by a beta law over the chance of a 1."""
        a, b, n = self.law.a, self.law.b, self.n
        mean, variance = (a + b) / 2, (a - b) ** 2 / 12
        strength = mean * (1 - mean) / variance - 1
        r, s = mean * strength, (1 - mean) * strength
        ratio = log_beta(total + r, n - total + s) - log_beta(r, s)
        nearest = cut((total / n - b) / (a - b))

        def excess(share: float) -> float:
            chance = b + (a - b) * share
            return ratio - total * math.log(chance) - (n - total) * math.log1p(-chance) + math.log(2 * tail)

        if excess(nearest) >= 0:
            return [nearest, nearest]
        return [root(lambda x: -excess(x), 0.0, nearest), root(excess, nearest, 1.0)]


def _mixed_cumulants(share: float, logs: Array) -> Array:
    with np.errstate(divide="ignore"):
        return np.asarray(np.logaddexp(np.log(share) + logs[0], np.log1p(-share) + logs[1]))


def channel_ends(score: Array, counts: Array, positions: Array, rows: Array, tail: float) -> list[float]:
    """Return the interval for a channel's scores. Their law is the worst one with this share or mean."""
    n, total = int(counts.sum()), float(score @ counts)
    spread, tilted = float((rows @ score**2 - (rows @ score) ** 2).max()), []
    for sign in (1, -1):
        t, weights = tilts(spread, tail, sign)
        hulls = [hull(positions, powers) for powers in np.exp(np.multiply.outer(t, score)) @ rows.T]
        tilted.append((t, weights, hulls))

    def excess(share: float, total: float, t: Array, weights: Array, hulls: list[Any]) -> float:
        cumulants = np.log([np.interp(share, *corners) for corners in hulls])
        return log_sum(weights + t * total - n * cumulants) + math.log(tail)

    def ends(total: float) -> list[float]:
        above, below = tilted
        return little(lambda share: excess(share, total, *above), lambda share: excess(share, total, *below))

    return union(ends, total, clamp(total, 0.0, n))


def little(above: Callable[[float], float], below: Callable[[float], float]) -> list[float]:
    """Return the interval between the evidence that the share is larger and the evidence that it is smaller."""
    low, high = root(lambda x: -above(x), 0.0, 1.0), root(below, 0.0, 1.0)
    return [low, high] if low <= high else [(low + high) / 2] * 2


def tilts(spread: float, tail: float, sign: int) -> tuple[Array, Array]:
    k = np.arange(15)
    return sign * math.sqrt(2 * math.log(1 / tail) / (32 * spread)) / 2.0**k, -np.log((k + 1.0) * (k + 2))


def hull(positions: Array, heights: Array) -> tuple[list[float], list[float]]:
    """Return the corners of the smallest concave function above the points."""
    corners: list[tuple[float, float]] = []
    for x, y in sorted(zip(positions.tolist(), heights.tolist(), strict=True)):
        while corners and (corners[-1][0] == x or (len(corners) > 1 and _under(corners[-2], corners[-1], (x, y)))):
            corners.pop()
        corners.append((x, y))
    return [x for x, _ in corners], [y for _, y in corners]


def _under(left: tuple[float, float], middle: tuple[float, float], right: tuple[float, float]) -> bool:
    (x0, y0), (x1, y1), (x2, y2) = left, middle, right
    return (y1 - y0) * (x2 - x0) <= (y2 - y0) * (x1 - x0)


def log_sum(logs: Array) -> float:
    largest = logs.max()
    return float(largest + np.log(np.exp(logs - largest).sum()))


def log_beta(x: float, y: float) -> float:
    return math.lgamma(x) + math.lgamma(y) - math.lgamma(x + y)


# The unseen respondent ------------------------------------------------------------------------------------------------


def unseen(score: Array, counts: Array, low: list[Array], high: list[Array], missed: float) -> list[float]:
    """Return the interval by the unseen respondent. Its scores and chances are in `low` and `high`."""
    bottom = -upper(-score, counts, -low[0], low[1], missed / 2)
    top = upper(score, counts, high[0], high[1], missed / 2)
    return clipped([bottom, top], float(score @ counts / counts.sum()))


def upper(score: Array, counts: Array, new: Array, law: Array, tail: float) -> float:
    v, c, new, law = score[counts > 0], counts[counts > 0], new[law > 0], law[law > 0]
    both = np.concatenate((v, new))
    if both.min() == both.max():
        return float(both.max())

    def above(m: float) -> float:
        a, u = v - m, new - m
        if max(a.max(), u.max()) <= 0:
            return 0.0
        if min(a.min(), u.min()) >= 0:
            return 1.0
        return 1 - beyond(-a, c, -u, law) if a @ c + u @ law > 0 else beyond(a, c, u, law)

    return root(lambda m: tail - above(m), float(both.min()), float(both.max()))


def beyond(a: Array, c: Array, u: Array, law: Array) -> float:
    """Return P(T > 0) if the mean of T is at most 0, by the Bromwich integral near the saddle point."""
    end = 1 / max(a.max(), u.max())
    line = end * np.linspace(0.002, 0.75, 300)
    logs = -np.log1p(-np.multiply.outer(line, a)) @ c - np.log(line)
    logs += np.log((law / (1 - np.multiply.outer(line, u))).sum(axis=1))
    s0 = line[logs.argmin()]
    width = min(end - s0, 1 / math.sqrt(c @ (a / (1 - a * s0)) ** 2 + 1 / s0**2))

    def values(t: Array) -> Array:
        y = width * np.sinh(t)
        near = np.multiply.outer(y, a / (1 - a * s0))
        logs = -(np.log1p(-a * s0) @ c) - 0.5 * (np.log1p(near**2) @ c) + 1j * (np.arctan(near) @ c)
        s = s0 + 1j * y
        return (np.exp(logs) * (law / (1 - np.multiply.outer(s, u))).sum(axis=1) / s).real * width * np.cosh(t)

    step, t = 0.5, np.arange(0, 44, 0.5)
    coarse = values(t)
    coarse[0] /= 2
    alive = np.nonzero(np.abs(coarse) > 1e-18 * np.abs(coarse).max())[0]
    if not len(alive):
        return 0.0
    total, end = coarse.sum(), t[alive[-1]] + step
    while True:
        more = total + values(np.arange(step / 2, end, step)).sum()
        before, after, step = total * step, more * step / 2, step / 2
        if abs(after - before) <= 1e-13 * abs(after) + 1e-16 or step <= 1 / 1024:
            return float(after / math.pi)
        total = more


def root(rising: Callable[[float], float], low: float, high: float) -> float:
    """Return where an increasing function crosses 0; an end if it does not. False position and halving alternate."""
    at_low, at_high = rising(low), rising(high)
    if at_low >= 0:
        return low
    if at_high <= 0:
        return high
    for turn in range(200):
        middle = low - at_low * (high - low) / (at_high - at_low)
        if turn % 3 == 2 or not low < middle < high:
            middle = (low + high) / 2
        if not low < middle < high:
            break
        at = rising(middle)
        if at == 0:
            return middle
        if at < 0:
            low, at_low = middle, at
        else:
            high, at_high = middle, at
    return (low + high) / 2


# By the fields of the table and the subject of a report: options, a number, or some of several items.
_QUESTIONS = {
    ("keep, sizes", "options"): _randomized_response, ("keep, sizes", "number"): _one_bit,
    ("flip", "options"): _bitwise, ("flip, magnitude", "options"): _laplace, ("noise", "options"): _noise,
    ("rows", "options"): _exponential, ("rows", "number"): _laplace_mean,
    ("keep, sample", "options"): _multiple, ("keep, sample, size", "items"): _grid,
}  # fmt: skip


def about(question: Row) -> str:
    return "items" if "items" in question else "options" if "options" in question else "number"


# Results --------------------------------------------------------------------------------------------------------------


def recompute(microdata: str, codebook: str) -> list[Row]:
    with open(codebook, encoding="utf-8-sig") as file:
        book = json.load(file)
    table = read(microdata)
    same = {"every_release": book["every_release"], "form_column": book.get("form_column")}
    questions = [each | same for each in book["questions"]]
    tables = [table, *of_groups(book, table)]
    return [row for one in tables for each in questions for row in question(each, one, book["confidences"])]


def retention(forms: list[Row]) -> list[Row]:
    """Return each form's number of reports against its weight. All reports of the ended survey must be there."""
    n, whole, level = sum(form["n"] for form in forms), sum(form["weight"] for form in forms), 0.001 / len(forms)
    rows = []
    for form in forms:
        came, chance = form["n"], form["weight"] / whole
        start, weights = binomial(n, chance)
        fewer = float(weights[: max(came + 1 - start, 0)].sum())
        more = float(weights[max(came - start, 0) :].sum())
        p_value, odds = min(1.0, 2 * min(fewer, more)), chance / (1 - chance)
        low, high = binomial_population(came, n, indicator(1.0, 0.0), level / 2)
        ratio = [low / (1 - low) / odds, high / (1 - high) / odds if high < 1 else math.inf]
        direction = 0 if p_value > level else -1 if fewer < more else 1
        rows.append(
            {"expected": n * chance, "p_value": p_value, "direction": direction, "ratio": ratio}
            | {"missing": max(0.0, 1 - ratio[0])}
        )
    return rows


def retention_difference(book: Row) -> float:
    """Return the largest difference from the codebook's statements about forms. It is 0 if the codebook has none to
    check: the survey goes on, results may have ended it, or a form's reports were erased."""
    forms = book.get("forms", [])
    if not forms or book["every_release"] or any(form["retention"] is None or not form["n"] for form in forms):
        return 0.0
    pairs = [(mine, form["retention"]) for mine, form in zip(retention(forms), forms, strict=True)]
    if any(mine["direction"] != theirs["direction"] for mine, theirs in pairs):
        return math.inf
    numbers = [(mine[name], theirs[name]) for mine, theirs in pairs for name in ("expected", "p_value", "missing")]
    numbers += [
        (a, math.inf if b is None else b)
        for mine, theirs in pairs
        for a, b in zip(mine["ratio"], theirs["ratio"], strict=True)
    ]
    return max(0.0 if a == b else abs(a - b) / max(1.0, abs(b)) for a, b in numbers)


def largest_difference(rows: list[Row], estimates: str) -> float:
    """Return the largest difference of a number, as a fraction of the scale's width; infinite if rows differ."""
    with open(estimates, encoding="utf-8-sig", newline="") as file:
        # An apostrophe prevents pandas and R from reading a key such as nan as a missing value.
        published = [row | {"question": row["question"].lstrip("'")} for row in csv.DictReader(file)]
    largest = 0.0 if len(rows) == len(published) else math.inf
    for mine, theirs in zip(rows, published, strict=False):
        if any(str(mine[name]) != theirs[name] for name in NAMED):
            return math.inf
        width = float(theirs["scale_high"]) - float(theirs["scale_low"])
        largest = max(largest, *(abs(float(theirs[name]) - mine[name]) / width for name in NUMBERS))
    return largest


def main() -> None:
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    rows = recompute(*sys.argv[1:3])
    if len(sys.argv) == 3:
        writer = csv.DictWriter(sys.stdout, [*COLUMNS, *NUMBERS])
        writer.writeheader()
        writer.writerows(rows)
        return
    with open(sys.argv[2], encoding="utf-8-sig") as file:
        difference = max(largest_difference(rows, sys.argv[3]), retention_difference(json.load(file)))
    print(f"{len(rows)} rows recomputed; the largest difference is {difference:.2g} of a scale's width.")
    sys.exit(difference > AGREE)


if __name__ == "__main__":
    main()
