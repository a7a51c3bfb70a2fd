"""Each group of a draft before it opens: whether and when its results are shown, and how precise they can be."""

from collections.abc import Sequence
from typing import NamedTuple

from django.conf import settings
from django.utils.translation import gettext as _

from surveys.designer.privacy.figures import measure
from surveys.designer.privacy.inputs import batch_of, people_of
from surveys.designer.privacy.questions import questions_of
from surveys.designer.privacy.studio_question import StudioQuestion
from surveys.designer.privacy.verdicts import NOTHING, Verdict, verdict
from surveys.figures import numerals
from surveys.models import Survey
from surveys.models.release import first_release
from surveys.survey.definition.invitations import groups_of, people_of_groups


class GroupOutlook(NamedTuple):
    """A group's outlook. `n` is its number of people if `known`, else its equal part of the expected people, or 0 if no
    one is left for it. `width` is its widest interval if all of them answer, "" if unknown."""

    name: str
    n: int
    known: bool
    when: str
    width: str
    verdict: Verdict | None
    at_the_end: bool

    @property
    def small(self) -> bool:
        """Return whether the group is too small for any result."""
        return self.known and self.n < settings.RELEASE_LEAST

    @property
    def people(self) -> str:
        return numerals.integer(self.n)


def outlook(survey: Survey) -> list[GroupOutlook]:
    groups, questions = groups_of(survey.draft), questions_of(survey)
    sizes = zip(groups, people_of_groups(survey.draft, people_of(survey)), strict=True)
    return [_group(survey, name, n, known, questions) for (name, known), n in sizes]


def _group(survey: Survey, name: str, n: int, known: int | None, questions: Sequence[StudioQuestion]) -> GroupOutlook:
    at_the_end = survey.publishes_once or 0 < n < first_release(batch_of(survey))[0]
    outlook = GroupOutlook(name, n, known is not None, "", "", None, at_the_end)
    outlook = outlook._replace(when=_when(survey, outlook))
    built = [question for question in questions if question.built]
    if outlook.small or not n or not built or len(built) < len(questions):
        return outlook._replace(verdict=NOTHING if outlook.small else None)
    width, widest = max(((question.half_width(n), question) for question in built), key=lambda pair: pair[0])
    assert widest.built
    return outlook._replace(width=measure(widest.built).full(width), verdict=verdict(width))


def _when(survey: Survey, group: GroupOutlook) -> str:
    least = settings.RELEASE_LEAST
    if group.small:
        return _("never: it takes %(least)d reports") % {"least": least}
    if group.at_the_end:
        return _("at the end, if at least %(least)d of them answer") % {"least": least}
    low, high = first_release(batch_of(survey))
    text = _("from %(low)d to %(high)d reports on, or at the end")
    return text % {"low": low, "high": high}
