"""The squared error of the mean of numbers that are uniform between 0 and 1, for three models of trust (M8, M24)."""

from django.utils.translation import gettext as _

from ldp import bounds
from ldp.central import laplace
from ldp.central.bounds import Errors
from surveys.figures import numerals
from surveys.public.lab.curves import grids
from surveys.public.lab.curves.charts import Axis, Lines
from surveys.public.lab.curves.numbers import N_MAX, Numbers
from surveys.public.lab.curves.three_ways import MODELS, names

SPREAD = 1 / 12
"""The variance of numbers that are spread evenly over 0..1."""


def squared_errors(n: int, alpha: float) -> Errors:
    """Return the squared errors of sampling, with Laplace noise of scale 1/(n alpha), and with one local bit per
    person.

    A bit is 1 with a chance between 1 - p and p that increases with the number. At the mean 1/2 the chance is 1/2,
    whatever the spread, so the variance is 1/(4 (p-q)^2 n).
    """
    return Errors(SPREAD / n, laplace.variance(SPREAD, n, alpha), 1 / (4 * bounds.gap_squared(alpha) * n))


def by_people(numbers: Numbers) -> Lines:
    xs = grids.integers(10, N_MAX, 40)
    axis = Axis(_("People, n"), log=True)
    return _lines(axis, xs, [squared_errors(n, numbers.alpha) for n in xs], numbers, numbers.n, _("the chosen n"))


def by_alpha(numbers: Numbers) -> Lines:
    xs = grids.powers(0.05, 16, 40)
    axis, errors = Axis(_("Privacy, alpha"), log=True), [squared_errors(numbers.n, alpha) for alpha in xs]
    return _lines(axis, xs, errors, numbers, numbers.alpha, _("the chosen alpha"))


def _lines(x: Axis, xs: tuple[float, ...], errors: list[Errors], numbers: Numbers, mark: float, label: str) -> Lines:
    columns = zip(*errors, strict=True)
    series = tuple(
        grids.column(names()[model], model, xs, column) for model, column in zip(MODELS, columns, strict=True)
    )
    return Lines(x, Axis(_("Mean squared error"), log=True), series, says(numbers), mark, label)


def says(numbers: Numbers) -> str:
    shown = [numerals.small(error) for error in squared_errors(numbers.n, numbers.alpha)]
    text = _(
        "Mean squared errors at the chosen numbers: %(none)s without privacy, %(curator)s with a curator, "
        "%(local)s locally."
    )
    return text % dict(zip(MODELS, shown, strict=True))
