"""Recompute a release's weighted or corrected shares from its reports. Needs numpy, and models.py beside it.

    python weights.py microdata.csv codebook.json weighted.json ...

The script compares shares, means and standard errors with the published ones; for the mean of a scale or histogram only
the estimate. Documents are weighted.json (one known margin), raking.json (several) and corrected.json (attention), of
whole questions whose mechanism models.py knows. The formulas are in docs/mathematics.md: M41, M42, and M45 for
questions of several forms.
"""

import sys
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from models import (  # type: ignore[import-not-found]
    AGREE,
    NOT_TOGETHER,
    R,
    factors,
    one_way,
    questions_of,
    read,
    read_json,
    scores,
    together,
    variance,
    ways,
)

Array = Any
Row = dict[str, Any]
Found = tuple[Array, Array]  # shares and standard errors


class Part(NamedTuple):
    """The reports of the forms that randomize two questions in one way, as scores.

    The scores are of each question's options, (n, d), and of the cells if one draw has both, (n, d, d'). `worth` is the
    weight of a report relative to other forms.
    """

    own: list[Row]
    first: Array
    second: Array
    cells: Array | None
    worth: float

    @property
    def n(self) -> int:
        return len(self.first)

    @property
    def joint(self) -> Array:
        """Return the joint shares."""
        return self.first.T @ self.second / self.n if self.cells is None else self.cells.mean(axis=0)


def parts_of(own: list[Row], codebook: Row, columns: dict[str, Array]) -> list[Part]:
    made = []
    for pair, there in ways(own, codebook, columns):
        first, second = (scores(question, there) for question in pair)
        jointly, cells = pair[0]["draw"] == pair[1]["draw"], None
        if jointly:
            cells = together(pair, there).reshape(len(first), first.shape[1], -1)
            first, second = cells.sum(axis=2), cells.sum(axis=1)
        if len(first):
            made.append(Part(pair, first, second, cells, information(pair, jointly)))
    if not made:
        sys.exit(NOT_TOGETHER)
    tables = [question["table"] for part in made for question in part.own]
    if all(part.cells is not None for part in made) and all(table["sizes"] == [1] for table in tables):
        # Cells are weighted like any share.
        kept = [part.own[0]["table"]["keep"] / R for part in made]
        worth = [own * scale for own, scale in zip(kept, whole_numbers(kept), strict=True)]
    else:
        worth = [float(scale) for scale in whole_numbers([part.worth for part in made])]
    return [part._replace(worth=scale) for part, scale in zip(made, worth, strict=True)]


def information(pair: list[Row], jointly: bool) -> float:
    """Return the information in a report about a cell, at equal shares."""
    (one, d), (other, e) = ((variance(question), len(question["options"])) for question in pair)
    again = (pair[0]["table"]["keep"] / R) ** 2 if jointly else 1.0
    return float(1 / (again * one * other + one / e**2 + other / d**2))


def whole_numbers(best: list[float]) -> list[int]:
    """Return integers up to 60 that are within a twentieth of a multiple of these, or as near as possible."""
    for most in range(1, 61):
        wanted = [most * each / max(best) for each in best]
        numbers = [max(round(each), 1) for each in wanted]
        if all(20 * abs(own - each) <= each for own, each in zip(numbers, wanted, strict=True)):
            break
    return numbers


def pooled(parts: list[Part], of: Callable[[Part], Array]) -> Array:
    """Return a mean over the reports of all parts."""
    whole = sum(part.worth * part.n for part in parts)
    return sum(part.worth * part.n * of(part) for part in parts) / whole


def pooled_errors(parts: list[Part], moments: Callable[[Part], tuple[Array, Array]]) -> Array:
    """Return the standard errors of a pooled mean. `moments` returns the mean and mean square of a part's scores. Every
    deviation from the overall mean is noise."""
    each = [moments(part) for part in parts]
    whole = sum(part.worth * part.n for part in parts)
    mean = sum(part.worth * part.n * own for part, (own, _) in zip(parts, each, strict=True)) / whole
    squares = (
        part.worth**2 * part.n * (square - 2 * own * mean + mean**2)
        for part, (own, square) in zip(parts, each, strict=True)
    )
    return np.sqrt(sum(squares)) / whole


def weighted(own: list[Row], codebook: Row, columns: dict[str, Array], document: Row) -> Found:
    """Return shares weighted by one known margin. `own` are its question and the weighted one."""
    parts = parts_of(own, codebook, columns)
    known = np.array([stratum["share"] for stratum in document["strata"]])
    joint = pooled(parts, lambda part: part.joint)
    share = np.where(known > 0, pooled(parts, lambda part: part.first.mean(axis=0)), np.inf)
    factor, within = known / known.sum() / share, joint / share[:, None]

    def moments(part: Part) -> tuple[Array, Array]:
        if part.cells is not None:
            u = np.einsum("s,snj->nj", factor, part.cells.transpose(1, 0, 2)) - part.first @ (factor[:, None] * within)
            return u.mean(axis=0), (u**2).mean(axis=0) + _listed_together(part, factor, within)
        means = (
            part.second.mean(axis=0) + (factor - 1) @ part.joint - part.first.mean(axis=0) @ (factor[:, None] * within)
        )
        columns = zip(part.second.T, within.T, strict=True)
        return means, np.array([_second(part.own[0], part.first, phi, factor, own) for phi, own in columns])

    estimates = pooled(parts, lambda part: part.second.mean(axis=0)) + (factor - 1) @ joint
    return estimates, pooled_errors(parts, moments)


def _second(by: Row, stratum: Array, phi: Array, factor: Array, within: Array) -> float:
    """Return the mean square of phi(j) + sum of (f - 1) phi(s) phi(j) - f h phi(s). If a report has several symbols of
    the stratum, the product of two has the mean in M13, given phi(j)."""
    u = phi + phi * (stratum @ (factor - 1)) - stratum @ (factor * within)
    square = float((u**2).mean())
    if len(by["microdata"]["columns"]) == 1:
        return square
    among, neither, a, b = _pair(by)
    symbols = stratum * (a - b) + b
    for value in np.unique(phi):
        there = phi == value
        weight = (value * (factor - 1) - factor * within) / (a - b)
        sums = stratum[there].sum(axis=0)
        expected = neither * there.sum() + (among - neither) * (sums[:, None] + sums)
        apart = expected - symbols[there].T @ symbols[there]
        np.fill_diagonal(apart, 0)
        square += float(weight @ apart @ weight) / len(phi)
    return square


def _listed_together(part: Part, factor: Array, within: Array) -> Array:
    """Return the addition to the mean squares of one draw's scores if a report lists several options of the stratum.
    Given the answers and whether they were kept, two options are listed together as often as in M13."""
    (d, m), (e, many) = ((len(question["options"]), question["table"]["sizes"][0]) for question in part.own)
    added = np.zeros(e)
    if m == 1:
        return added
    methods = [question["estimation"]["methods"][0] for question in part.own]
    symbols, others = (
        np.rint(phi * (own["a"] - own["b"]) + own["b"])
        for phi, own in zip((part.first, part.second), methods, strict=True)
    )
    kept, beside = part.own[0]["table"]["keep"] / R, (m - 1) / (d - 1)
    neither, random = beside * (m - 2) / max(d - 2, 1), m * (m - 1) / (d * (d - 1))
    for j in range(e):
        for value, chance, weight in ((0, 1 - many / e, -(many - 1) / (e - many)), (1, many / e, 1.0)):
            there = symbols[others[:, j] == value]
            replaced = (1 - kept) * part.n * chance
            count, sums = len(there) - replaced, there.sum(axis=0) - replaced * m / d
            truth = (sums - beside * count) / (1 - beside)
            expected = neither * count + (beside - neither) * (truth[:, None] + truth) + replaced * random
            apart = expected - there.T @ there
            np.fill_diagonal(apart, 0)
            own = factor * (weight - within[:, j]) * (d - 1) / (d - m) / kept
            added[j] += own @ apart @ own / part.n
    return added


def _pair(question: Row) -> tuple[float, float, float, float]:
    """Return the chance of two symbols together, if one is the truth and if neither is; and the method's a and b."""
    method, d = question["estimation"]["methods"][0], len(question["options"])
    a, b = method["a"], method["b"]
    if "sizes" not in question["table"]:
        return a * b, b * b, a, b
    [m] = question["table"]["sizes"]
    among, rest = a * (m - 1) / (d - 1), max(d - 2, 1)
    return among, (a * (m - 1) * (m - 2) + (1 - a) * m * (m - 1)) / ((d - 1) * rest), a, b


def raked(own: list[Row], codebook: Row, columns: dict[str, Array], document: Row) -> Found:
    """Return shares weighted by several known margins. `own` are their questions, and last the weighted one."""
    own, columns = one_way(own, codebook, columns)
    sizes = [len(question["options"]) for question in own]
    options = np.indices(sizes).reshape(len(sizes), -1).T
    strata: Array = 1.0
    last: Array = 1.0
    for places, phi in factors(own, columns):
        if len(own) - 1 not in places:
            phi = phi + (1 - phi.sum(axis=1, keepdims=True)) / phi.shape[1]
        cell = phi[:, np.ravel_multi_index(tuple(options[:, places].T), [sizes[place] for place in places])]
        alone = places == [len(own) - 1]
        strata, last = (strata * (1.0 if alone else cell)), last * cell
    n, d = len(cell), sizes[-1]
    both = last.reshape(n, -1, d)
    # The scores of the strata alone: without the question's if it has a separate draw, else summed over its answers.
    each = strata.reshape(n, -1, d)[:, :, 0] if alone else both.sum(axis=2)
    x = np.hstack([np.eye(size)[options[::d, k]] for k, size in enumerate(sizes[:-1])])
    known = [np.array([one["share"] for one in margin["strata"]]) for margin in document["margins"]]
    wanted = np.concatenate([shares / shares.sum() for shares in known])
    shares, joint, factor = each.mean(axis=0), both.mean(axis=0), np.ones(len(x))
    for _ in range(1000):
        before = factor
        for column, share in zip(x.T, wanted, strict=True):
            factor = np.where(column > 0, factor * (share / (column @ (factor * shares)) if share else 0), factor)
        if np.abs(factor - before).max() <= 1e-13 * factor.max():
            break
    fitted = x @ np.linalg.pinv((x.T * (factor * shares)) @ x, hermitian=True) @ x.T @ (factor[:, None] * joint)
    u = np.einsum("s,nsj->nj", factor, both) - each @ (factor[:, None] * fitted)
    return factor @ joint, u.std(axis=0) / np.sqrt(n)


def corrected(own: list[Row], codebook: Row, columns: dict[str, Array], document: Row) -> Found:
    """Return shares corrected by an attention question. `own` are that question and the corrected one."""
    parts = parts_of(own, codebook, columns)
    right, c = own[0]["options"].index(document["right"]), len(own[0]["options"]) / (len(own[0]["options"]) - 1)
    shares = pooled(parts, lambda part: part.second.mean(axis=0))
    attention = c * (pooled(parts, lambda part: part.first[:, right].mean()) - (1 - 1 / c))
    s = (shares - 1 / len(shares)) / attention

    def moments(part: Part) -> tuple[Array, Array]:
        u = part.second - 1 / len(shares) - s * (c * (part.first[:, right] - (1 - 1 / c)))[:, None]
        return np.zeros(len(shares)), (u**2).mean(axis=0)

    return 1 / len(shares) + s, pooled_errors(parts, moments) / attention


def mean(question: Row, stated: Row, numbers: Found) -> list[tuple[float, float]]:
    """Return how far the published mean is from the shares', with the published standard error. If one bit gives the
    mean, do the same for its standard error."""
    shares, errors = numbers
    if "low" in question:
        low, high = float(question["low"]), float(question["high"])
        error = (high - low) * errors[1]
        far = [(low + (high - low) * shares[1], stated["estimate"]), (error, stated["standard_error"])]
        return [(abs(own - published), stated["standard_error"]) for own, published in far]
    edges = [float(edge) for edge in question["edges"]] if "edges" in question else None
    k = len(question["options"]) - question["prefer_not_to_say"]
    before = int(question.get("limits") == "whole")  # then a bin ends one before the next edge
    low_high = (edges[:-1], [edge - before for edge in edges[1:]]) if edges else (range(1, k + 1),) * 2
    centre, ends = np.mean(low_high), (stated["estimate"], stated["estimate_high"])
    means = [centre + (np.array(own) - centre) @ shares[:k] / (1 - shares[k:].sum()) for own in low_high]
    pairs = zip(means, ends, strict=True)
    return [(abs(own - end), stated["standard_error"]) for own, end in pairs if end is not None]


def find(document: Row, codebook: Row, columns: dict[str, Array]) -> tuple[Row, Found]:
    """Return the weighted or corrected question with its numbers. The options of a mean are its ends."""
    kind: Callable[..., Found]
    if "anchor" in document:
        keys, kind = [document["anchor"], document["question"]], corrected
    elif "margins" in document:
        keys, kind = [*(margin["key"] for margin in document["margins"]), document["question"]], raked
    else:
        keys, kind = [document["by"], document["question"]], weighted
    own = questions_of(codebook, keys)
    return own[-1], kind(own, codebook, columns, document)


def main() -> None:
    if len(sys.argv) < 4:
        sys.exit("python weights.py microdata.csv codebook.json weighted.json ...")
    columns, codebook = read(sys.argv[1]), read_json(sys.argv[2])
    agree = [compare(read_json(path), codebook, columns) for path in sys.argv[3:]]
    sys.exit(int(not all(agree)))


def compare(document: Row, codebook: Row, columns: dict[str, Array]) -> bool:
    """Return whether the published numbers are reproduced."""
    question, numbers = find(document, codebook, columns)
    far = [(abs(own - row[name]), row["standard_error"])
           for name, column in zip(("estimate", "standard_error"), numbers, strict=True)
           for own, row in zip(column, document["shares"], strict=False)]  # fmt: skip
    far += mean(question, document["mean"], numbers) if document.get("mean") else []
    difference = max(distance / error for distance, error in far)
    print(f"{len(far)} numbers; the largest difference is {difference:.2g} standard errors.")
    return bool(difference <= AGREE)


if __name__ == "__main__":
    main()
