"""One share under three models of trust (M12, M23, M25)."""

from functools import lru_cache
from typing import cast

from django.utils.translation import gettext as _

from ldp.central import trust
from ldp.central.bounds import Errors
from surveys.figures import numerals
from surveys.public.lab.curves import grids
from surveys.public.lab.curves.charts import Axis, IntervalSpans, Lines, Role, Span
from surveys.public.lab.curves.numbers import N_MAX, Numbers

MODELS: tuple[Role, ...] = ("none", "curator", "local")
_POINTS = 40


@lru_cache(maxsize=128)
def rows(numbers: Numbers) -> tuple[trust.TrustInterval, ...]:
    """Return the intervals without privacy, with a curator by three methods, and with a local survey."""
    return tuple(trust.rows(numbers.n, numbers.alpha, numbers.d, numbers.share, numbers.confidence))


def names() -> dict[str, str]:
    return {"none": _("Without privacy"), "curator": _("Trusted curator"), "local": _("Local: this system")}


def intervals(numbers: Numbers) -> IntervalSpans:
    shown = [row for row in rows(numbers) if row.method in ("exact", "most powerful")]
    spans = tuple(Span(names()[row.trust], cast(Role, row.trust), *row.interval, numbers.share) for row in shown)
    text = "; ".join(f"{span.label}: {numerals.percentage(numerals.span((span.low, span.high), 1))}" for span in spans)
    share = numerals.tick(round(100 * numbers.share, 2))
    truth = _("the true share, %(share)s%%") % {"share": share}
    return IntervalSpans(Axis(_("Share of the population"), unit="%"), spans, text, numbers.share, truth)


def by_people(numbers: Numbers) -> Lines:
    """Return standard errors against n."""
    xs = grids.integers(10, N_MAX, _POINTS)
    errors = [trust.standard_errors(n, numbers.alpha, numbers.d, numbers.share) for n in xs]
    return _errors(errors, xs, Axis(_("People, n"), log=True), numbers.n, _("the chosen n"), numbers)


def by_alpha(numbers: Numbers) -> Lines:
    """Return standard errors against alpha."""
    xs = grids.powers(0.05, 16, _POINTS)
    errors = [trust.standard_errors(numbers.n, alpha, numbers.d, numbers.share) for alpha in xs]
    return _errors(errors, xs, Axis(_("Privacy, alpha"), log=True), numbers.alpha, _("the chosen alpha"), numbers)


def _errors(errors: list[Errors], xs: tuple[float, ...], x: Axis, mark: float, label: str, numbers: Numbers) -> Lines:
    axis = Axis(_("Standard error, in percentage points"), log=True)
    columns = zip(*errors, strict=True)
    series = tuple(
        grids.column(names()[model], model, xs, [100 * error for error in column])
        for model, column in zip(MODELS, columns, strict=True)
    )
    return Lines(x, axis, series, says(numbers), mark, label)


def says(numbers: Numbers) -> str:
    errors = trust.standard_errors(numbers.n, numbers.alpha, numbers.d, numbers.share)
    shown = [numerals.number(100 * error, numerals.places(100 * error)) for error in errors]
    text = _(
        "Standard errors at the chosen numbers: %(none)s points without privacy, %(curator)s with a curator, "
        "%(local)s locally."
    )
    return text % dict(zip(MODELS, shown, strict=True))
