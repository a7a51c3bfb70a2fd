"""A curator's noises at the same guarantee, and noise that respondents add together (M6, M24)."""

import math
from typing import NamedTuple

from django.utils.translation import gettext as _

from ldp.central import gaussian, laplace, offset, shared
from surveys.figures import numerals
from surveys.public.lab.curves import grids
from surveys.public.lab.curves.charts import Axis, Lines, Role, Series
from surveys.public.lab.curves.numbers import Numbers

# The ratio m/s of the published example of OSGT, D = 1, m = 3, s^2 = 40. It stays the same at other widths.
RATIO = 3 / math.sqrt(40)


class Noise(NamedTuple):
    """A noise. A draw is within `reach` with the reader's confidence."""

    name: str
    role: Role
    deviation: float
    reach: float
    alpha: float
    delta: float


def kinds(numbers: Numbers) -> tuple[Noise, ...]:
    """Return noises for a count: Laplace, which needs no delta, and two that use it, each as narrow as possible."""
    alpha, delta = numbers.alpha, numbers.delta
    s, (m, t), failure = gaussian.deviation(alpha, delta), offset.narrowest(alpha, delta), 1 - numbers.confidence
    laplaces = math.sqrt(laplace.noise_variance(1, alpha)), laplace.error_bound(1, alpha, failure)
    offsets = math.sqrt(offset.variance(m, t)), offset.error_bound(m, t, failure)
    return (
        Noise(_("Laplace"), "curator", *laplaces, alpha, 0.0),
        Noise(_("OSGT"), "fourth", *offsets, alpha, delta),
        Noise(_("Gaussian"), "fifth", s, gaussian.error_bound(s, failure), alpha, delta),
    )


def densities(numbers: Numbers) -> Lines:
    s, (m, t) = gaussian.deviation(numbers.alpha, numbers.delta), offset.narrowest(numbers.alpha, numbers.delta)
    scale = laplace.scale(1, numbers.alpha)
    far = 1.2 * max(3 * scale, 2 * s)
    xs = grids.even(-far, far, 161)
    series = (
        grids.curve(_("Laplace"), "curator", lambda y: math.exp(-abs(y) / scale) / (2 * scale), xs),
        grids.curve(_("OSGT"), "fourth", lambda y: offset.density(y, m, t), xs),
        grids.curve(_("Gaussian"), "fifth", lambda y: offset.density(y, 0.0, s), xs),
    )
    return Lines(Axis(_("Noise that is added to a count")), Axis(_("Density"), low=0), series, says(numbers))


def widths(numbers: Numbers) -> Lines:
    """Return standard deviations against delta, at an equal guarantee."""
    xs, alpha = grids.powers(1e-12, 0.1, 34), numbers.alpha

    def osgt(delta: float) -> float:
        return math.sqrt(offset.variance(*offset.narrowest(alpha, delta)))

    wide = math.sqrt(laplace.noise_variance(1, alpha))
    series = (
        Series(_("Laplace: no delta needed"), "curator", (xs[0], xs[-1]), (wide, wide)),
        grids.curve(_("OSGT"), "fourth", osgt, xs),
        grids.curve(_("Gaussian"), "fifth", lambda delta: gaussian.deviation(alpha, delta), xs),
    )
    y = Axis(_("Standard deviation of the noise"), log=True)
    return Lines(Axis(_("Slack, delta"), log=True), y, series, says(numbers), numbers.delta, _("the chosen delta"))


def slacks(numbers: Numbers) -> Lines:
    """Return delta against alpha for noise with the variance of Laplace noise at the reader's alpha."""
    s = math.sqrt(laplace.noise_variance(1, numbers.alpha))
    t = s / math.sqrt(offset.variance(RATIO, 1))
    xs = grids.powers(numbers.alpha / 20, numbers.alpha * 4, 60)
    series = (
        grids.curve(_("Laplace"), "curator", lambda a: laplace.delta(a, numbers.alpha), xs, 1e-14),
        grids.curve(_("OSGT"), "fourth", lambda a: offset.delta(a, RATIO * t, t), xs, 1e-14),
        grids.curve(_("Gaussian"), "fifth", lambda a: gaussian.delta(a, s), xs, 1e-14),
    )
    text = _("At the chosen alpha Laplace noise needs no delta; Gaussian noise of the same variance has %(gaussian)s.")
    sentence = text % {"gaussian": numerals.small(gaussian.delta(numbers.alpha, s))}
    y = Axis(_("Delta that is needed"), log=True)
    return Lines(Axis(_("Alpha"), log=True), y, series, sentence, numbers.alpha, _("the chosen alpha"))


def says(numbers: Numbers) -> str:
    deviations = [f"{noise.name} {numerals.small(noise.deviation)}" for noise in kinds(numbers)]
    return _("Standard deviations at the chosen alpha and delta: ") + "; ".join(deviations) + "."


# Noise that respondents share -----------------------------------------------------------------------------------------


def one_share(numbers: Numbers) -> Lines:
    """Return how often one respondent's part exceeds a size, and how often the sum of all parts does."""
    n, scale = max(numbers.n, 1), laplace.scale(1, numbers.alpha)
    xs = grids.powers(scale / 1000, scale * 11, 34)
    series = (
        grids.curve(_("one respondent's part"), "local", lambda x: shared.beyond(x, 1 / n, scale), xs),
        grids.curve(_("the sum of all"), "curator", lambda x: math.exp(-x / scale), xs),
    )
    text = _("Beyond a hundredth of the scale: one part in %(part)s of cases, the sum in %(sum)s.")
    chances = shared.beyond(scale / 100, 1 / n, scale), math.exp(-0.01)
    part, whole = (numerals.percentage(numerals.share(chance, 2)) for chance in chances)
    sentence = text % {"part": part, "sum": whole}
    x, y = Axis(_("Size of the noise"), log=True), Axis(_("Chance of more"), log=True, unit="%", low=1e-5, high=1)
    return Lines(x, y, series, sentence)


def missing(numbers: Numbers) -> Lines:
    """Return the delta at alpha if only some respondents add their parts."""
    n = max(numbers.n, 2)
    present = sorted({min(n - 1, max(1, round(n * part))) for part in (*grids.even(0.02, 0.98, 40), 0.99, 0.999)})
    points = [(k / n, shared.missing_delta(k, n, numbers.alpha)) for k in present]
    series = Series(_("delta at the chosen alpha"), "curator", *map(tuple, zip(*points, strict=True)))  # type: ignore[arg-type]
    text = _("With half of the parts missing delta is %(half)s.")
    half = shared.missing_delta(max(1, n // 2), n, numbers.alpha)
    x = Axis(_("People whose part is there"), unit="%", low=0, high=1)
    return Lines(x, Axis(_("Delta"), low=0), (series,), text % {"half": numerals.small(half)})


def share_moments(numbers: Numbers) -> shared.Moments:
    return shared.moments(numbers.n, laplace.scale(1, numbers.alpha))
