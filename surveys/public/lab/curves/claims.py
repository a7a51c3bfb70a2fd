"""Tests of "at most this share", and intervals, for a share that a curator released (M25)."""

from collections.abc import Callable
from typing import NamedTuple

from django.utils.translation import gettext as _

from ldp.central import proportion, trust
from surveys.figures import numerals
from surveys.public.lab.curves import grids
from surveys.public.lab.curves.charts import Axis, Lines, Role, Series
from surveys.public.lab.curves.numbers import Numbers

_POINTS = 41


class TestMethod(NamedTuple):
    """`chance(numbers, share, level)` returns how often the claim is refused at a share."""

    label: str
    role: Role
    chance: Callable[[Numbers, float, float], float]


def methods() -> tuple[TestMethod, ...]:
    return (
        TestMethod(_("without privacy"), "none", _plain),
        TestMethod(_("curator, most powerful"), "curator", _curator(proportion.most_powerful)),
        TestMethod(_("curator, normal"), "fourth", _curator(proportion.normal_power)),
        TestMethod(_("curator, fiducial"), "fifth", _curator(proportion.fiducial_power)),
        TestMethod(_("local"), "local", _local),
    )


def _plain(numbers: Numbers, share: float, level: float) -> float:
    return proportion.most_powerful(numbers.n, numbers.null, share, None, level)


def _curator(of: Callable[..., float]) -> Callable[[Numbers, float, float], float]:
    def chance(numbers: Numbers, share: float, level: float) -> float:
        return float(of(numbers.n, numbers.null, share, trust.alpha_of_each(numbers.alpha, numbers.d), level))

    return chance


def _local(numbers: Numbers, share: float, level: float) -> float:
    """Return how often the binomial test of the count of supports refuses."""
    law = trust.local_law(numbers.alpha, numbers.d)
    null, true = (float(law.b) + float(law.gap) * s for s in (numbers.null, share))
    return proportion.most_powerful(numbers.n, null, true, None, level)


def powers(numbers: Numbers) -> Lines:
    """Return how often the claim is refused against the true share, also for shares where the claim is true."""
    error = trust.standard_errors(numbers.n, numbers.alpha, numbers.d, numbers.null).local
    low, high = max(0.001, numbers.null - 1.5 * error), min(0.999, numbers.null + 5 * error)
    xs = grids.even(low, high, _POINTS)
    series = tuple(
        grids.column(m.label, m.role, xs, [m.chance(numbers, share, numbers.level) for share in xs]) for m in methods()
    )
    x, y = Axis(_("True share"), unit="%"), Axis(_("Chance that the claim is refused"), unit="%", low=0, high=1)
    at = numbers.share if low <= numbers.share <= high else None
    return Lines(x, y, series, says(numbers), at, _("the chosen share"))


def sizes(numbers: Numbers) -> Lines:
    """Return how often p is at most a level, divided by the level, at the claim's border. It is 1 for uniform p."""
    xs = grids.powers(0.001, 0.25, 15)
    curators = [m for m in methods() if m.role in ("curator", "fourth", "fifth")]
    series = tuple(
        grids.column(m.label, m.role, xs, [m.chance(numbers, numbers.null, level) / level for level in xs])
        for m in curators
    )
    promised = Series(_("as promised"), "none", (xs[0], xs[-1]), (1.0, 1.0), dashed=True)
    x, y = Axis(_("Level of the test"), log=True, unit="%"), Axis(_("Refusals, over as many as the level promises"))
    text = _("Where the claim is just true the most powerful test refuses exactly as often as its level says.")
    return Lines(
        x, y, (*series, promised), text, numbers.level if numbers.level <= 0.25 else None, _("the chosen level")
    )


def coverage(numbers: Numbers) -> Lines:
    """Return how often intervals contain the share, for shares up to one half. Above it is the mirror image."""
    xs, alpha = grids.powers(0.005, 0.5, 9), trust.alpha_of_each(numbers.alpha, numbers.d)
    n, confidence = numbers.n, numbers.confidence
    names: tuple[tuple[proportion.IntervalMethod, str, Role], ...] = (
        ("normal", _("normal"), "fourth"),
        ("fiducial", _("fiducial"), "fifth"),
        ("outer", _("fiducial, outer rules"), "local"),
    )
    series = tuple(
        grids.column(label, role, xs, [proportion.coverage(method, n, alpha, share, confidence) for share in xs])
        for method, label, role in names
    )
    promised = Series(_("most powerful: as promised"), "curator", (0.005, 0.5), (confidence,) * 2)
    low = min(y for one in series for y in one.y)
    text = _("The least coverage of these intervals at these shares is %(low)s; %(promised)s is promised.")
    sentence = text % {"low": numerals.percentage(numerals.share(low, 1)), "promised": numerals.percent(confidence)}
    y = Axis(_("Chance that the interval contains the share"), unit="%")
    return Lines(Axis(_("True share"), log=True, unit="%"), y, (promised, *series), sentence)


def says(numbers: Numbers) -> str:
    chances = [(m.label, numerals.share(m.chance(numbers, numbers.share, numbers.level), 1)) for m in methods()]
    texts = [f"{label} {numerals.percentage(chance)}" for label, chance in chances]
    return _("Refused at the chosen share: ") + "; ".join(texts) + "."
