"""A release's published weighted or corrected shares again, from its reports. Needs numpy, and models.py beside it.

    python weights.py microdata.csv codebook.json weighted.json ...

compares shares, means and standard errors with the published ones (of a scale's or a histogram's mean the estimate).
A document is one of weighted.json (one known margin), raking.json (several) and corrected.json (attention), of whole
questions whose mechanism models.py knows; the formulas are those of docs/mathematics.md, M41 and M42.
"""

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from models import AGREE, draw_of, factors, read, read_json, scores, together  # type: ignore[import-not-found]

Array = Any
Row = dict[str, Any]
Found = tuple[Array, Array]  # shares and standard errors


def weighted(own: list[Row], codebook: Row, columns: dict[str, Array], document: Row) -> Found:
    """By one known margin: own are its question and the weighted one."""
    by, other = own
    known = np.array([stratum["share"] for stratum in document["strata"]])
    jointly = draw_of(codebook, by["key"]) == draw_of(codebook, other["key"])
    stratum, phi = scores(by, columns), scores(other, columns)
    n, d = phi.shape
    if jointly:
        pairs = together(own, columns).reshape(n, -1, d)
        joint, stratum = pairs.mean(axis=0), pairs.sum(axis=2)
    else:
        joint = stratum.T @ phi / n
    share = np.where(known > 0, stratum.mean(axis=0), np.inf)
    factor, within = known / known.sum() / share, joint / share[:, None]
    estimates = phi.mean(axis=0) + (factor - 1) @ joint
    if jointly:
        u = np.einsum("s,nsj->nj", factor, pairs) - stratum @ (factor[:, None] * within)
        return estimates, u.std(axis=0) / np.sqrt(n)
    each = [_second(by, stratum, phi[:, j], factor, within[:, j]) for j in range(d)]
    means = estimates - factor @ (within * stratum.mean(axis=0)[:, None])
    return estimates, np.sqrt((np.array(each) - means**2) / n)


def _second(by: Row, stratum: Array, phi: Array, factor: Array, within: Array) -> float:
    """The mean square of phi(j) + sum of (f - 1) phi(s) phi(j) - f h phi(s). Where several symbols of the stratum come
    at once the product of two has the mean that M13 says, given phi(j)."""
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


def _pair(question: Row) -> tuple[float, float, float, float]:
    """How often two symbols come together, where one of them is the truth and where none is; and one of them."""
    method, d = question["estimation"]["methods"][0], len(question["options"])
    a, b = method["a"], method["b"]
    if "sizes" not in question["table"]:
        return a * b, b * b, a, b
    [m] = question["table"]["sizes"]
    among, rest = a * (m - 1) / (d - 1), max(d - 2, 1)
    return among, (a * (m - 1) * (m - 2) + (1 - a) * m * (m - 1)) / ((d - 1) * rest), a, b


def raked(own: list[Row], codebook: Row, columns: dict[str, Array], document: Row) -> Found:
    """By several known margins: own are their questions and the weighted one, the last."""
    sizes = [len(question["options"]) for question in own]
    options = np.indices(sizes).reshape(len(sizes), -1).T
    strata: Array = 1.0
    last: Array = 1.0
    for places, phi in factors(own, codebook, columns):
        if len(own) - 1 not in places:
            phi = phi + (1 - phi.sum(axis=1, keepdims=True)) / phi.shape[1]
        cell = phi[:, np.ravel_multi_index(tuple(options[:, places].T), [sizes[place] for place in places])]
        alone = places == [len(own) - 1]
        strata, last = (strata * (1.0 if alone else cell)), last * cell
    n, d = len(cell), sizes[-1]
    both = last.reshape(n, -1, d)
    # The strata alone: of a question with a draw of its own without its scores, else summed over its answers.
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


def corrected(own: list[Row], _codebook: Row, columns: dict[str, Array], document: Row) -> Found:
    """By an attention question: own are that and the corrected one."""
    right = own[0]["options"].index(document["right"])
    anchor, phi = scores(own[0], columns)[:, right], scores(own[1], columns)
    n, d = phi.shape
    c = len(own[0]["options"]) / (len(own[0]["options"]) - 1)
    attention = c * (anchor.mean() - (1 - 1 / c))
    s = (phi.mean(axis=0) - 1 / d) / attention
    u = phi - 1 / d - s * (c * (anchor - (1 - 1 / c)))[:, None]
    return 1 / d + s, np.sqrt((u**2).mean(axis=0) / n) / attention


def mean(question: Row, stated: Row, numbers: Found) -> list[tuple[float, float]]:
    """How far the published mean, and its standard error where one bit tells it, are from what the shares say, each
    with the published standard error."""
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
    """With the question that is weighted or corrected. Of a mean the options are its ends."""
    kind: Callable[..., Found]
    if "anchor" in document:
        keys, kind = [document["anchor"], document["question"]], corrected
    elif "margins" in document:
        keys, kind = [*(margin["key"] for margin in document["margins"]), document["question"]], raked
    else:
        keys, kind = [document["by"], document["question"]], weighted
    own = [next(question for question in codebook["questions"] if question["key"] == key) for key in keys]
    own = [{"options": [question[end] for end in ("low", "high")]} | question if "low" in question else question
           for question in own]  # fmt: skip
    if any("asked" in question for question in own):
        sys.exit("several forms ask one of these questions: that is not computed again here")
    form = {question["form"] for question in own if "form" in question}
    if form:
        about = columns[codebook["form_column"]] == form.pop()
        columns = {name: column[about] for name, column in columns.items()}
    return own[-1], kind(own, codebook, columns, document)


def main() -> None:
    if len(sys.argv) < 4:
        sys.exit("python weights.py microdata.csv codebook.json weighted.json ...")
    columns, codebook = read(sys.argv[1]), read_json(sys.argv[2])
    agree = [compare(read_json(path), codebook, columns) for path in sys.argv[3:]]
    sys.exit(int(not all(agree)))


def compare(document: Row, codebook: Row, columns: dict[str, Array]) -> bool:
    """Whether the published numbers are found again."""
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
