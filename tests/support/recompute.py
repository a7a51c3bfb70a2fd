"""The published numbers, computed again from docs/researchers/recompute.md alone. This module imports nothing of the
product."""

import hashlib
import itertools
import json
import math
from bisect import bisect_left
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from scipy import fft, optimize, special, stats

R = 2.0**53
TARGETS = ("population", "respondents")


def question(
    asked: dict[str, Any], reports: list[Any], confidence: float, every_release: bool = False
) -> list[dict[str, Any]]:
    """Return each result of a definition's question. A result has its methods: name, estimates and, by target, errors
    and intervals."""
    return list(_given(asked)(asked | {"every_release": every_release}, reports, confidence))


def survey(
    definition: dict[str, Any], bodies: list[dict[str, Any]], confidence: float, every_release: bool = False
) -> dict[str, list[Any]]:
    """Return each question's results by its key, from the bodies that were sent. A question without reports is left
    out."""
    found = {}
    for asked in definition["questions"]:
        channels, parts = zip(*_channels(definition, bodies, asked["key"]), strict=True)
        reports = [value for part in parts for value in part]
        if reports and all(channel == channels[0] for channel in channels):
            found[asked["key"]] = question(asked | channels[0], reports, confidence, every_release)
        elif reports and "sample" in channels[0]["table"]:
            found[asked["key"]] = list(_pooled_items(asked, channels, parts, confidence, every_release))
        elif reports:
            forms = [_form(asked, channel, part) for channel, part in zip(channels, parts, strict=True)]
            found[asked["key"]] = _pooled(asked, forms, confidence, every_release)
    return found


def _channels(definition, bodies, key):
    """Yield, for each draw with this question, the channel of its answers and the sent values."""
    for form, draw in _draws(definition):
        if key in draw["questions"]:
            table = draw["table"]
            if "sizes" in table:
                table = _own_table(definition, table, draw["questions"].index(key), key)
            own = {name: draw[name] for name in ("alpha", "delta") if name in draw}
            yield own | {"table": table}, [body["answers"][key] for body in bodies if form in (None, body.get("form"))]


def _own_table(definition, table, place, key):
    """Return the table of a draw's question; for a list or grid, the table with which it is drawn by itself."""
    size, [asked] = table["sizes"][place], [asked for asked in definition["questions"] if asked["key"] == key]
    if isinstance(size, int):
        return table | {"sizes": [size]}
    return {"keep": table["keep"], "sample": size[0]} | ({"size": size[1]} if "items" in asked else {})


def _draws(definition):
    """Yield each draw with its form; a shared draw has None."""
    yield from ((None, draw) for draw in definition["draws"])
    for place, form in enumerate(definition.get("forms", [])):
        yield from ((place, draw) for draw in form["draws"])


def cells(definition: dict[str, Any], bodies: list[dict[str, Any]], keys: list[str], confidence: float) -> list[Any]:
    """Return the shares of all combinations of two questions' answers; the last key's answers change fastest. Both
    questions must share a draw, in one form or several. A list or grid is named by an item: its place, counted from 1.
    Only reports about this item count. Both keys may name items of one question."""
    by_key = {asked["key"]: asked for asked in definition["questions"]}
    names, items = zip(*(_parted(key) for key in keys), strict=True)
    options = [2 if by_key[key]["kind"] == "multiple_choice" else _options(by_key[key]) for key in names]
    parts: dict[Any, list[Any]] = {}
    for form, draw in _draws(definition):
        if set(names) <= set(draw["questions"]):
            sizes = tuple(_listed_in(draw, key) for key in names)
            sent = (body["answers"] for body in bodies if form in (None, body.get("form")))
            every = [[_of_item(each[key], item) for key, item in zip(names, items, strict=True)] for each in sent]
            came = [values for values in every if None not in values]
            if came:
                parts.setdefault((draw["table"]["keep"], sizes), []).extend(came)
    if len(parts) > 1:
        return _pooled_cells(options, parts, confidence)
    [((keep, sizes), reports)] = parts.items()
    d = math.prod(options)
    if sizes == (1,) * len(sizes):
        asked = {"options": [""] * d, "table": {"keep": keep, "sizes": [1]}}
        return list(question(asked, _numbers(reports, options), confidence)[0]["methods"]["support"])
    scores = _cell_scores(keep / R, options, sizes)
    return [
        _unseen_cell(scores, _listings(reports, cell), confidence, d)
        for cell in itertools.product(*map(range, options))
    ]


def _parted(key):
    name, _, place = key.partition(".")
    return name, int(place) - 1 if place else None


def _listed_in(draw, key):
    """Return how many options of a question, or of each of its drawn items, a report lists."""
    if "sizes" not in draw["table"]:
        return draw["table"].get("size", 1)
    size = draw["table"]["sizes"][draw["questions"].index(key)]
    return size if isinstance(size, int) else size[1]


def _of_item(value, item):
    """Return what a report lists for an item. For an option of a list this is 0 if it applies and 1 if not. Return None
    if the item was not drawn."""
    if item is None:
        return value
    sent = dict(value).get(item)
    return [1 - sent] if isinstance(sent, int) else sent


def _numbers(reports, options):
    """Return the reports as reports of one question about the combinations; each must list one option of each
    question."""
    return [[_number([value[0] for value in values], options)] for values in reports]


def _listings(reports, cell):
    """Return how many reports list neither option of the cell, only the second, only the first, and both."""
    counts = np.zeros(4, dtype=int)
    for values in reports:
        first, second = (option in value for option, value in zip(cell, values, strict=True))
        counts[2 * first + second] += 1
    return counts


def _cell_scores(kept, options, sizes):
    """Return the score of a cell if neither of its options is listed, only the second, only the first, and both."""
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
    square, theta = scores**2 @ counts / n, min(max(estimate, 0.0), 1.0)
    errors = ((max(each, 0) / n) ** 0.5 for each in (square - estimate**2, square - theta))
    return {"estimate": estimate, **{target: [error, *spans] for target, error in zip(TARGETS, errors, strict=True)}}


def totals_digest(definition: dict[str, Any], bodies: list[dict[str, Any]]) -> str:
    """Return the digest of a survey's totals. The survey has only tables that _totals knows and no groups."""
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


def _options(asked):
    """Return the number of options of an answer. A mean is rounded to one of two ends."""
    return len(asked.get("options", (0, 1)))


def _number(values, options):
    number = 0
    for value, d in zip(values, options, strict=True):
        number = number * d + value
    return number


def _symbols(asked):
    """Return the options of all items of a list or grid."""
    return (
        2 * len(asked["options"])
        if asked["kind"] == "multiple_choice"
        else _options(asked) * len(asked.get("items", "1"))
    )


def _as_symbols(asked, value):
    if asked["kind"] == "multiple_choice":
        return [2 * option + bit for option, bit in value]
    if "items" in asked:
        return [_options(asked) * item + option for item, listed in value for option in listed]
    return value


def _totals(table, questions, reports):
    entries, options = set(table), [_options(asked) for asked in questions]
    if entries == {"keep", "sizes"}:
        several = len(questions) > 1
        options = [_symbols(asked) for asked in questions] if several else options
        counts = [0] * math.prod(options)
        for values in reports:
            own = map(_as_symbols, questions, values) if several else values
            for listed in itertools.product(*own):
                counts[_number(listed, options)] += 1
        alone_and_mean = len(questions) == 1 and "options" not in questions[0]
        return {"mean": [counts[1]]} if alone_and_mean else {"support": counts}
    values = [value for [value] in reports]
    if entries == {"flip"}:
        return {"support": [sum(value[j] == "1" for value in values) for j in range(options[0])]}
    if entries == {"keep", "sample"}:
        pairs = [pair for value in values for pair in value]
        totals = {
            "support": [sum(bit for option, bit in pairs if option == j) for j in range(options[0])],
            "drawn": [sum(option == j for option, _ in pairs) for j in range(options[0])],
        }
        return totals | ({"places": _places(table, questions[0], values)} if "ranked" in questions[0] else {})
    if entries == {"keep", "sample", "size"}:
        lists = [pair for value in values for pair in value]
        places = itertools.product(range(len(questions[0]["items"])), range(options[0]))
        return {"support": [sum(item == i and j in listed for item, listed in lists) for i, j in places]}
    assert entries == {"flip", "magnitude"}
    return {
        "threshold": [sum(number >= 1 for number in numbers) for numbers in zip(*values, strict=True)],
        "sum": [sum(numbers) for numbers in zip(*values, strict=True)],
    }


def _places(table, question, values):
    """Return, for each entry, how often 0, 1, ... of the other drawn entries came before it."""
    pairs = list(itertools.combinations(range(len(question["ranked"])), 2))
    came = [[0] * table["sample"] for _ in question["ranked"]]
    for value in values:
        behind = {entry: 0 for number, _ in value for entry in pairs[number]}
        for number, bit in value:
            behind[pairs[number][1 if bit else 0]] += 1
        for entry, place in behind.items():
            came[entry][place] += 1
    return [count for each in came for count in each]


class Score:
    """The mean and variance of a score, if the answer is the option and if not. A sum also has its whole law: its
    lowest value and the chances."""

    def __init__(self, a, v_a, b, v_b, low=None, inside=None, outside=None):
        self.a, self.v_a, self.b, self.v_b = a, v_a, b, v_b
        self.low, self.inside, self.outside = low, inside, outside


def indicator(a, b):
    return Score(a, a * (1 - a), b, b * (1 - b))


def _chances(cumulative):
    return np.array([(y - x) / R for x, y in pairwise([0, *cumulative, 2**53])])


# Scores by mechanism --------------------------------------------------------------------------------------------------


def _shares(asked, reports, confidence, scores, methods):
    """Return the results of all options; `scores` (n, d) and `methods` (the laws) are by method."""
    together = 1 if is_mirrored(asked) else len(asked["options"])
    found = {}
    for name, law in methods.items():
        totals = np.sum(scores[name], axis=0)
        found[name] = [category(t, len(reports), law, confidence, together, asked["every_release"]) for t in totals]
    return [{"together": together, "n_about": len(reports), "methods": found}]


def is_mirrored(asked):
    """Return whether a report names one of only two options."""
    return len(asked["options"]) == 2 and bool({"sizes", "size", "rows"} & asked["table"].keys())


def _listed(keep, d, a):
    """Return the law of an option's score: 1 if a report lists it among a of d options."""
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
    law = _listed(asked["table"]["keep"], 2, 1)
    found = category(ones, len(reports), law, confidence, 1, asked["every_release"])
    found["respondents"] = found["population"]
    return [{"together": 1, "n_about": len(reports), "methods": {"mean": [_scaled(found, asked)]}}]


def _multiple(asked, reports, confidence):
    d, law = len(asked["options"]), _listed(asked["table"]["keep"], 2, 1)
    found = []
    for j in range(d):
        bits = [bit for report in reports for option, bit in report if option == j]
        if bits:
            found.append(_part(sum(bits), len(bits), len(reports), law, confidence, d, asked["every_release"]))
    return [{"together": d, "n_about": len(reports), "methods": {"support": found}}]


def _grid(asked, reports, confidence):
    d, results = len(asked["options"]), []
    law = _listed(asked["table"]["keep"], d, asked["table"]["size"])
    together = (1 if is_mirrored(asked) else d) * len(asked["items"])
    for i in range(len(asked["items"])):
        own = [options for report in reports for item, options in report if item == i]
        if own:
            came = [sum(j in options for options in own) for j in range(d)]
            found = [
                _part(count, len(own), len(reports), law, confidence, together, asked["every_release"])
                for count in came
            ]
            results.append({"together": together, "n_about": len(own), "methods": {"support": found}})
    return results


def _part(total, n, everyone, law, confidence, together, every_release):
    found = category(total, n, law, confidence, together, every_release)
    if n < everyone:
        found["respondents"] = found["population"]
    return found


# One option -----------------------------------------------------------------------------------------------------------


def category(total, n, law, confidence, together, every_release):
    gap = law.a - law.b
    estimate = (total / n - law.b) / gap
    theta = min(max(estimate, 0.0), 1.0)
    noise = (theta * law.v_a + (1 - theta) * law.v_b) / gap**2
    errors = {"population": ((noise + theta * (1 - theta)) / n) ** 0.5, "respondents": (noise / n) ** 0.5}
    found = {"estimate": estimate}
    for target in TARGETS:
        interval = _sequence if every_release else _exact if law.low is None else _sum
        found[target] = [errors[target]]
        possible = min(max(total, round(n * law.b)), round(n * law.a))
        for level in (confidence, 1 - (1 - confidence) / together):
            found[target] += _united([interval(one, n, law, (1 - level) / 2, target) for one in (total, possible)])
    return found


def _united(spans):
    return [min(low for low, _ in spans), max(high for _, high in spans)]


def _moved(low, high, estimate):
    """Return the interval, widened to the place where it would be if the estimate were possible."""
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
    """Return the range of m of n. Totals grow with m."""
    low = bisect_left(range(n), True, key=lambda m: at_least(m) > tail)
    high = bisect_left(range(n + 1), True, key=lambda m: at_most(m) <= tail) - 1
    return [low / n, max(high, 0) / n]


def _sum(total, n, law, tail, target):
    """Return the interval of a sum, from its exact law. The transform is long enough for every possible sum of n
    values."""
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


def _crossing(rising, low=0.0, high=1.0):
    if rising(low) >= 0:
        return low
    if rising(high) <= 0:
        return high
    return optimize.brentq(rising, low, high, xtol=1e-13)


# Every release --------------------------------------------------------------------------------------------------------


def _sequence(total, n, law, tail, target):
    if law.low is None and target == "population":
        return _beta_mixture(total, n, law, 2 * tail)
    binary = law.low is None
    inside, outside = ([1 - law.a, law.a], [1 - law.b, law.b]) if binary else (law.inside, law.outside)
    values = (0 if binary else law.low) + np.arange(len(inside))

    def cumulants(t):
        logs = [special.logsumexp(np.multiply.outer(t, values), b=chances, axis=1) for chances in (inside, outside)]
        if target == "respondents":
            return lambda theta: n * (theta * logs[0] + (1 - theta) * logs[1])
        return lambda theta: n * special.logsumexp(logs, b=np.array([[theta], [1 - theta]]), axis=0)

    return _tilted(total, cumulants, max(law.v_a, law.v_b), tail)


def _beta_mixture(total, n, law, error):
    mean, variance = (law.a + law.b) / 2, (law.a - law.b) ** 2 / 12
    r, s = (side * (mean * (1 - mean) / variance - 1) for side in (mean, 1 - mean))
    constant = special.betaln(total + r, n - total + s) - special.betaln(r, s) + np.log(error)

    def excess(theta):
        pi = theta * law.a + (1 - theta) * law.b
        return constant - special.xlogy(total, pi) - special.xlog1py(n - total, -pi)

    best = min(max((total / n - law.b) / (law.a - law.b), 0.0), 1.0)
    if excess(best) >= 0:
        return [best, best]
    low = 0.0 if excess(0.0) < 0 else optimize.brentq(excess, 0.0, best, xtol=1e-14)
    return [low, 1.0 if excess(1.0) < 0 else optimize.brentq(excess, best, 1.0, xtol=1e-14)]


def _tilted(total, cumulants, variance, tail):
    """Return the interval; `cumulants` gives n L as a function of theta, for an array of t."""
    k = np.arange(15)
    ends = []
    for sign in (1, -1):
        t = sign * np.sqrt(2 * np.log(1 / tail) / (32 * variance)) / 2.0**k
        at = cumulants(t)

        def evidence(theta, t=t, at=at):
            return special.logsumexp(t * total - at(theta), b=1 / ((k + 1) * (k + 2))) + np.log(tail)

        ends.append(_crossing(lambda theta, sign=sign, evidence=evidence: -sign * evidence(theta)))
    return ends if ends[0] <= ends[1] else [sum(ends) / 2] * 2


def _channel_sequence(score, counts, positions, rows, tail):
    """Return the interval at the worst law of answers with a given mean: a mixture of two positions around it."""
    n, total = counts.sum(), score @ counts
    pairs = [(i, k) for i, x in enumerate(positions) for k, y in enumerate(positions) if x < y]
    left, right = (np.array(side) for side in zip(*pairs, strict=True))

    def cumulants(t):
        heights = special.logsumexp(np.multiply.outer(t, score)[:, None, :], b=rows, axis=2)

        def at(theta):
            part = (theta - positions[left]) / (positions[right] - positions[left])
            held = (part >= 0) & (part <= 1)
            sides = np.stack([heights[:, left[held]], heights[:, right[held]]])
            return n * special.logsumexp(sides, b=np.stack([1 - part[held], part[held]])[:, None], axis=0).max(axis=1)

        return at

    variance = (rows @ score**2 - (rows @ score) ** 2).max()
    return _united([_tilted(one, cumulants, variance, tail) for one in {total, min(max(total, 0.0), n)}])


# Several forms --------------------------------------------------------------------------------------------------------


class Form:
    """The n reports of a form: how many list each option (`ones`), with the chance p if the option is true and q if
    not."""

    def __init__(self, n, keep, d, size, ones):
        kept = Fraction(keep, 2**53)
        self.n, self.kept, self.size, self.ones = n, kept, size, ones
        self.p = kept + (1 - kept) * Fraction(size, d)
        self.q = kept * Fraction(size - 1, d - 1) + (1 - kept) * Fraction(size, d)
        self.gap = self.p - self.q


def _form(asked, channel, reports):
    d, [size] = _options(asked), channel["table"]["sizes"]
    return Form(len(reports), channel["table"]["keep"], d, size, [sum(j in one for one in reports) for j in range(d)])


def _pooled(asked, forms, confidence, every_release):
    d = _options(asked)
    law = PooledLaw(forms, _pooled_scores(forms, d))
    together = 1 if d == 2 else d
    n_about = sum(form.n for form in forms)
    if "options" in asked:
        found = [law.category(j, confidence, together, every_release) for j in range(d)]
        risks = [law.risk(theta) for theta in (np.full(d, 1 / d), law.on_the_simplex(d))]
        return [{"together": together, "n_about": n_about, "methods": {"support": found}, "risks": risks}]
    found = law.category(1, confidence, 1, every_release)
    found["respondents"] = found["population"]
    return [{"together": 1, "n_about": n_about, "methods": {"mean": [_scaled(found, asked)]}}]


def _item_forms(asked, channels, parts, item):
    """Return how the forms list an item of a grid, or an option of a multiple choice (does not apply, applies)."""
    d, forms = 2 if asked["kind"] == "multiple_choice" else _options(asked), []
    for channel, reports in zip(channels, parts, strict=True):
        sent = [dict(map(tuple, report))[item] for report in reports if item in dict(map(tuple, report))]
        listed = [[one] if isinstance(one, int) else one for one in sent]
        ones = [sum(j in one for one in listed) for j in range(d)]
        forms.append(Form(len(listed), channel["table"]["keep"], d, channel["table"].get("size", 1), ones))
    return forms


def _pooled_items(asked, channels, parts, confidence, every_release):
    grid, everyone = "items" in asked, sum(map(len, parts))
    items, d = len(asked["items" if grid else "options"]), _options(asked) if grid else 2
    together, options = items * (d if d > 2 else 1), []
    for item in range(items):
        forms = _item_forms(asked, channels, parts, item)
        n = sum(form.n for form in forms)
        if not n:
            continue
        law = PooledLaw(forms, _pooled_scores(forms, d))
        found = [law.category(j, confidence, together, every_release, n < everyone) for j in range(d)]
        options.append(found[1])
        if grid:
            risks = [law.risk(theta) for theta in (np.full(d, 1 / d), law.on_the_simplex(d))]
            yield {"together": together, "n_about": n, "methods": {"support": found}, "risks": risks}
    if not grid:
        yield {"together": together, "n_about": everyone, "methods": {"support": options}}


def agreement(definition: dict[str, Any], bodies: list[dict[str, Any]]) -> dict[str, tuple[float, int, float] | None]:
    """Return by key the statistic, its degrees of freedom and its p-value. A question needs reports from two forms or
    more, and the reports must list options. A list or grid gets the numbers of its item with the least p-value."""
    found = {}
    for asked in definition["questions"]:
        known = [(channel, own) for channel, own in _channels(definition, bodies, asked["key"]) if own]
        if len(known) < 2:
            continue
        channels, parts = zip(*known, strict=True)
        if all("sizes" in channel["table"] for channel in channels):
            forms = [_form(asked, *channel) for channel in known]
            found[asked["key"]] = _worst([_agreement(forms, _options(asked))])
        elif all("sample" in channel["table"] for channel in channels) and "ranked" not in asked:
            grid = "items" in asked
            each = (
                _item_forms(asked, channels, parts, item) for item in range(len(asked["items" if grid else "options"]))
            )
            about = [[form for form in forms if form.n] for forms in each]
            d = _options(asked) if grid else 2
            found[asked["key"]] = _worst([_agreement(forms, d) for forms in about if len(forms) > 1])
    return found


def _worst(tests):
    known = [(float(stats.chi2.sf(*test)), test) for test in tests if test]
    if not known:
        return None
    p_value, test = min(known)
    return *test, min(1.0, p_value * len(known))


def _agreement(forms, d):
    law = PooledLaw(forms, _pooled_scores(forms, d))
    theta = law.on_the_simplex(d)
    for form in forms:
        expected = form.n * (float(form.q) + float(form.gap) * theta)
        if min(expected.min(), (form.n - expected).min()) < 5:
            return None
    # The left singular vectors of the matrix that subtracts the mean. The last one belongs to equal shares.
    contrasts = np.linalg.svd(np.eye(d) - 1 / d)[0][:, :-1].T
    shares = [contrasts @ ((np.array(form.ones) / form.n - float(form.q)) / float(form.gap)) for form in forms]
    inverses = [np.linalg.inv(contrasts @ _covariance(form, theta, d) @ contrasts.T) for form in forms]
    weighted = sum(inverse @ share for inverse, share in zip(inverses, shares, strict=True))
    apart = [share - np.linalg.solve(sum(inverses), weighted) for share in shares]
    statistic = sum(away @ inverse @ away for away, inverse in zip(apart, inverses, strict=True))
    return float(statistic), (len(forms) - 1) * (d - 1)


def _covariance(form, theta, d):
    k, a, g = float(form.kept), form.size, float(form.gap)
    c = (1 - k) * a * (a - 1) / (d * (d - 1))
    among, neither = k * (a - 1) / (d - 1) + c, k * (a - 1) * (a - 2) / ((d - 1) * max(d - 2, 1)) + c
    pi, pairs = float(form.q) + g * theta, np.add.outer(theta, theta)
    found = pairs * among + (1 - pairs) * neither - np.outer(pi, pi)
    np.fill_diagonal(found, pi * (1 - pi))
    return found / (form.n * g**2)


def _pooled_scores(forms, d):
    middles = [form.q + form.gap / d for form in forms]
    return _whole_numbers([form.gap / (pi * (1 - pi)) for form, pi in zip(forms, middles, strict=True)])


def _whole_numbers(best):
    s = [each / max(best) for each in best]
    for m in range(1, 61):
        c = [max(1, round(m * each)) for each in s]
        if all(abs(one - m * each) <= m * each / 20 for one, each in zip(c, s, strict=True)):
            break
    return c


class PooledLaw:
    """The law of a pooled total, by transforms as long as the number of totals."""

    def __init__(self, forms, scores):
        self.variance = float(
            max(c**2 * x * (1 - x) for form, c in zip(forms, scores, strict=True) for x in _ends(form))
        )
        self.forms, self.c = zip(*((form, c) for form, c in zip(forms, scores, strict=True) if form.n), strict=True)
        self.n = sum(form.n for form in self.forms)
        self.sum_g, self.sum_q = (float(self._sum([getattr(form, end) for form in self.forms])) for end in ("gap", "q"))
        squares = sum(form.n * float(c * form.gap) ** 2 for form, c in zip(self.forms, self.c, strict=True))
        self.k = self.n * squares / self.sum_g**2
        self.size = sum(form.n * c for form, c in zip(self.forms, self.c, strict=True)) + 1
        turns = np.exp(-2j * np.pi * np.arange(self.size // 2 + 1) / self.size)
        steps = [turns**c - 1 for c in self.c]
        self.inside = [1 + float(form.p) * step for form, step in zip(self.forms, steps, strict=True)]
        self.outside = [1 + float(form.q) * step for form, step in zip(self.forms, steps, strict=True)]
        self._others = None

    def _sum(self, values):
        return sum(form.n * c * value for form, c, value in zip(self.forms, self.c, values, strict=True))

    def total(self, j):
        return int(self._sum([Fraction(form.ones[j], form.n) for form in self.forms]))

    def estimate(self, j):
        return (self.total(j) - self.sum_q) / self.sum_g

    def on_the_simplex(self, d):
        shares = np.array([self.estimate(j) for j in range(d)])
        level = optimize.brentq(lambda c: np.maximum(shares - c, 0).sum() - 1, shares.min() - 1, shares.max())
        return np.maximum(shares - level, 0)

    def category(self, j, confidence, together, every_release, part=False):
        """Return the estimate with errors and intervals. If `part`, the reports are a random part of all, so the
        population's numbers hold for both targets."""
        total, estimate = self.total(j), self.estimate(j)
        theta = min(max(estimate, 0.0), 1.0)
        found = {"estimate": estimate}
        for target, h in zip(TARGETS, (self.k, (self.k - 1) * self.n / max(self.n - 1, 1)), strict=True):
            if part and target == "respondents":
                return found | {target: found["population"]}
            found[target] = [(self._noise(theta, 1 - theta) + h * theta * (1 - theta) / self.n) ** 0.5]
            for level in (confidence, 1 - (1 - confidence) / together):
                found[target] += self.interval(total, (1 - level) / 2, target, every_release)
        return found

    def risk(self, theta):
        return self.n * self._noise(1, len(theta) - 1) + self.k * (1 - theta @ theta)

    def _noise(self, inside, outside):
        """Return the sum of n c^2 times these multiples of the two variances, over G^2."""
        each = zip(self.forms, self.c, strict=True)
        variances = (
            form.n * c**2 * (inside * float(form.p * (1 - form.p)) + outside * float(form.q * (1 - form.q)))
            for form, c in each
        )
        return sum(variances) / self.sum_g**2

    def interval(self, total, tail, target, every_release=False):
        possible = min(max(total, round(self.sum_q)), round(self.sum_q + self.sum_g))
        ends = self._sequence if every_release else self._exact
        return _united([ends(one, tail, target) for one in {total, possible}])

    def _exact(self, total, tail, target):
        if target == "respondents":
            at_least = lambda m: self._at_least(self._given(m), total)  # noqa: E731
            return _whole(at_least, lambda m: 1 - self._at_least(self._given(m), total + 1), self.n, tail)
        low = _crossing(lambda theta: self._at_least(self._mixed(theta), total) - tail)
        return [low, _crossing(lambda theta: tail - (1 - self._at_least(self._mixed(theta), total + 1)))]

    def _at_least(self, transform, total):
        return np.fft.irfft(transform, self.size)[max(total, 0) :].sum()

    def _mixed(self, theta):
        sides = zip(self.forms, self.inside, self.outside, strict=True)
        return math.prod((theta * inside + (1 - theta) * outside) ** form.n for form, inside, outside in sides)

    def _given(self, m):
        """Return the mean transform of m answers in the option, over all ways to draw the people. The last form is
        separate: the other forms' transforms are the same for each m."""
        if self._others is None:
            self._others = np.ones((1, len(self.inside[0])), dtype=complex)
            n = 0
            for form, inside, outside in list(zip(self.forms, self.inside, self.outside, strict=True))[:-1]:
                n += form.n
                powers = _powers(form.n, inside, outside)
                self._others = np.array([_drawn(among, n, powers, self._others) for among in range(n + 1)])
            self._last = _powers(self.forms[-1].n, self.inside[-1], self.outside[-1])
        return _drawn(m, self.n, self._last, self._others)

    def _sequence(self, total, tail, _target):
        def cumulants(t):
            def at(theta):
                each = zip(self.forms, self.c, strict=True)
                pi = [(form.n, float(form.q) + float(form.gap) * theta, c) for form, c in each]
                return sum(n * np.logaddexp(np.log1p(-chance), np.log(chance) + t * c) for n, chance, c in pi)

            return at

        return _tilted(total, cumulants, self.variance, tail)


def _ends(form):
    return form.p, form.q


def _powers(n, inside, outside):
    """Return the transform for 0, 1, ..., n answers in the option."""
    m = np.arange(n + 1)[:, None]
    return inside**m * outside ** (n - m)


def _drawn(m, n, powers, others):
    """Return the mean transform if m of n answers are in the option: some in the last form, the rest in the other
    forms."""
    own, rest = len(powers) - 1, len(others) - 1
    among = np.arange(max(0, m - rest), min(m, own) + 1)
    chances = stats.hypergeom.pmf(among, n, own, m)
    return (chances[:, None] * powers[among] * others[m - among]).sum(axis=0)


def _pooled_cells(options, parts, confidence):
    d, cells = math.prod(options), list(itertools.product(*map(range, options)))
    came = np.array([[_listings(reports, cell) for reports in parts.values()] for cell in cells])
    n = np.array([len(reports) for reports in parts.values()])
    if all(sizes == (1, 1) for _, sizes in parts):
        forms = [
            Form(len(reports), keep, d, 1, came[:, place, 3].tolist())
            for place, ((keep, _), reports) in enumerate(parts.items())
        ]
        law = PooledLaw(forms, _pooled_scores(forms, d))
        return [law.category(j, confidence, d, every_release=False) for j in range(d)]
    phi = np.concatenate([_cell_scores(keep / R, options, sizes) for keep, sizes in parts])
    e = np.array(_whole_numbers([_information(Fraction(keep, 2**53), options, sizes) for keep, sizes in parts]))
    weights, whole, every = np.repeat(e, 4), e @ n, n.sum()
    h, found = e**2 @ n / whole**2, []
    for counts in came.reshape(d, -1):
        estimate = (weights * phi) @ counts / whole
        variance = (weights * (phi - estimate)) ** 2 @ counts / whole**2
        theta = min(max(estimate, 0.0), 1.0)
        less = theta * (1 - theta) * (h - (h - 1 / every) * every / max(every - 1, 1))
        spans = []
        for level in (confidence, 1 - (1 - confidence) / d):
            spans += _quotient(weights, phi, counts, (1 - level) / 2, estimate)
        errors = variance**0.5, max(variance - less, 0) ** 0.5
        found.append({"estimate": estimate, **{name: [x, *spans] for name, x in zip(TARGETS, errors, strict=True)}})
    return found


def _information(kept, options, sizes):
    v, w = (Fraction((d - 1) ** 2 * a, d**2 * (d - a)) for d, a in zip(options, sizes, strict=True))
    return kept**2 / (v * w + v / options[1] ** 2 + w / options[0] ** 2)


def _quotient(weights, phi, counts, tail, estimate):
    ends = []
    for sign in (-1, 1):

        def chance(t, sign=sign):
            v = sign * weights * (phi - t)
            return _above(v, counts, np.array([v.max()]), np.ones(1))

        ends.append(_crossing(lambda t, sign=sign, chance=chance: sign * (tail - chance(t)), phi.min(), phi.max()))
    return _moved(*ends, estimate)


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
            if asked["every_release"]:
                spans += _channel_sequence(score, counts, np.eye(d)[j], channel, tail)
                continue
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
    if asked["every_release"]:
        population = _channel_sequence(score, counts, np.arange(steps + 1) / steps, rows, tail)
    elif steps <= 7:
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
    respondents = population if asked["every_release"] else _moved(estimate - above, estimate + below, estimate)
    found = {
        "estimate": estimate,
        "population": [(variance / n) ** 0.5, *population, *population],
        "respondents": [((noise.max() + 1 / (4 * steps**2)) / n) ** 0.5, *respondents, *respondents],
    }
    return [{"together": 1, "n_about": n, "methods": {"mean": [_scaled(found, asked)]}}]


def _farthest(rows, corrections, n, tail):
    """Return a distance in steps. The noise, rounding and corrections of n reports exceed it with at most the tail's
    chance."""
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
    for target in TARGETS:
        error, *ends = found[target]
        scaled[target] = [span * error, *(low + span * end for end in ends)]
    return scaled


def _upper(scores, counts, unseen, chances, tail):
    """Return the limit. The transform E e^{sT} of the sum T is integrated along a line, on a sufficiently fine grid."""
    seen, weights = scores[counts > 0], counts[counts > 0]
    both = np.concatenate((seen, unseen[chances > 0]))
    if both.min() == both.max():
        return both.min()

    def above(m):
        return _above(seen - m, weights, unseen - m, chances)

    return optimize.brentq(lambda m: above(m) - tail, both.min(), both.max(), xtol=1e-13, rtol=1e-15)


def _above(a, weights, u, chances):
    """Return P(sum of W a + E U > 0)."""
    a, weights = a[weights > 0], weights[weights > 0]
    if max(a.max(), u[chances > 0].max()) <= 0:
        return 0.0
    if min(a.min(), u[chances > 0].min()) >= 0:
        return 1.0
    if a @ weights + u @ chances > 0:
        return 1 - _integral(-a, weights, -u, chances)
    return _integral(a, weights, u, chances)


STEP = 0.02  # of t; the integrand is analytic and falls fast, so a step four times as large changes nothing


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


# The method, by the table's entries and by the question's items or options.
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
