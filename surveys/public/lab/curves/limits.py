"""The limits of any method: for two shares, one share, the majority, and a whole question (M19 to M21, M23)."""

import math

from django.utils.translation import gettext as _

from ldp import bounds as everywhere
from ldp.central import bounds, exponential, laplace
from surveys.figures import numerals
from surveys.public.lab.curves import grids
from surveys.public.lab.curves.charts import Axis, Lines, Series
from surveys.public.lab.curves.numbers import D_MAX, N_MAX, Numbers
from surveys.public.lab.curves.three_ways import MODELS, names


def two_points(numbers: Numbers) -> Lines:
    """Return Le Cam's bound against the distance of two shares."""
    n, alpha = numbers.n, numbers.alpha
    best = max(1 / math.sqrt(n), 1 / (n * alpha))
    xs = grids.powers(min(1.0, best) / 30, 1.0, 60)
    series = (
        grids.curve(names()["none"], "none", lambda t: bounds.two_points(t, n), xs, 1e-12),
        grids.curve(names()["curator"], "curator", lambda t: bounds.two_points(t, n, alpha), xs, 1e-12),
    )
    text = _(
        "No estimate's worst expected error is below %(none)s points without privacy, or %(curator)s for a "
        "curator who keeps alpha."
    )
    errors = {"none": bounds.le_cam(n), "curator": bounds.private_le_cam(n, alpha)}
    sentence = text % {name: numerals.small(100 * value) for name, value in errors.items()}
    y = Axis(_("Least worst error that follows"))
    return Lines(Axis(_("Distance of the two shares"), log=True), y, series, sentence)


def one_share(numbers: Numbers) -> Lines:
    """Return root mean squared errors at a share of one half, and the lower limit for any estimate."""
    xs, alpha = grids.integers(10, N_MAX, 34), numbers.alpha
    gap = everywhere.gap_squared(alpha)
    series = (
        grids.curve(names()["none"], "none", lambda n: 0.5 / math.sqrt(n), xs),
        grids.curve(
            names()["curator"],
            "curator",
            lambda n: math.sqrt(laplace.variance(0.25, int(n), alpha)),
            xs,
        ),
        grids.curve(names()["local"], "local", lambda n: 1 / (2 * math.sqrt(n * gap)), xs),
        grids.curve(_("bound, none"), "none", lambda n: bounds.le_cam(int(n)), xs, dashed=True),
        grids.curve(
            _("bound, curator"),
            "curator",
            lambda n: bounds.private_le_cam(int(n), alpha),
            xs,
            dashed=True,
        ),
        grids.curve(
            _("bound, local"),
            "local",
            lambda n: math.sqrt(everywhere.share_bound(alpha, int(n))),
            xs,
            dashed=True,
        ),
    )
    text = _("Locally the error is %(ratio)s times its bound at the chosen n.")
    ratio = 1 / (2 * math.sqrt(numbers.n * gap)) / math.sqrt(everywhere.share_bound(alpha, numbers.n))
    sentence = text % {"ratio": numerals.number(ratio, 2)}
    x, y = Axis(_("People, n"), log=True), Axis(_("Error of the share"), log=True)
    return Lines(x, y, series, sentence, numbers.n, _("the chosen n"))


def majority(numbers: Numbers) -> Lines:
    """Return how often "more than half said yes" is decided wrongly, against the size of the majority."""
    far = max(6, min(400, round(12 / numbers.alpha)))
    xs = range(1, far + 1)
    series = (
        grids.curve(_("exponential mechanism"), "fourth", lambda m: exponential_error(int(m), numbers.alpha), xs),
        grids.curve(
            _("inverse sensitivity"),
            "curator",
            lambda m: exponential.majority_error(int(m), numbers.alpha),
            xs,
        ),
        grids.curve(
            _("no one does better"),
            "none",
            lambda m: exponential.majority_bound(int(m), numbers.alpha),
            xs,
            dashed=True,
        ),
    )
    text = _(
        "Three votes from the other side: %(exponential)s by the exponential mechanism, %(inverse)s by inverse "
        "sensitivity, and never less than %(bound)s."
    )
    errors = (exponential_error(3, numbers.alpha), exponential.majority_error(3, numbers.alpha))
    errors += (exponential.majority_bound(3, numbers.alpha),)  # type: ignore[assignment]
    shown = (numerals.percentage(numerals.share(chance, 2)) for chance in errors)
    sentence = text % dict(zip(("exponential", "inverse", "bound"), shown, strict=True))
    x = Axis(_("Votes that must change before the other side is right"))
    return Lines(x, Axis(_("Chance of the wrong side"), log=True), series, sentence)


def exponential_error(margin: int, alpha: float) -> float:
    """Return the error for an odd number of votes, where both sides are symmetric."""
    n = 2 * margin - 1
    return 1 - exponential.majority(n, n, alpha)


def histograms(numbers: Numbers) -> Lines:
    """Return the squared error of all shares together against the number of options, with the local rates. All shares
    are equal."""
    xs, n, alpha = grids.integers(2, D_MAX, 30), numbers.n, numbers.alpha
    squared = [bounds.squared_errors(n, alpha, d) for d in xs]
    rates = [bounds.squared_rates(n, alpha, d).local for d in xs]
    columns = zip(*squared, strict=True)
    whole = tuple(map(float, xs))
    series = [grids.column(names()[m], m, xs, column) for m, column in zip(MODELS, columns, strict=True)]
    if alpha <= 1:
        series.append(Series(_("local rates, low and high"), "fourth", whole, tuple(r.low for r in rates), dashed=True))
        series.append(Series("", "fourth", whole, tuple(r.high for r in rates), dashed=True))
    errors = bounds.squared_errors(n, alpha, numbers.d)
    text = _(
        "With the chosen number of options: %(none)s without privacy, %(curator)s with a curator, %(local)s locally."
    )
    sentence = text % dict(zip(MODELS, map(numerals.small, errors), strict=True))
    x, y = Axis(_("Options, d"), log=True), Axis(_("Squared error of all shares"), log=True)
    return Lines(x, y, tuple(series), sentence, numbers.d, _("the chosen d"))


def question_errors(numbers: Numbers) -> tuple[bounds.Errors, bounds.Errors]:
    """Return squared errors of the whole question at the reader's shares, and absolute errors at equal shares."""
    n, alpha, d = numbers.n, numbers.alpha, numbers.d
    return bounds.squared_errors(n, alpha, d, numbers.shares), bounds.absolute_errors(n, alpha, d)
