"""Recompute a release's published regressions from its reports. Needs numpy.

    python models.py microdata.csv codebook.json regression.json ...

For each model the script compares coefficients, predicted shares and marginal effects with the published ones, each
with standard errors and intervals, and limits by the profile likelihood. Models are linear, logistic, multinomial or
ordered, of whole questions. The formulas are in docs/mathematics.md: M40, and M47 for linear models from pairs of
questions that several forms ask.
"""

import csv
import gzip
import io
import json
import math
import sys
from collections.abc import Callable, Collection
from itertools import combinations
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np

R = 2.0**53
AGREE = 1e-8  # of a standard error
LIMITS_AGREE = 1e-6  # likewise for limits by the profile likelihood
AT_ONCE = 20_000  # reports in memory
SURE = 3.0  # standard errors above 0 that an answer's share in a group needs, else no model is published
ANY, CLEAR = 10.0, 9.0  # standard errors: the most that are searched, and those that are far from a border
LEFT = 0.01  # of a share: if no more is left, a limit is infinite
STEP = 1e-2  # of a standard error, the step of second differences
APART = 5.0  # standard errors above 0 that the columns' covariance from pairs needs in each direction
NOT_TOGETHER = "no form asks both, so no one was asked both: they cannot be crossed"
IN_WAYS = (
    "the forms that ask all of these randomize them in different ways, some together and some alone, or with other "
    "chances: that is not computed"
)
FILLERS = (
    "not everyone was asked all of these, so fillers would count as answers: crossing.json of the release and the "
    "notebook's reports.crossing describe the people who were asked both of two questions"
)
Array = Any
Row = dict[str, Any]


def read(path: str) -> dict[str, Array]:
    """Return the columns by name. A cell is NaN if the report is not about the column."""
    with gzip.open(path) if path.endswith(".gz") else open(path, "rb") as file:
        rows = list(csv.reader(io.TextIOWrapper(file, "utf-8-sig")))
    numbers = np.array([[float(cell) if cell else np.nan for cell in row] for row in rows[1:]])
    return dict(zip(rows[0], numbers.T, strict=True))


def scores(question: Row, columns: dict[str, Array]) -> Array:
    """Return phi of each option, (n, d). Its mean is 1 if the option is true, else 0."""
    if "rows" in question["table"]:
        ends = [np.diff([0, *row, R]) / R for row in question["table"]["rows"]]
        return np.linalg.inv(np.array(ends))[columns[question["key"]].astype(int)]
    method = question["estimation"]["methods"][0]
    return (listed(question, columns) - method["b"]) / (method["a"] - method["b"])


def together(own: list[Row], columns: dict[str, Array]) -> Array:
    """Return the scores of the tuples of questions that one draw randomized, as in `scores`."""
    kept, weights = own[0]["table"]["keep"] / R, np.ones((1, 1))
    for question in own:
        d, [size] = len(question["options"]), question["table"]["sizes"]
        weight = (listed(question, columns) - size / d) * (d - 1) / (d - size) + 1 / d
        weights = (weights[:, :, None] * weight[:, None]).reshape(len(weight), -1)
    return (weights - (1 - kept) / weights.shape[1]) / kept


def listed(question: Row, columns: dict[str, Array]) -> Array:
    """Return whether a report lists each option, (n, d). A single column holds the option's position."""
    sent = np.stack([columns[column["name"]] for column in question["microdata"]["columns"]], axis=1)
    return sent == np.arange(len(question["options"])) if sent.shape[1] == 1 else sent >= 1


def questions_of(codebook: Row, keys: list[str]) -> list[Row]:
    """Return the questions with these keys. The options of a mean are the ends to which numbers were rounded."""
    own = [next(question for question in codebook["questions"] if question["key"] == key) for key in keys]
    if any("asked_if" in each for each in own):
        sys.exit(FILLERS)
    return [{"options": [each[end] for end in ("low", "high")]} | each if "low" in each else each for each in own]


def forms_of(question: Row) -> set[int] | None:
    """Return the forms that ask a question; None if everyone is asked it."""
    if "asked" in question:
        return {each["form"] for each in question["asked"]}
    return {question["form"]} if "form" in question else None


def in_form(question: Row, codebook: Row, form: int | None) -> Row:
    """Return a question as a form asks it, with its draw."""
    draws = codebook["draws"] + ([] if form is None else codebook["forms"][form]["draws"])
    draw = next(each for each in draws if question["key"] in each["questions"])
    channel = next((each for each in question.get("asked", []) if each["form"] == form), question)
    made = question | {"draw": draw, "table": channel["table"]}
    if "sizes" in channel["table"]:
        d, [size], kept = len(question["options"]), channel["table"]["sizes"], channel["table"]["keep"] / R
        random = (1 - kept) * size / d
        made["estimation"] = {"methods": [{"a": kept + random, "b": kept * (size - 1) / (d - 1) + random}]}
    return made


def of_forms(columns: dict[str, Array], codebook: Row, forms: Collection[int]) -> dict[str, Array]:
    """Return the reports of these forms."""
    about = np.isin(columns[codebook["form_column"]], list(forms))
    return {name: column[about] for name, column in columns.items()}


def ways(own: list[Row], codebook: Row, columns: dict[str, Array]) -> list[tuple[list[Row], dict[str, Array]]]:
    """Return the questions and reports of each way in which forms randomize all of these questions."""
    stand = [forms for question in own if (forms := forms_of(question)) is not None]
    if not stand:
        return [([in_form(question, codebook, None) for question in own], columns)]
    keys, made = {question["key"] for question in own}, list[tuple[Any, list[Row], list[int]]]()
    for form in sorted(set.intersection(*stand)):
        each = [in_form(question, codebook, form) for question in own]
        way = [(question["table"], keys.intersection(question["draw"]["questions"])) for question in each]
        known = next((forms for other, _, forms in made if other == way), None)
        if known is None:
            made.append((way, each, [form]))
        else:
            known.append(form)
    if not made:
        sys.exit(NOT_TOGETHER)
    return [(each, of_forms(columns, codebook, forms)) for _, each, forms in made]


def one_way(own: list[Row], codebook: Row, columns: dict[str, Array]) -> tuple[list[Row], dict[str, Array]]:
    """Return the only one of `ways`. Exit if there are several."""
    made = ways(own, codebook, columns)
    if len(made) > 1:
        sys.exit(IN_WAYS)
    return made[0]


def factors(own: list[Row], columns: dict[str, Array]) -> list[tuple[list[int], Array]]:
    """Return the places of each draw's questions in one form, and the draw's scores."""
    groups: dict[tuple[str, ...], list[int]] = {}
    for place, question in enumerate(own):
        groups.setdefault(tuple(question["draw"]["questions"]), []).append(place)
    parts = []
    for places in groups.values():
        members = [own[place] for place in places]
        parts.append((places, scores(members[0], columns) if len(places) == 1 else together(members, columns)))
    return parts


def design(model: Row, options: Array, sizes: list[int]) -> Array:
    """Return the columns of the covariates over all combinations, (K, p)."""
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


def groups(model: Row, options: Array, shares: Array, sizes: list[int]) -> Array:
    """Return the weights of the groups that each need enough reports, (K, groups). The groups are everyone; each
    product of covariates, against their rarest answers; each answer; and for scores the distance from either end."""
    covariates, each = [], []
    for place, covariate in enumerate(model["covariates"], 1):
        given = options[:, place]
        if "scores" in covariate:
            own = np.array(covariate["scores"], dtype=float)
            covariates.append(covariate)
            each += [own[given] - own.min(), own.max() - own[given]]
        else:
            every = [given == option for option in range(sizes[place])]
            rarest = int(np.argmin(np.round([shares[one].sum() for one in every], 9)))
            covariates.append({**covariate, "reference": rarest})
            each += every
    strict = {**model, "covariates": covariates}
    alone = design({**strict, "interactions": []}, options, sizes).shape[1]
    return np.column_stack([np.ones(len(options)), design(strict, options, sizes)[:, alone:], *each])


class Equations:
    """The estimating equations: gradients (K, m) and curvatures (K, m, m) of each combination at the parameters."""

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

    def residuals(self, b: Array) -> Array:
        """Return the residual of each logit and their sum, (K, logits)."""
        each = self.at(b)[0][:, :: self.x.shape[1]]
        return np.column_stack([each, each.sum(axis=1)])

    def means(self, x: Array, b: Array) -> Array:
        """Return the share of each option at these columns, (K, d); for a linear model the mean, (K, 1)."""
        if self.linear:
            return (x @ b)[:, None]
        odds = np.exp(x @ b.reshape(len(self.own), -1).T)
        return np.insert(odds, self.base, 1, axis=1) / (1 + odds.sum(axis=1, keepdims=True))


class Ordered:
    """The equations of cumulative logits: slopes, then a threshold below each option except the first."""

    def __init__(self, x: Array, outcome: Array, d: int) -> None:
        self.x, self.outcome, self.d = x[:, 1:], outcome, d
        self.m = x.shape[1] - 1 + d - 1

    def start(self, shares: Array) -> Array:
        """Return thresholds from the outcome's shares, kept apart, and slopes of 0."""
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

    def residuals(self, b: Array) -> Array:
        """Return the slope of the log likelihood by the linear predictor, (K, 1)."""
        return self.at(b)[0][:, self.x.shape[1] :].sum(axis=1, keepdims=True)

    def means(self, x: Array, b: Array) -> Array:
        p = self.x.shape[1]
        curve = 0.5 * (1 + np.tanh(0.5 * (b[p:] - (x[:, 1:] @ b[:p])[:, None])))
        return np.diff(np.pad(curve, ((0, 0), (1, 1)), constant_values=(0, 1)), axis=1)


class Curve(NamedTuple):
    """A mean, and what independent standard normals z add to it: slope z + bend z^2 / 2.

    `contrast` is the combination of coefficients that vanishes with the effect. `shares` are the predicted shares whose
    difference is the effect, with standard errors; a mean score has none.
    """

    estimate: float
    slope: Array
    bend: Array
    contrast: "Combination | None"
    share: bool
    shares: list[tuple[float, float]]

    @property
    def error(self) -> float:
        return float(np.sqrt((self.slope**2).sum() + (self.bend**2).sum() / 2 + (self.bend.sum() / 2) ** 2))

    def ends(self, level: float) -> list[float]:
        reach, square = NormalDist().inv_cdf((1 + level) / 2), (self.slope**2).sum()
        across = (self.bend.sum() - (self.slope**2 @ self.bend / square if square else 0)) / 2
        low = -most(-self.slope, -self.bend, reach) - max(across, 0)
        high = most(self.slope, self.bend, reach) - min(across, 0)
        low, high = self.estimate + low, self.estimate + high
        if self.contrast and self.contrast.vanishes(reach):
            low, high = min(low, 0), max(high, 0)
        for sign, (share, error) in zip((1, -1), self.shares, strict=False):
            up, down = error * pushed(share / error, reach), error * pushed((1 - share) / error, reach)
            low, high = low - (up if sign > 0 else down), high + (down if sign > 0 else up)
        return [max(low, 0), min(high, 1)] if self.share else [low, high]


class Combination(NamedTuple):
    """A sum of coefficients with its standard error. `sure` has the numbers that publication requires to be above 0:
    each in standard errors, with its correlation with the sum."""

    value: float
    error: float
    sure: list[tuple[float, float]]

    def widening(self, reach: float) -> tuple[float, float]:
        """Return how many standard errors to add to a normal interval. Noise may have pushed a number over a limit of
        publication."""
        low, high = (
            max([0.0, *(beyond(e / (sign * r), (e - SURE) / (sign * r), reach) for e, r in self.sure if sign * r > 0)])
            for sign in (1, -1)
        )
        return low, high

    def ends(self, level: float) -> list[float]:
        reach = NormalDist().inv_cdf((1 + level) / 2)
        low, high = self.widening(reach)
        return [self.value - (reach + low) * self.error, self.value + (reach + high) * self.error]

    def vanishes(self, reach: float) -> bool:
        low, high = self.widening(reach)
        return -(reach + high) * self.error <= self.value <= (reach + low) * self.error


def beyond(errors: float, border: float, reach: float) -> float:
    """Return by how many standard errors beyond `reach` a logit may be too large. The share is `errors` standard errors
    above 0. Its logit changes like its logarithm."""
    most = off(max(border, 0.0), reach)
    if most >= min((1 - LEFT) * errors, ANY):
        return math.inf
    return -errors * math.log1p(-(most - reach) / (errors - reach))


def off(border: float, reach: float) -> float:
    """Return by how many standard errors a published estimate may be too large, by halving. It would not be published
    if it were `border` standard errors smaller."""
    if border - reach > CLEAR:
        return reach
    low, high = reach, ANY
    for _ in range(100):
        middle = (low + high) / 2
        if above(middle) > above(reach) * above(middle - border):
            low = middle
        else:
            high = middle
    return high


def above(x: float) -> float:
    """Return the chance that a standard normal exceeds `x`."""
    return math.erfc(x / math.sqrt(2)) / 2


def pushed(errors: float, reach: float) -> float:
    """Return by how many standard errors beyond `reach` an estimate may be too large. It is `errors` standard errors
    above 0 and would not be published below SURE."""
    return max(min(off(errors - SURE, reach), errors) - reach, 0.0)


def most(slope: Array, bend: Array, reach: float) -> float:
    """Return the maximum of slope z + bend z^2 / 2 for |z| <= reach, by halving for the minimum of the dual."""
    size = np.sqrt((slope**2).sum())
    least = max(bend.max(), 0)
    if size == 0:
        return float(least * reach**2 / 2)
    low = least + 1e-12 * (size + least)
    high = low + size / reach
    for _ in range(100):
        middle = (low + high) / 2
        if ((slope / (middle - bend)) ** 2).sum() > reach**2:
            low = middle
        else:
            high = middle
    return float(high * reach**2 + (slope**2 / (high - bend)).sum()) / 2


class Likelihood:
    """The likelihood of a joint form's counts. The model gives the outcome's chances. The shares of the covariates'
    answers are free. Their logarithms come after the model's parameters."""

    def __init__(self, phi: Array, means: Callable[[Array], Array], outcome: Array, b: Array, errors: Array) -> None:
        self.counts = np.bincount(phi.argmax(axis=1), minlength=phi.shape[1])
        self.own = 1 / (phi.max() - phi.min())  # the chance that a tuple stays, minus that of each other tuple
        self.other, self.means, self.outcome = -phi.min() * self.own, means, outcome
        self.m, self.others = len(b), len(outcome) // means(b).shape[1]
        self.units = np.append(errors, np.ones(self.others))
        shares = phi.mean(axis=0).reshape(-1, self.others).sum(axis=0)
        self.best, self.most, _ = self.greatest(np.append(b, np.log(np.maximum(shares, 1e-3))), None)

    def at(self, t: Array) -> tuple[float, Array, Array]:
        """Return the log likelihood, its slope, and the information of the counts."""
        b, marginal = t[: self.m], np.exp(t[self.m :] - t[self.m :].max())
        marginal, each = marginal / marginal.sum(), np.arange(len(self.outcome))
        place = each % self.others
        chance = self.means(b)[each, self.outcome]
        if (chance < 0).any():
            return -np.inf, np.zeros(len(t)), np.zeros((len(t), len(t)))
        shares = np.maximum(chance, 1e-300) * marginal[place]
        slope = derivative(self.means, b)[each, self.outcome] * marginal[place][:, None]
        slope = np.hstack([slope, shares[:, None] * (np.eye(self.others)[place] - marginal)])
        came = self.other + self.own * shares
        slope = self.own * slope / came[:, None]
        information = slope.T @ (slope * (self.counts.sum() * came)[:, None])
        return float(self.counts @ np.log(came)), self.counts @ slope, information

    def greatest(self, t: Array, j: int | None) -> tuple[Array, float, Array]:
        """Return the maximum's place, its value and the slope there, from a start, by scoring. Parameter `j` stays
        fixed. Steps are at most 3 units of each parameter; shares that are almost 0 stay where they are."""
        value, slope, information = self.at(t)
        for _ in range(200):
            step, held = np.zeros(len(t)), np.arange(len(t)) == (-1 if j is None else j)
            held[self.m :] |= (t[self.m :] < t[self.m :].max() - 25) & (slope[self.m :] <= 0)
            while not held.all():
                free = ~held
                own, left = information[np.ix_(free, free)], slope[free] - information[np.ix_(free, held)] @ step[held]
                size = np.sqrt(np.maximum(np.diag(own), 1e-300))
                step[free] = np.linalg.lstsq(own / np.outer(size, size), left / size, rcond=1e-12)[0] / size
                far = free & (np.abs(step) > 3 * self.units)
                if not far.any():
                    break
                step[far] = 3 * np.sign(step[far]) * self.units[far]
                held |= far
            if slope @ step < 1e-10:
                break
            while not (further := self.at(t + step))[0] > value and np.abs(step / self.units).max() > 1e-9:
                step = step / 2
            if not further[0] > value:
                break
            t, (value, slope, information) = t + step, further
        return t, value, slope

    def difference(self, j: int, limit: float | None, sign: int, level: float) -> float:
        """Return the distance of a published limit from the likelihood's, in standard errors. If no limit is published,
        the likelihood 20 standard errors away must be too high for one."""
        t, unit = self.best.copy(), self.units[j]
        t[j] = t[j] + sign * 20 * unit if limit is None else limit
        _, value, slope = self.greatest(t, j)
        above = value - self.most + NormalDist().inv_cdf((1 + level) / 2) ** 2 / 2
        if limit is None:
            return 0.0 if above > 0 else np.inf
        rising = -sign * slope[j] * unit
        return abs(above / rising) if sign * (limit - self.best[j]) > 0 and rising > 0 else np.inf


class Fit(NamedTuple):
    """A fitted model: coefficients, standard errors and the number of reports. `contrast` returns a weighted sum of
    coefficients, `effect` a share or effect. `likelihood` exists if one draw randomized everything."""

    b: Array
    errors: Array
    n: int
    contrast: Callable[[Array], Combination]
    effect: Callable[[Row], Curve]
    likelihood: Callable[[], Likelihood] | None


def derivative(means: Callable[[Array], Array], b: Array) -> Array:
    """Return the slope of each mean by each parameter, (K, J, m), exact by an imaginary step."""
    steps = 1e-30j * np.eye(len(b))
    return np.stack([means(b + step).imag / 1e-30 for step in steps], axis=-1)


def normal_ways(covariance: Array) -> Array:
    """Return rows by which independent standard normals move the parameters."""
    scale = np.sqrt(np.diag(covariance))
    values, vectors = np.linalg.eigh(covariance / np.outer(scale, scale))
    return (scale[:, None] * vectors * np.sqrt(np.maximum(values, 0))).T


def second_order(slope: Callable[[Array], Array], b: Array, ways: Array) -> Array:
    """Return the second derivatives of each mean by those normals, (J, m, m)."""
    changes = [(slope(b + STEP * way) - slope(b - STEP * way)) @ ways.T / (2 * STEP) for way in ways]
    second = np.stack(changes, axis=1)
    return (second + second.transpose(0, 2, 1)) / 2


def keys_of(model: Row) -> list[str]:
    return [model["outcome"], *(covariate["key"] for covariate in model["covariates"])]


def fit(model: Row, codebook: Row, columns: dict[str, Array]) -> Fit:
    """Return the model from the reports about all of its questions."""
    keys = keys_of(model)
    own, columns = one_way(questions_of(codebook, keys), codebook, columns)
    sizes = [len(question["options"]) for question in own]
    options = np.indices(sizes).reshape(len(sizes), -1).T
    drawn = [
        (phi, np.ravel_multi_index(tuple(options[:, places].T), [sizes[place] for place in places]))
        for places, phi in factors(own, columns)
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
    errors, ways = np.sqrt(np.diag(covariance)), normal_ways(covariance)
    normal = influence @ np.linalg.pinv(ways)

    sure, differing = np.empty(0), np.empty((n, 0))
    if model["model"] != "linear":
        residuals, every = equations.residuals(b), groups(model, options, shares, sizes)
        squares = (residuals[:, :, None] * every[:, None]).reshape(len(options), -1) ** 2
        differing = np.vstack([part @ squares for part in weights()]) - shares @ squares
        error = np.sqrt((differing**2).sum(axis=0)) / n
        known = error > 1e-12 * np.abs(shares @ squares)
        sure, differing = (shares @ squares)[known] / error[known], differing[:, known]

    def contrast_of(weight: Array) -> Combination:
        own = influence @ weight
        size = np.sqrt((own @ own) * (differing**2).sum(axis=0))
        correlation = own @ differing / np.where(size > 0, size, 1.0)
        pairs = list(zip(sure.tolist(), correlation.tolist(), strict=True))
        return Combination(float(weight @ b), float(np.sqrt(weight @ covariance @ weight)), pairs)

    def effect(published: Row) -> Curve:
        """Return a predicted share, or a marginal effect against the option `reference`."""
        place, outcome = keys.index(published["key"]), published["outcome"] or 0

        def columns(option: int) -> Array:
            moved = options.copy()
            moved[:, place] = option
            return design(model, moved, sizes)

        there, reference = columns(published["option"]), published["reference"]
        instead = there if reference is None else columns(reference)

        def means(b: Array) -> Array:
            return equations.means(there, b) - (0 if reference is None else equations.means(instead, b))

        def slope(b: Array) -> Array:
            return np.tensordot(shares, derivative(means, b), 1)

        values = means(b)
        own = np.vstack([part @ values for part in weights()]) + influence @ slope(b).T
        own = (own - own.mean(axis=0))[:, outcome]
        first = own @ normal / n / (n - equations.m)
        rest = np.sqrt(max(own @ own / n / (n - equations.m) - first @ first, 0))
        linear = model["model"] == "linear"
        bend, turned = np.linalg.eigh(np.zeros_like(ways) if linear else second_order(slope, b, ways)[outcome])
        rows = np.unique((there - instead)[:, 1 if ordered else 0 :], axis=0)
        alone = reference is not None and len(rows) == 1 and model["model"] in ("logistic", "ordered")
        contrast = None
        if alone and outcome in (0, sizes[0] - 1):
            contrast = contrast_of(np.pad(rows[0], (0, len(b) - rows.shape[1])))
        slopes = np.append(turned.T @ first, rest)
        is_share = reference is None and published["outcome"] is not None
        curve = Curve(float((shares @ values)[outcome]), slopes, np.append(bend, 0.0), contrast, is_share, [])
        if is_share:
            curve.shares.append((curve.estimate, curve.error))
        elif published["outcome"] is not None:
            both = ({**published, "option": published[of], "reference": None} for of in ("option", "reference"))
            curve.shares.extend(one for each in both for one in effect(each).shares)
        return curve

    def likelihood() -> Likelihood:
        return Likelihood(drawn[0][0], lambda b: equations.means(x, b), outcome, b, errors)

    return Fit(b, errors, n, contrast_of, effect, likelihood)


# Linear models from pairs of questions (M47) --------------------------------------------------------------------------


class Column(NamedTuple):
    """A question's numbers per option, minus their plain mean `middle`. The first column is 1 and has no key."""

    key: str | None
    values: Array
    middle: float


def columns_of(model: Row, own: list[Row]) -> list[Column]:
    """Return the column 1, the covariates' columns, and the outcome's column."""
    sizes = {question["key"]: len(question["options"]) for question in own}
    made = [(model["outcome"], np.array(model.get("scores", range(sizes[model["outcome"]])), dtype=float))]
    for covariate in reversed(model["covariates"]):
        key, reference = covariate["key"], covariate.get("reference", 0)
        steps = [np.array(covariate["scores"], dtype=float)] if "scores" in covariate else None
        every = np.delete(np.eye(sizes[key]), reference, axis=0)
        made = [*((key, values) for values in (every if steps is None else steps)), *made]
    return [Column(None, np.ones(1), 1.0), *(Column(key, own - own.mean(), float(own.mean())) for key, own in made)]


class Source:
    """The reports of one form about questions of a model. `own` are the questions as the form asks them. The totals of
    one draw are used, or single reports if the questions have separate draws."""

    def __init__(self, own: list[Row], columns: dict[str, Array]) -> None:
        self.own, self.shape = own, [len(question["options"]) for question in own]
        self.keys = [question["key"] for question in own]
        drawn = factors(own, columns)
        self.one_draw = len(drawn) == 1
        parts = [together(own, columns)] if self.one_draw else [phi for _, phi in drawn]
        options = np.indices(self.shape).reshape(len(own), -1).T
        within = [np.ravel_multi_index(tuple(options[:, k].T), [self.shape[j] for j in k]) for k, _ in drawn]
        self.parts, self.n = list(zip(parts, within, strict=True)), len(parts[0])
        self.shares = sum(part.sum(axis=0) for part in self.weights()) / self.n

    def weights(self) -> Any:
        """Yield the reports' scores of all combinations of answers, some reports at a time."""
        for start in range(0, self.n, AT_ONCE):
            yield np.prod([phi[start : start + AT_ONCE][:, within] for phi, within in self.parts], axis=0)

    def information(self, keys: set[str]) -> float:
        """Return the information in one report about a mean product of these questions' columns, at equal shares. It is
        0 if the report is not about all of them."""
        if not keys <= set(self.keys):
            return 0.0
        own = [question for question in self.own if question["key"] in keys]
        value = math.prod(1 / variance(question) for question in own)
        draws = {tuple(question["draw"]["questions"]) for question in (self.own if self.one_draw else own)}
        for draw in draws:
            many = sum(question["key"] in draw for question in own)
            kept = (
                next(question["table"]["keep"] for question in self.own if question["key"] in draw) / R
                if many != 1
                else 1
            )
            value *= kept ** (2 - 2 * many)
        return value

    def over_cells(self, column: Column) -> Array:
        """Return a column's number for each combination of answers."""
        if column.key is None:
            return np.ones(math.prod(self.shape))
        place = self.keys.index(column.key)
        return column.values[np.indices(self.shape)[place].ravel()]

    def covariance(self, columns: list[Column], linear: Array) -> Array:
        """Return the covariance of one report's scores. Scores are sums over products of columns, weighted by `linear`,
        (q, P, P)."""
        about = [place for place, column in enumerate(columns) if column.key is None or column.key in self.keys]
        sums = np.zeros((len(linear), math.prod(self.shape)))
        for a in about:
            for b in about:
                one, other = columns[a], columns[b]
                product = self.over_cells(one) * self.over_cells(other)
                if self.one_draw:  # a replaced answer gives a random list: its expected part is subtracted
                    middle = product.mean() if one.key == other.key else 0.0
                    kept = self.own[0]["table"]["keep"] / R
                    product = (product - middle) / kept + middle
                sums += np.multiply.outer(linear[:, a, b], product)
        if self.one_draw:
            second = self.second_moments()
            mean = sums @ second.sum(axis=1)
            return sums @ second @ sums.T - np.outer(mean, mean)
        each = np.vstack([part @ sums.T for part in self.weights()])
        each -= each.mean(axis=0)
        return each.T @ each / self.n

    def second_moments(self) -> Array:
        """Return the second moments of the products of all questions' w, for each combination of options (M44). The w
        of an option is 1 if it is listed. All w of a question add up to 1."""
        kept: Array = self.shares.reshape(self.shape)
        random: Array = np.ones((1, 1))
        for question, d in zip(self.own, self.shape, strict=True):
            [size] = question["table"]["sizes"]
            kept = np.tensordot(kept, np.array([moments(d, size, option) for option in range(d)]), (0, 0))
            random = np.kron(random, moments(d, size, None))
        s, many = len(self.shape), math.prod(self.shape)
        kept = kept.transpose([*range(0, 2 * s, 2), *range(1, 2 * s, 2)]).reshape(many, many)
        stays = self.own[0]["table"]["keep"] / R
        return stays * kept + (1 - stays) * random


def variance(question: Row) -> float:
    """Return the variance of a report's score of an option at equal shares, averaged over the options."""
    d = len(question["options"])
    if "rows" in question["table"]:
        ends = np.array([np.diff([0, *row, R]) / R for row in question["table"]["rows"]])
        return float((ends.mean(axis=0) @ np.linalg.inv(ends) ** 2 - 1 / d**2).mean())
    method = question["estimation"]["methods"][0]
    a, b = method["a"], method["b"]
    noise = (a * (1 - a) + (d - 1) * b * (1 - b)) / (d * (a - b) ** 2)
    return float(noise + (d - 1) / d**2)


def moments(d: int, size: int, answer: int | None) -> Array:
    """Return the second moments of w in a list of `size` of d options. It contains the answer, or is random if `answer`
    is None."""
    if answer is None:
        one, two = np.full(d, size / d), np.full((d, d), size * (size - 1) / (d * (d - 1)))
    else:
        beside = (size - 1) / (d - 1)
        one, two = np.full(d, beside), np.full((d, d), beside * (size - 2) / (d - 2) if d > 2 else 0.0)
        one[answer], two[answer], two[:, answer] = 1, beside, beside
    two[np.arange(d), np.arange(d)] = one
    absent = -(size - 1) / (d - size)
    mixed = absent * (1 - absent) * (one[:, None] + one)
    return absent**2 + mixed + (1 - absent) ** 2 * two


class Pairs:
    """The pooled means of products of columns, and the covariance of sums of them."""

    def __init__(self, columns: list[Column], sources: list[Source]) -> None:
        self.columns, self.sources, many = columns, sources, range(len(columns))
        keys = [[{key for key in (one.key, two.key) if key is not None} for two in columns] for one in columns]
        each = np.array([[[own.information(keys[a][b]) for b in many] for a in many] for own in sources])
        self.weights = each / np.tensordot([own.n for own in sources], each, 1)
        self.products = np.zeros((len(columns), len(columns)))
        for own, weights in zip(sources, self.weights, strict=True):
            for a, b in np.argwhere(weights > 0):
                cells = own.over_cells(columns[a]) * own.over_cells(columns[b])
                self.products[a, b] += weights[a, b] * own.n * (own.shares @ cells)

    @property
    def n(self) -> int:
        return sum(own.n for own in self.sources if len(own.keys) > 1)

    def covariance(self, linear: Array) -> Array:
        each = zip(self.weights, self.sources, strict=True)
        return sum(own.n * own.covariance(self.columns, linear * weights) for weights, own in each)

    def needed(self) -> int | None:
        """Return the number of reports that would be enough; None if the columns' covariance is surely above 0."""
        means = self.products[0, 1:-1]
        covariance = self.products[1:-1, 1:-1] - np.outer(means, means)
        needed = self._needed(np.eye(len(means)), means, covariance)
        if needed is None:
            scale = np.sqrt(np.diag(covariance))
            turned = np.linalg.eigh(covariance / np.outer(scale, scale))[1]
            needed = self._needed((turned / scale[:, None]).T, means, covariance)
        return needed

    def _needed(self, directions: Array, means: Array, covariance: Array) -> int | None:
        linear = np.zeros((len(directions), len(self.columns), len(self.columns)))
        linear[:, 1:-1, 1:-1] = directions[:, :, None] * directions[:, None]
        linear[:, 0, 1:-1] = -2 * (directions @ means)[:, None] * directions
        errors = np.sqrt(np.diag(self.covariance(linear)))
        least = (np.einsum("qa,ab,qb->q", directions, covariance, directions) / errors).min()
        if least >= APART:
            return None
        needed = self.n * (APART / max(least, 1.0)) ** 2
        step = 10 ** max(math.floor(math.log10(needed)) - 1, 0)
        return int(math.ceil(needed / step) * step)


def is_by_pairs(model: Row, own: list[Row], codebook: Row) -> bool:
    """Return whether pairs give the linear model: forms ask only some of its questions, or randomize all in different
    ways."""
    if "forms" not in codebook or model["model"] != "linear" or model.get("interactions"):
        return False
    stand = [forms for question in own if (forms := forms_of(question)) is not None]
    every = set.intersection(*stand) if stand else set(range(len(codebook["forms"])))
    nothing = {name: np.empty(0) for name in [codebook["form_column"]]}
    if not every or len(ways(own, codebook, nothing)) > 1:
        return True
    some = set.union(*stand) if len(stand) == len(own) else set(range(len(codebook["forms"])))
    return some > every and any("asked" in question for question in own)


def sources_of(own: list[Row], codebook: Row, columns: dict[str, Array]) -> list[Source]:
    """Return the forms with reports about two of the questions, or with lists for one question."""
    made, pairs = [], set[frozenset[str]]()
    for form in range(len(codebook["forms"])):
        asks = [q for q in own if (forms := forms_of(q)) is None or form in forms]
        there = [in_form(question, codebook, form) for question in asks]
        reports = of_forms(columns, codebook, [form])
        if not len(reports[codebook["form_column"]]):
            continue
        pairs |= {frozenset((one["key"], other["key"])) for one, other in combinations(there, 2)}
        if len(there) > 1:
            made.append(Source(there, reports))
        made += [
            Source([q], reports) for q in there if len(there) == 1 and q["draw"]["mechanism"] == "randomized_response"
        ]
    every = [(one["key"], other["key"]) for one, other in combinations(own, 2)]
    if missing := [" and ".join(pair) for pair in every if frozenset(pair) not in pairs]:
        sys.exit(f"no one was asked both: {', '.join(missing)}")
    return made


def fit_pairs(model: Row, pairs: Pairs) -> Fit:
    """Return the model from the forms' reports about two questions each."""
    columns, products, p = pairs.columns, pairs.products, len(pairs.columns) - 1
    inverse = np.linalg.inv(products[:-1, :-1])
    slopes = inverse @ products[:-1, -1]
    linear, each = np.zeros((p, p + 1, p + 1)), np.arange(p)
    linear[each, each, -1], linear[each, each, :-1] = 1.0, -slopes
    turn = np.eye(p)
    turn[0, 1:] = [-column.middle for column in columns[1:-1]]
    b, moves = turn @ slopes, np.tensordot(turn @ inverse, linear, 1)
    b[0] += columns[-1].middle
    covariance = pairs.covariance(moves)

    def contrast(weight: Array) -> Combination:
        return Combination(float(weight @ b), float(np.sqrt(max(weight @ covariance @ weight, 0))), [])

    def effect(published: Row) -> Curve:
        own = [place for place, column in enumerate(columns[:-1]) if column.key == published["key"]]
        apart, reference = np.zeros(p), published["reference"]
        levels = np.array([columns[place].values for place in own])
        apart[own] = levels[:, published["option"]] - (products[0, own] if reference is None else levels[:, reference])
        moved = np.tensordot(apart, moves, 1)
        estimate = apart @ b
        if reference is None:
            moved[0, -1] += 1
            moved[0, own] -= b[own]
            estimate += columns[-1].middle + products[0, -1]
        error = np.sqrt(max(pairs.covariance(moved[None])[0, 0], 0))
        return Curve(float(estimate), np.array([error]), np.zeros(1), None, False, [])

    return Fit(b, np.sqrt(np.diag(covariance)), pairs.n, contrast, effect, None)


def differences(fitted: Fit, document: Row) -> tuple[float, float]:
    """Return the largest difference of a number, and of a limit by the profile likelihood, in standard errors."""
    levels = document["confidences"]
    numbers = [0.0]
    alone = [fitted.contrast(weight) for weight in np.eye(len(fitted.b))]
    for own, row in zip(alone, document["coefficients"], strict=True):
        again, published = [own.value, own.error], [row["estimate"], row["standard_error"]]
        for level, ends in zip(levels, row["intervals"], strict=True):
            again, published = again + own.ends(level), published + ends
        numbers += [apart(*each) / own.error for each in zip(again, published, strict=True)]
    for row in [*document["predicted"], *document["marginal"]]:
        curve = fitted.effect(row)
        again, published = [curve.estimate, curve.error], [row["estimate"], row["standard_error"]]
        if document["format"] >= 3:
            together = [1 - (1 - level) / len(document["marginal"]) for level in levels if "simultaneous" in row]
            ends = [*row["intervals"], *row.get("simultaneous", [])]
            for level, own in zip([*levels, *together], ends, strict=True):
                again, published = again + curve.ends(level), published + own
        numbers += [abs(one - other) / row["standard_error"] for one, other in zip(again, published, strict=True)]
    if not any(row["profile"] for row in document["coefficients"]):
        return max(numbers), 0.0
    assert fitted.likelihood is not None
    likelihood = fitted.likelihood()
    limits = [0.0]
    for j, row in enumerate(document["coefficients"]):
        for level, ends in zip(levels, row["profile"], strict=True):
            wider = alone[j].widening(NormalDist().inv_cdf((1 + level) / 2))
            for end, sign, more in zip(ends, (-1, 1), wider, strict=True):
                if more < np.inf:
                    nearer = None if end is None else end - sign * more * alone[j].error
                    limits.append(likelihood.difference(j, nearer, sign, level))
                else:
                    limits.append(0.0 if end is None else np.inf)
    return max(numbers), max(limits)


def apart(again: float, published: float | None) -> float:
    """Return the difference from a published number. A published None matches an infinite limit."""
    if published is None:
        return 0.0 if math.isinf(again) else math.inf
    return abs(again - published)


def main() -> None:
    if len(sys.argv) < 4:
        sys.exit("python models.py microdata.csv codebook.json regression.json ...")
    columns, codebook = read(sys.argv[1]), read_json(sys.argv[2])
    agree = [compare(read_json(path), codebook, columns) for path in sys.argv[3:]]
    sys.exit(int(not all(agree)))


def read_json(path: str) -> Row:
    with open(path, encoding="utf-8-sig") as file:
        read: Row = json.load(file)
    return read


def compare(document: Row, codebook: Row, columns: dict[str, Array]) -> bool:
    """Return whether the published numbers are reproduced, or the reports needed for a model from pairs."""
    model, own = document["model"], questions_of(codebook, keys_of(document["model"]))
    pairs = None
    if is_by_pairs(model, own, codebook):
        pairs = Pairs(columns_of(model, own), sources_of(own, codebook, columns))
        if needed := pairs.needed():
            print(f"{pairs.n} reports are too few for this model: about {needed} would be enough")
            return bool(document["refusal"] == {"reason": "too few", "needed": needed})
    fitted = fit(model, codebook, columns) if pairs is None else fit_pairs(model, pairs)
    difference, limits = differences(fitted, document)
    profile = f"; of a limit by the profile likelihood {limits:.2g}" if limits else ""
    print(
        f"{len(fitted.b)} coefficients and {len(document['predicted'] + document['marginal'])} shares and effects from "
        f"{fitted.n} reports; the largest difference is {difference:.2g} standard errors{profile}."
    )
    return difference <= AGREE and limits <= LIMITS_AGREE


if __name__ == "__main__":
    main()
