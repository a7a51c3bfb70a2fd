"""The sum of guarantees, and the gain of shuffling against readers of releases (M11)."""

from django.utils.translation import gettext as _

from ldp.central import composition, shuffled
from surveys.figures import numerals
from surveys.public.lab.curves import grids
from surveys.public.lab.curves.charts import Axis, Lines, Role, Series
from surveys.public.lab.curves.numbers import N_MAX, TIMES_MAX, Numbers

GROUPS = (1, 2, 3, 5, 10)


def ways() -> tuple[tuple[str, Role], ...]:
    """Return the ways of adding, in the order of composition.Totals."""
    names = _("basic: the sum"), _("advanced"), _("by Renyi divergence"), _("optimal")
    roles: tuple[Role, ...] = ("none", "fourth", "fifth", "curator")
    return tuple(zip(names, roles, strict=True))


def totals(numbers: Numbers) -> Lines:
    """Return the total alpha of k releases, each with the reader's alpha."""
    xs = grids.integers(1, TIMES_MAX, 34)
    alphas = [composition.totals(numbers.alpha, k, numbers.delta) for k in xs]
    series = tuple(
        grids.column(name, role, xs, column)
        for (name, role), column in zip(ways(), zip(*alphas, strict=True), strict=True)
    )
    y = Axis(_("Alpha of all together"), log=True)
    return Lines(Axis(_("Releases, k"), log=True), y, series, says(numbers), numbers.times, _("the chosen k"))


def says(numbers: Numbers) -> str:
    alphas = composition.totals(numbers.alpha, numbers.times, numbers.delta)
    shown = "; ".join(f"{name} {numerals.small(value)}" for (name, _role), value in zip(ways(), alphas, strict=True))
    return _("Together: ") + shown + "."


def readers(numbers: Numbers) -> Lines:
    """Return the alpha against a reader of shuffled reports. Against the server it stays the report's."""
    xs, alpha, delta = grids.integers(10, N_MAX, 11), numbers.alpha, numbers.delta
    own = Series(_("the server: a report's own alpha"), "local", (float(xs[0]), float(xs[-1])), (alpha, alpha))
    series = (
        own,
        grids.curve(_("readers"), "curator", lambda n: shuffled.guarantee(alpha, int(n), delta), xs),
        grids.curve(
            _("readers, closed form"),
            "fourth",
            lambda n: shuffled.closed_form(alpha, int(n), delta),
            xs,
            dashed=True,
        ),
    )
    text = _("At the chosen n readers face alpha %(readers)s, up to delta; the server faces %(own)s.")
    sentence = text % {"readers": numerals.small(for_readers(numbers)), "own": numerals.small(alpha)}
    y = Axis(_("Alpha"), log=True)
    return Lines(Axis(_("People, n"), log=True), y, series, sentence, numbers.n, _("the chosen n"))


def for_readers(numbers: Numbers) -> float:
    return shuffled.guarantee(numbers.alpha, numbers.n, numbers.delta)
