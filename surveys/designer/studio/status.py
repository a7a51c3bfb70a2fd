"""Status of an open survey. Only releases reveal anything about its reports (P11). Between releases only the worker's
state and failures change here, which /status and /metrics show as well."""

from collections.abc import Iterable
from datetime import date, timedelta
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from ldp.question import Question
from surveys.figures import numerals
from surveys.figures.targets import usual_target
from surveys.models import Release, Survey, Tally
from surveys.models.release import first_release
from surveys.operation import heartbeat
from surveys.researcher.results import precision, response_cache
from surveys.respondent.invitations import book
from surveys.web.tabs import by_invitation

FAILING = 2  # tries; more failures are no accident
LONGEST = timedelta(days=3650)

WORKER = {
    "late": _(
        "The worker is not running. Reports are still stored, and will be counted when it is back. Inform the site’s "
        "operator."
    ),
    "behind": _(
        "The worker is behind: for more than five minutes, some work has always been overdue. Nothing is lost, "
        "but results come later than usual."
    ),
}


class Width(NamedTuple):
    """A question's half-width at the newest release. `needed` is the expected number of reports for its target."""

    text: str
    now: str
    reached: bool
    needed: str


def _half_width(width: float) -> str:
    """Return a half-width as text. Half of the scale covers all possible values, so larger ones show as "or more"."""
    if width < 1 / 2:
        return numerals.plus_minus(numerals.number(100 * width, 1))
    return str(_("±%(points)s or more") % {"points": numerals.number(50, 0)})


class Rate(NamedTuple):
    """Reports per day, from the releases. `until` returns the day of `needed` reports at this rate."""

    a_day: float
    last: Release

    def until(self, needed: float) -> date | None:
        wait = timedelta(days=max(0.0, needed - self.last.n) / self.a_day) if self.a_day else LONGEST
        return self.last.day + wait if wait < LONGEST else None


def troubles(survey: Survey) -> list[str | Promise]:
    """Return sentences on failures, the worker's first."""
    sentences: list[str | Promise] = []
    if survey.state != Survey.State.DRAFT and (status := heartbeat.status()) in WORKER:
        sentences.append(WORKER[status])
    return sentences + failures(survey)


def failures(survey: Survey) -> list[str | Promise]:
    """Return sentences on this survey's tasks that keep failing."""
    sentences: list[str | Promise] = []
    failed = Release.objects.filter(survey=survey, document__isnull=True, attempts__gt=FAILING).count()
    if failed:
        sentences.append(
            ngettext(
                "Computing the estimates of a release has failed several times.",
                "Computing the estimates of %(n)d releases has failed several times.",
                failed,
            )
            % {"n": failed}
        )
    if Tally.objects.filter(survey=survey, attempts__gt=FAILING).exists():
        sentences.append(_("Counting the waiting reports has failed several times."))
    return sentences


def rate(survey: Survey, releases: Iterable[Release]) -> Rate | None:
    """Return the rate from the survey's beginning to its newest release; None before the first."""
    last = max(releases, key=lambda release: release.number, default=None)
    beginning = max(filter(None, (survey.opened_at, survey.opens_at)), default=None)
    if last is None or beginning is None:
        return None
    return Rate(last.n / max(1, (last.day - beginning.date()).days), last)


def reached(survey: Survey, release: Release) -> tuple[list[Width], int | None]:
    """Return each question's width in this release, and the expected number of reports for the precision that ends the
    survey. The number is None if no precision ends the survey or the number is unknown."""
    wished = survey.closes_at_half_width
    document, about = response_cache.document(release), usual_target(survey.definition)
    half_widths = precision.by_question(survey.questions, document, about)
    needed = {key: release.n * (width / wished) ** 2 for key, width in half_widths.items()} if wished else {}
    rows = [_row(question, half_widths[question["key"]], wished, needed) for question in survey.questions]
    most = max(needed.values(), default=None)
    return rows, None if most is None or most == float("inf") else max(round(most), release.n)


def _row(question: Question, width: float, wished: float | None, needed: dict[str, float]) -> Width:
    known, there = width != float("inf"), wished is not None and width <= wished
    text = _half_width(width) if known else ""
    more = "" if there or not known or not needed else numerals.count_up(round(needed[question["key"]]))
    return Width(question["text"], text, there, more)


def only_at_the_end(survey: Survey) -> bool:
    """Return whether so few people are invited that results come only at the end."""
    return by_invitation(survey) and 0 < book.invited(survey.digest) < first_release(survey.batch_size)[0]
