"""A release's published model again, from its reports. Needs numpy alone.

    python models.py microdata.csv codebook.json regression.json

compares coefficients, predicted shares and marginal effects, each with its standard error, with the published ones.
Linear, logistic, multinomial and ordered models of whole questions; the formulas are those of docs/mathematics.md, M40.
"""

import csv
import gzip
import io
import json
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

R = 2.0**53
AGREE = 1e-8  # of a standard error
AT_ONCE = 20_000  # reports
STEP = 1e-2  # of a standard error, for second differences
Array = Any
Row = dict[str, Any]


def read(path: str) -> dict[str, Array]:
    """The columns by their names; NaN where a report is not about one."""
    with gzip.open(path) if path.endswith(".gz") else open(path, "rb") as file:
        rows = list(csv.reader(io.TextIOWrapper(file, "utf-8-sig")))
    numbers = np.array([[float(cell) if cell else np.nan for cell in row] for row in rows[1:]])
    return dict(zip(rows[0], numbers.T, strict=True))


def scores(question: Row, columns: dict[str, Array]) -> Array:
    """phi of each option, (n, d): 1 in the mean where it is the truth, else 0."""
    sent = np.stack([columns[column["name"]] for column in question["microdata"]["columns"]], axis=1)
    d = len(question["options"])
    if "rows" in question["table"]:
        ends = [np.diff([0, *row, R]) / R for row in question["table"]["rows"]]
        return np.linalg.inv(np.array(ends))[sent[:, 0].astype(int)]
    bits = sent == np.arange(d) if sent.shape[1] == 1 else sent >= 1
    method = question["estimation"]["methods"][0]
    return (bits - method["b"]) / (method["a"] - method["b"])


def together(form: Row, own: list[Row], columns: dict[str, Array]) -> Array:
    """Scores of the tuples of questions that one draw randomized, likewise."""
    sizes = [len(question["options"]) for question in own]
    place = np.zeros(len(columns[own[0]["key"]]))
    for question, d in zip(own, sizes, strict=True):
        place = place * d + columns[question["key"]]
    k = int(np.prod(sizes))
    other = form["table"]["other"] / R * np.prod(form["sizes"]) / k
    return ((place[:, None] == np.arange(k)) - other) / (1 - k * other)


def factors(own: list[Row], codebook: Row, columns: dict[str, Array]) -> list[tuple[list[int], Array]]:
    """The places of each draw's questions, and its scores."""
    groups: dict[Any, list[int]] = {}
    for place, question in enumerate(own):
        groups.setdefault(("form", question["form"]) if question.get("joint") else question["key"], []).append(place)
    found = []
    for places in groups.values():
        members = [own[place] for place in places]
        alone = len(places) == 1
        phi = (
            scores(members[0], columns) if alone else together(codebook["forms"][members[0]["form"]], members, columns)
        )
        found.append((places, phi))
    return found


def design(model: Row, options: Array, sizes: list[int]) -> Array:
    """The columns of the covariates over all combinations, (K, p)."""
    own = {}
    for place, covariate in enumerate(model["covariates"], 1):
        given = options[:, place]
        if "scores" in covariate:
            own[covariate["key"]] = np.array(covariate["scores"], dtype=float)[given][:, None]
        else:
            others = [option for option in range(sizes[place]) if option != covariate.get("reference", 0)]
            own[covariate["key"]] = (given[:, None] == others).astype(float)
    columns = [np.ones((len(options), 1)), *own.values()]
    for first, second in model.get("interactions", []):
        product = own[first][:, :, None] * own[second][:, None]
        columns.append(product.reshape(len(options), -1))
    return np.hstack(columns)


class Equations:
    """What each combination adds: gradients (K, m) and curvatures (K, m, m) at parameters."""

    def __init__(self, model: Row, x: Array, outcome: Array, d: int) -> None:
        self.x, self.linear = x, model["model"] == "linear"
        if self.linear:
            self.y = np.array(model.get("scores", range(d)), dtype=float)[outcome]
        self.base = 1 if model["model"] == "logistic" else 0
        self.own = [option for option in range(d) if option != self.base]
        self.came = outcome[:, None] == self.own
        self.m = x.shape[1] * (1 if self.linear else len(self.own))

    def start(self, _shares: Array) -> Array:
        return np.zeros(self.m)

    def at(self, b: Array) -> tuple[Array, Array]:
        x = self.x
        if self.linear:
            return x * (self.y - x @ b)[:, None], x[:, :, None] * x[:, None]
        odds = np.exp(x @ b.reshape(len(self.own), -1).T)
        mu = odds / (1 + odds.sum(axis=1, keepdims=True))
        gradient = ((self.came - mu)[:, :, None] * x[:, None]).reshape(len(x), -1)
        spread = mu[:, :, None] * np.eye(len(self.own)) - mu[:, :, None] * mu[:, None]
        curvature = np.einsum("kab,ki,kj->kaibj", spread, x, x).reshape(len(x), self.m, self.m)
        return gradient, curvature

    def means(self, x: Array, b: Array) -> Array:
        """The share of each option at these columns, (K, d); of a linear model the mean, (K, 1)."""
        if self.linear:
            return (x @ b)[:, None]
        odds = np.exp(x @ b.reshape(len(self.own), -1).T)
        return np.insert(odds, self.base, 1, axis=1) / (1 + odds.sum(axis=1, keepdims=True))


class Ordered:
    """Cumulative logits, likewise: slopes, then a threshold below each option but the first."""

    def __init__(self, x: Array, outcome: Array, d: int) -> None:
        self.x, self.outcome, self.d = x[:, 1:], outcome, d
        self.m = x.shape[1] - 1 + d - 1

    def start(self, shares: Array) -> Array:
        """The thresholds of the outcome's own shares, kept apart, and no slopes."""
        own = np.array([shares[self.outcome == option].sum() for option in range(self.d)])
        below = np.cumsum(np.clip(own, 0.01, 1) / np.clip(own, 0.01, 1).sum())[:-1]
        return np.concatenate([np.zeros(self.x.shape[1]), np.log(below / (1 - below))])

    def at(self, b: Array) -> tuple[Array, Array]:
        p, each = self.x.shape[1], np.arange(len(self.x))
        ends = np.pad(b[p:] - (self.x @ b[:p])[:, None], ((0, 0), (1, 1)), constant_values=(-np.inf, np.inf))
        ways = np.zeros((len(self.x), self.d + 1, self.m))
        ways[:, 1:-1, :p], ways[:, 1:-1, p:] = -self.x[:, None], np.eye(self.d - 1)
        curve = 0.5 * (1 + np.tanh(ends / 2))
        slope = curve * (1 - curve)
        low, high = (each, self.outcome), (each, self.outcome + 1)
        chance = (curve[high] - curve[low])[:, None]
        gradient = (slope[high][:, None] * ways[high] - slope[low][:, None] * ways[low]) / chance
        bend = slope * (1 - 2 * curve)
        second = sum(
            sign * bend[end][:, None, None] * ways[end][:, :, None] * ways[end][:, None]
            for sign, end in ((1, high), (-1, low))
        )
        return gradient, gradient[:, :, None] * gradient[:, None] - second / chance[:, None]

    def means(self, x: Array, b: Array) -> Array:
        p = self.x.shape[1]
        curve = 0.5 * (1 + np.tanh(0.5 * (b[p:] - (x[:, 1:] @ b[:p])[:, None])))
        return np.diff(np.pad(curve, ((0, 0), (1, 1)), constant_values=(0, 1)), axis=1)


class Fit(NamedTuple):
    """What was found: coefficients, standard errors, the number of reports; and what shares are made of."""

    b: Array
    errors: Array
    n: int
    effect: Callable[[Row], tuple[float, float]]


def derivative(means: Callable[[Array], Array], b: Array) -> Array:
    """The slope of each mean by each parameter, (K, J, m): exact, by a step that is imaginary."""
    steps = 1e-30j * np.eye(len(b))
    return np.stack([means(b + step).imag / 1e-30 for step in steps], axis=-1)


def second_order(slope: Callable[[Array], Array], b: Array, covariance: Array) -> Array:
    """What normal parameters add by the second order of a mean: the root of tr(S S)/2 + (tr(S)/2)^2, (J,)."""
    scale = np.sqrt(np.diag(covariance))
    values, vectors = np.linalg.eigh(covariance / np.outer(scale, scale))
    ways = (scale[:, None] * vectors * np.sqrt(np.maximum(values, 0))).T
    changes = [(slope(b + STEP * way) - slope(b - STEP * way)) @ ways.T / (2 * STEP) for way in ways]
    second = np.stack(changes, axis=1)
    return np.sqrt((second**2).sum(axis=(1, 2)) / 2 + (np.trace(second, axis1=1, axis2=2) / 2) ** 2)


def fit(model: Row, codebook: Row, columns: dict[str, Array]) -> Fit:
    """The model of a release's reports."""
    keys = [model["outcome"], *(covariate["key"] for covariate in model["covariates"])]
    own = [next(question for question in codebook["questions"] if question["key"] == key) for key in keys]
    for question in own:
        question.setdefault("options", ["low", "high"])  # of a mean: the ends that its numbers were rounded to
    form = {question["form"] for question in own if "form" in question}
    if form:
        about = columns[codebook["form_column"]] == form.pop()
        columns = {name: column[about] for name, column in columns.items()}
    sizes = [len(question["options"]) for question in own]
    options = np.indices(sizes).reshape(len(sizes), -1).T
    drawn = [
        (phi, np.ravel_multi_index(tuple(options[:, places].T), [sizes[place] for place in places]))
        for places, phi in factors(own, codebook, columns)
    ]
    n = len(drawn[0][0])

    def weights() -> Any:
        for start in range(0, n, AT_ONCE):
            each = [phi[start : start + AT_ONCE][:, combination] for phi, combination in drawn]
            yield np.prod(each, axis=0)

    shares = sum(part.sum(axis=0) for part in weights()) / n
    x, outcome = design(model, options, sizes), options[:, 0]
    ordered = model["model"] == "ordered"
    equations = Ordered(x, outcome, sizes[0]) if ordered else Equations(model, x, outcome, sizes[0])
    b = equations.start(shares)
    for _ in range(100):
        gradient, curvature = equations.at(b)
        step = np.linalg.solve(np.tensordot(shares, curvature, 1), shares @ gradient)
        b = b + step
        if np.abs(step).max() < 1e-13 * (1 + np.abs(b).max()):
            break
    gradient, curvature = equations.at(b)
    inverse = np.linalg.inv(np.tensordot(shares, curvature, 1))
    influence = np.vstack([part @ gradient @ inverse for part in weights()])
    influence -= influence.mean(axis=0)
    covariance = influence.T @ influence / n / (n - equations.m)

    def effect(published: Row) -> tuple[float, float]:
        """A predicted share, or a marginal effect against the option `reference`, and its standard error."""
        place = keys.index(published["key"])

        def at(option: int) -> Callable[[Array], Array]:
            moved = options.copy()
            moved[:, place] = option
            columns = design(model, moved, sizes)
            return lambda b: equations.means(columns, b)

        there, reference = at(published["option"]), published["reference"]
        means = there if reference is None else lambda b: there(b) - at(reference)(b)

        def slope(b: Array) -> Array:
            return np.tensordot(shares, derivative(means, b), 1)

        values = means(b)
        own = np.vstack([part @ values for part in weights()]) + influence @ slope(b).T
        errors = np.hypot(
            np.sqrt(((own - own.mean(axis=0)) ** 2).mean(axis=0) / (n - equations.m)),
            0 if model["model"] == "linear" else second_order(slope, b, covariance),
        )
        outcome = published["outcome"] or 0
        return float((shares @ values)[outcome]), float(errors[outcome])

    return Fit(b, np.sqrt(np.diag(covariance)), n, effect)


def main() -> None:
    if len(sys.argv) != 4:
        sys.exit("python models.py microdata.csv codebook.json regression.json")
    with open(sys.argv[2], encoding="utf-8-sig") as book, open(sys.argv[3], encoding="utf-8-sig") as published:
        codebook, document = json.load(book), json.load(published)
    found = fit(document["model"], codebook, read(sys.argv[1]))
    shares = [*document["predicted"], *document["marginal"]]
    again = [*zip(found.b, found.errors, strict=True), *map(found.effect, shares)]
    difference = max(
        max(abs(one - row["estimate"]), abs(error - row["standard_error"])) / row["standard_error"]
        for (one, error), row in zip(again, [*document["coefficients"], *shares], strict=True)
    )
    print(
        f"{len(found.b)} coefficients and {len(shares)} shares and effects from {found.n} reports; "
        f"the largest difference is {difference:.2g} standard errors."
    )
    sys.exit(int(difference > AGREE))


if __name__ == "__main__":
    main()
