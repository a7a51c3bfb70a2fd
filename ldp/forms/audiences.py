"""The most that readers of published results can learn if they see no report arrive (M49).

Two releases can be subtracted, so a report is hidden only among the reports of its form that its release added. Reports
of other forms do not hide it there, because the form decides which release counts a report. If a survey publishes once,
at its end, all reports hide a report while no one knows the person's form; otherwise its form's reports do. Others know
a person's group, so only the group's reports hide an invited person's report.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Literal, NamedTuple

from ldp.forms import lot, report
from ldp.forms.definition import forms, groups, questionnaire, weights
from ldp.forms.schema import Definition

DELTA = Fraction(1, 10**6)
# A bound above this part of alpha is not worth a sentence.
WORTH = 0.95


class Readers(NamedTuple):
    """The bound for one of n reports of this alpha: epsilon, up to the chance delta."""

    alpha: Fraction
    n: int
    epsilon: float
    delta: Fraction

    @property
    def less(self) -> bool:
        """Return whether epsilon is worth a sentence beside alpha."""
        return self.epsilon <= WORTH * self.alpha


class Audiences(NamedTuple):
    """The bound at the smallest step between releases. `among` names the reports that hide a report: the survey's, the
    form's or the group's. `together` is the bound among the reports of all forms, for a survey with forms that
    publishes once; otherwise None."""

    once: bool
    among: Literal["survey", "form", "group"]
    step: Readers
    together: Readers | None = None


class Reports(NamedTuple):
    """The alpha and share of each form's or group's reports. `pure`: alpha bounds every report without a delta."""

    totals: Sequence[Fraction]
    shares: Sequence[Fraction]
    among: Literal["survey", "form", "group"]
    pure: bool

    @classmethod
    def of(cls, definition: Definition) -> "Reports":
        whole, pure = questionnaire(definition), not any("delta" in each for each in report.alone(definition))
        if "forms" in definition:
            totals, among = [whole.total(form) for form in range(len(whole.forms))], "form"
        else:
            totals = [whole.alpha] * len(forms(definition))
            among = "group" if groups(definition) else "survey"
        return cls(totals, lot.chances(weights(definition)), among, pure)  # type: ignore[arg-type]


def chance(n: int) -> Fraction:
    """Return the delta for n reports: a millionth, at most a tenth of 1/n."""
    return min(DELTA, Fraction(1, 10 * n))


def readers(alpha: Fraction, n: int, pure: bool = True) -> Readers:
    """Return the bound for n reports of this alpha; alpha itself unless they are `pure`, as the theorem demands."""
    from ldp.central.shuffled import guarantee  # scipy takes a while to load

    return Readers(alpha, n, guarantee(float(alpha), n, float(chance(n))) if pure else float(alpha), chance(n))


def audiences(reports: Reports, numbers: Sequence[Sequence[int]], once: bool) -> Audiences | None:
    """Return the bounds of releases with these numbers of reports, shape (releases, forms or groups); None if nothing
    is published."""
    steps = [_steps(column) for column in zip(*numbers, strict=True)]
    if not any(steps):
        return None
    pairs = zip(reports.totals, steps, strict=True)
    readings = [readers(total, min(each), reports.pure) for total, each in pairs if each]
    worst = max(readings, key=lambda each: each.epsilon)
    together = once and reports.among == "form"
    every = readers(max(reports.totals), sum(map(sum, steps)), reports.pure) if together else None
    return Audiences(once, reports.among, worst, every)


def planned(reports: Reports, people: int, batch: int, least: int, once: bool) -> Audiences | None:
    """Return the planned bounds for this many people; None if nothing would be published. Two releases differ by at
    least `batch` reports of a form. A form is published from `least` reports on."""
    expected = [math.floor(people * share) for share in reports.shares]
    several = batch + max(batch, least)
    steps = [0 if n < least else batch if n >= several and not once else n for n in expected]
    return audiences(reports, [steps], once)


def _steps(numbers: Sequence[int]) -> list[int]:
    """Return how many reports of a form each release added, leaving out zeros."""
    return [after - before for before, after in zip((0, *numbers), numbers, strict=False) if after > before]
