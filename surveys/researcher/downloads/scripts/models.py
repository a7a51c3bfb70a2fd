"""A release's published model again, from its reports. Needs numpy alone.

    python models.py microdata.csv codebook.json regression.json ...

compares coefficients, predicted shares and marginal effects, each with its standard error and its intervals, with the
published ones, and limits by the profile likelihood, of one model or several. Linear, logistic, multinomial and ordered
models of whole questions; the formulas are those of docs/mathematics.md, M40.
"""

import csv
import gzip
import io
import json
import math
import sys
from collections.abc import Callable
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np

R = 2.0**53
AGREE = 1e-8  # of a standard error
LIMITS_AGREE = 1e-6  # likewise, limits by the profile likelihood
AT_ONCE = 20_000  # reports
SURE = 3.0  # standard errors: of an answer's share in a group, below which no model is published
ANY, CLEAR = 10.0, 9.0  # standard errors that are any number of them, and that are far enough from a border
LEFT = 0.01  # of a share, of which as good as nothing is left
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
    if "rows" in question["table"]:
        ends = [np.diff([0, *row, R]) / R for row in question["table"]["rows"]]
        return np.linalg.inv(np.array(ends))[columns[question["key"]].astype(int)]
    method = question["estimation"]["methods"][0]
    return (listed(question, columns) - method["b"]) / (method["a"] - method["b"])


def together(own: list[Row], columns: dict[str, Array]) -> Array:
    """Scores of the tuples of questions that one draw randomized, likewise."""
    kept, weights = own[0]["table"]["keep"] / R, np.ones((1, 1))
    for question in own:
        d, [size] = len(question["options"]), question["table"]["sizes"]
        weight = (listed(question, columns) - size / d) * (d - 1) / (d - size) + 1 / d
        weights = (weights[:, :, None] * weight[:, None]).reshape(len(weight), -1)
    return (weights - (1 - kept) / weights.shape[1]) / kept


def listed(question: Row, columns: dict[str, Array]) -> Array:
    """Whether each option is listed, (n, d): in one column as a position, else each option in its own."""
    sent = np.stack([columns[column["name"]] for column in question["microdata"]["columns"]], axis=1)
    return sent == np.arange(len(question["options"])) if sent.shape[1] == 1 else sent >= 1


def draw_of(codebook: Row, key: str) -> int:
    """The number of the draw that randomizes a question."""
    draws = [*codebook["draws"], *(draw for form in codebook.get("forms", []) for draw in form["draws"])]
    return next(number for number, draw in enumerate(draws) if key in draw["questions"])


def factors(own: list[Row], codebook: Row, columns: dict[str, Array]) -> list[tuple[list[int], Array]]:
    """The places of each draw's questions, and its scores."""
    groups: dict[int, list[int]] = {}
    for place, question in enumerate(own):
        groups.setdefault(draw_of(codebook, question["key"]), []).append(place)
    parts = []
    for places in groups.values():
        members = [own[place] for place in places]
        parts.append((places, scores(members[0], columns) if len(places) == 1 else together(members, columns)))
    return parts


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


def groups(model: Row, options: Array, shares: Array, sizes: list[int]) -> Array:
    """Everybody, the products that are columns where each covariate's rarest answer is its reference, those with each
    answer, and with scores the distance from either end, (K, groups)."""
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

    def residuals(self, b: Array) -> Array:
        """The residual of each logit, and that of all together, (K, logits)."""
        each = self.at(b)[0][:, :: self.x.shape[1]]
        return np.column_stack([each, each.sum(axis=1)])

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

    def residuals(self, b: Array) -> Array:
        """How the log likelihood rises with the line, (K, 1)."""
        return self.at(b)[0][:, self.x.shape[1] :].sum(axis=1, keepdims=True)

    def means(self, x: Array, b: Array) -> Array:
        p = self.x.shape[1]
        curve = 0.5 * (1 + np.tanh(0.5 * (b[p:] - (x[:, 1:] @ b[:p])[:, None])))
        return np.diff(np.pad(curve, ((0, 0), (1, 1)), constant_values=(0, 1)), axis=1)


class Curve(NamedTuple):
    """A mean, and what independent standard normals z add to it: slope z + bend z^2 / 2. `contrast` is the one of
    coefficients with which it vanishes, in its standard errors; `shares` are the predicted shares that an effect
    is the difference of, with their standard errors, none of a mean score."""

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
    """A sum of coefficients with its standard error; how many errors above 0 the numbers are for which the model is
    published, and their correlations with the sum."""

    value: float
    error: float
    sure: list[tuple[float, float]]

    def widening(self, reach: float) -> tuple[float, float]:
        """How many errors beyond a normal interval its limits are, since noise may have pushed what is published."""
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
    """What is more than `reach` of a logit, as the logarithm of a share falls that is so many errors above 0."""
    most = off(max(border, 0.0), reach)
    if most >= min((1 - LEFT) * errors, ANY):
        return math.inf
    return -errors * math.log1p(-(most - reach) / (errors - reach))


def off(border: float, reach: float) -> float:
    """How many standard errors an estimate may be too large that would not be published if it were `border` smaller, by
    halving."""
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
    """The chance that a standard normal is above."""
    return math.erfc(x / math.sqrt(2)) / 2


def pushed(errors: float, reach: float) -> float:
    """How many standard errors more than `reach` an estimate that is so many above 0 may be too large, since it would
    not be published below SURE."""
    return max(min(off(errors - SURE, reach), errors) - reach, 0.0)


def most(slope: Array, bend: Array, reach: float) -> float:
    """The greatest slope z + bend z^2 / 2 where |z| <= reach, by halving where its dual's minimum must lie."""
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
    """That of a joint form's counts: the outcome's chances by a model, and any shares of the covariates' answers, whose
    logarithms follow the model's parameters."""

    def __init__(self, phi: Array, means: Callable[[Array], Array], outcome: Array, b: Array, errors: Array) -> None:
        self.counts = np.bincount(phi.argmax(axis=1), minlength=phi.shape[1])
        self.own = 1 / (phi.max() - phi.min())  # the chance that a tuple stays, less that of each other
        self.other, self.means, self.outcome = -phi.min() * self.own, means, outcome
        self.m, self.others = len(b), len(outcome) // means(b).shape[1]
        self.units = np.append(errors, np.ones(self.others))
        shares = phi.mean(axis=0).reshape(-1, self.others).sum(axis=0)
        self.best, self.most, _ = self.greatest(np.append(b, np.log(np.maximum(shares, 1e-3))), None)

    def at(self, t: Array) -> tuple[float, Array, Array]:
        """The logarithm, its slope and the information of the counts."""
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
        """Its place and greatest value from a start on, with parameter j as it is: by scoring. Shares that would fall
        below 0 fall by a part of themselves, and stay where they are next to nothing."""
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
        """How many standard errors a published limit is from where the likelihood is as much lower as it may be. Where
        there is no limit it must be no lower 20 standard errors away."""
        t, unit = self.best.copy(), self.units[j]
        t[j] = t[j] + sign * 20 * unit if limit is None else limit
        _, value, slope = self.greatest(t, j)
        above = value - self.most + NormalDist().inv_cdf((1 + level) / 2) ** 2 / 2
        if limit is None:
            return 0.0 if above > 0 else np.inf
        rising = -sign * slope[j] * unit
        return abs(above / rising) if sign * (limit - self.best[j]) > 0 and rising > 0 else np.inf


class Fit(NamedTuple):
    """What was found: coefficients, standard errors, the number of reports; sums of coefficients with these weights,
    what shares are made of, and the likelihood where one draw randomized everything."""

    b: Array
    errors: Array
    n: int
    contrast: Callable[[Array], Combination]
    effect: Callable[[Row], Curve]
    likelihood: Callable[[], Likelihood]


def derivative(means: Callable[[Array], Array], b: Array) -> Array:
    """The slope of each mean by each parameter, (K, J, m): exact, by a step that is imaginary."""
    steps = 1e-30j * np.eye(len(b))
    return np.stack([means(b + step).imag / 1e-30 for step in steps], axis=-1)


def normal_ways(covariance: Array) -> Array:
    """By these rows independent standard normals move the parameters."""
    scale = np.sqrt(np.diag(covariance))
    values, vectors = np.linalg.eigh(covariance / np.outer(scale, scale))
    return (scale[:, None] * vectors * np.sqrt(np.maximum(values, 0))).T


def second_order(slope: Callable[[Array], Array], b: Array, ways: Array) -> Array:
    """The second derivatives of each mean by those normals, (J, m, m)."""
    changes = [(slope(b + STEP * way) - slope(b - STEP * way)) @ ways.T / (2 * STEP) for way in ways]
    second = np.stack(changes, axis=1)
    return (second + second.transpose(0, 2, 1)) / 2


def fit(model: Row, codebook: Row, columns: dict[str, Array]) -> Fit:
    """The model of a release's reports."""
    keys = [model["outcome"], *(covariate["key"] for covariate in model["covariates"])]
    own = [next(question for question in codebook["questions"] if question["key"] == key) for key in keys]
    for question in own:
        question.setdefault("options", ["low", "high"])  # of a mean: the ends that its numbers were rounded to
    if any("asked" in question for question in own):
        sys.exit("several forms ask one of these questions: that is not computed again here")
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
        """A predicted share, or a marginal effect against the option `reference`."""
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


def differences(fitted: Fit, document: Row) -> tuple[float, float]:
    """The largest one of a published number, and of a limit by the profile likelihood, in standard errors."""
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
    """The difference of a number and a published one, or of a limit that is none."""
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
    """Whether the published numbers are found again."""
    fitted = fit(document["model"], codebook, columns)
    difference, limits = differences(fitted, document)
    profile = f"; of a limit by the profile likelihood {limits:.2g}" if limits else ""
    print(
        f"{len(fitted.b)} coefficients and {len(document['predicted'] + document['marginal'])} shares and effects from "
        f"{fitted.n} reports; the largest difference is {difference:.2g} standard errors{profile}."
    )
    return difference <= AGREE and limits <= LIMITS_AGREE


if __name__ == "__main__":
    main()
