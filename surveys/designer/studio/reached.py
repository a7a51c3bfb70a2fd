"""The number of people who have answered an open survey. The worker stores it at each full hour."""

from datetime import datetime, timedelta
from typing import NamedTuple

from django.conf import settings
from django.utils import timezone

from ldp.forms.definition import groups
from surveys.figures import numerals
from surveys.figures.typed import ZONE
from surveys.models import Survey, Turnout
from surveys.models.turnout import STEP, first_step, turnout_of

EVENING = 20  # o'clock


class Reached(NamedTuple):
    """The counts for designer/reached.html. `people` is a lower bound, "" below `first_step`. `left_out` people of each
    group are not counted. `hour` is the time of the count. `evening` is the number expected by the evening, "" if
    unknown."""

    people: str
    first_step: int
    left_out: int
    hour: datetime
    evening: str


def reached(survey: Survey) -> Reached | None:
    """Return the published count of an open survey; None before the first."""
    turnout = turnout_of(survey)
    if turnout is None:
        return None
    people, expected = turnout.people, _by_evening(survey, turnout)
    return Reached(
        numerals.count(people) if people else "",
        first_step(),
        settings.RELEASE_LEAST - 1 if groups(survey.definition) else 0,
        turnout.hour,
        numerals.count(expected) if expected > people else "",
    )


def _by_evening(survey: Survey, turnout: Turnout) -> int:
    """Return the number expected by the evening at the last day's rate, rounded to STEP; 0 in the evening, or if the
    survey ends before."""
    now = timezone.now().astimezone(ZONE.get())
    evening = now.replace(hour=EVENING, minute=0, second=0, microsecond=0)
    if now >= evening or (survey.closes_at and survey.closes_at < evening) or len(turnout.counts) < 2:
        return 0
    an_hour = (turnout.people - turnout.counts[0]) / (len(turnout.counts) - 1)
    more = an_hour * ((evening - turnout.hour) / timedelta(hours=1))
    expected: int = round((turnout.people + more) / STEP) * STEP
    return min(expected, survey.closes_after or expected)
