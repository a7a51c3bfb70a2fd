"""The figures of the lab by name: title, numbers, and formulas."""

from collections.abc import Callable
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from surveys.public.lab.curves import claims, forms, limits, means, middles, noises, three_ways, together
from surveys.public.lab.curves.charts import Chart
from surveys.public.lab.curves.numbers import Numbers
from surveys.public.lab.markdown import anchor


class FormulaPlace(NamedTuple):
    """A formula's place in docs/mathematics.md: its number and its heading."""

    number: str
    heading: str

    @property
    def anchor(self) -> str:
        return anchor(self.heading)


class Figure(NamedTuple):
    """A figure of the lab. `uses` are the names of the numbers in its URL. `rows` is its number of intervals, 0 for a
    line chart."""

    title: Promise
    uses: tuple[str, ...]
    chart: Callable[[Numbers], Chart]
    formulas: tuple[FormulaPlace, ...]
    rows: int = 0


THREE_ROWS = FormulaPlace("M12, M15, M23", "Three rows")
MEAN = FormulaPlace("M8, M23, M24", "Three rows")
BEST = FormulaPlace("M23", "M23. How well anyone can do")
NOISE = FormulaPlace("M24", "M24. Laplace and Gaussian noise")
CHOOSING = FormulaPlace("M24", "Choosing")
QUANTILES = FormulaPlace("M24", "Several quantiles at once")
ONE_SHARE = FormulaPlace("M25", "M25. One share")
SHARED = FormulaPlace("M25", "Noise that respondents share")
ADDING = FormulaPlace("M11", "Adding up")
SHUFFLED = FormulaPlace("M11", "Shuffled reports")

FORMS = FormulaPlace("M35, M36b", "One alpha for a whole survey")

SHARE = ("n", "alpha", "d", "shares")
CLAIM = (*SHARE, "confidence", "null")
MIDDLE = ("n", "alpha", "confidence", "atom")

FIGURES = {
    "intervals": Figure(_("What would be known"), (*SHARE, "confidence"), three_ways.intervals, (THREE_ROWS,), 3),
    "people": Figure(_("More people"), SHARE, three_ways.by_people, (THREE_ROWS,)),
    "alphas": Figure(_("More or less privacy"), SHARE, three_ways.by_alpha, (THREE_ROWS,)),
    "mean-people": Figure(_("A mean: more people"), ("n", "alpha"), means.by_people, (MEAN,)),
    "mean-alphas": Figure(_("A mean: more or less privacy"), ("n", "alpha"), means.by_alpha, (MEAN,)),
    "power": Figure(_("How often a test finds out"), CLAIM, claims.powers, (ONE_SHARE,)),
    "size": Figure(_("How often a test is wrong"), CLAIM, claims.sizes, (ONE_SHARE,)),
    "coverage": Figure(_("How often an interval is right"), CLAIM, claims.coverage, (ONE_SHARE,)),
    "quartiles": Figure(_("Where three quartiles fall"), MIDDLE, middles.reaches, (QUANTILES,), 6),
    "atoms": Figure(_("Few or many equal answers"), ("n", "alpha", "atom"), middles.by_atom, (QUANTILES,)),
    "densities": Figure(_("Three kinds of noise"), ("alpha", "delta"), noises.densities, (NOISE,)),
    "deviations": Figure(_("Equal guarantee"), ("alpha", "delta"), noises.widths, (NOISE,)),
    "deltas": Figure(_("Equal variance"), ("alpha",), noises.slacks, (NOISE,)),
    "part": Figure(_("One respondent's part of the noise"), ("n", "alpha"), noises.one_share, (SHARED,)),
    "missing": Figure(_("If parts are missing"), ("n", "alpha"), noises.missing, (SHARED,)),
    "releases": Figure(_("Many releases"), ("alpha", "delta", "times"), together.totals, (ADDING,)),
    "readers": Figure(_("Shuffled reports"), ("n", "alpha", "delta"), together.readers, (SHUFFLED,)),
    "forms-alphas": Figure(_("One alpha, many questions"), ("alpha", "questions"), forms.by_alpha, (FORMS,)),
    "forms-questions": Figure(_("More questions"), ("alpha", "questions"), forms.by_questions, (FORMS,)),
    "two-points": Figure(_("Distinguishing two shares"), ("n", "alpha"), limits.two_points, (BEST,)),
    "one-share": Figure(_("One share, and its limits"), ("n", "alpha"), limits.one_share, (BEST,)),
    "majority": Figure(_("The majority"), ("alpha",), limits.majority, (CHOOSING,)),
    "histogram": Figure(_("A whole question"), ("n", "alpha", "d"), limits.histograms, (BEST,)),
}
