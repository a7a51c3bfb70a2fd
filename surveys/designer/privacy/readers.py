"""A bound on what readers of a survey's results can learn, as planned, and the gain from publishing once (M49)."""

from fractions import Fraction
from typing import NamedTuple

from django.conf import settings

from ldp.forms.audiences import Reports, planned
from surveys.designer.privacy.inputs import batch_of, people_of
from surveys.figures import audiences
from surveys.models import Survey
from surveys.survey import definition as definitions
from surveys.survey.definition.document import Definition
from surveys.survey.definition.invitations import people_of_groups


class ReadersOutlook(NamedTuple):
    """Sentences on the bound, and for a draft the gain from publishing once. Both may be empty."""

    sentences: list[str]
    gain: str


def outlook(survey: Survey) -> ReadersOutlook:
    """Return the outlook for the expected number of people; empty for an incomplete draft."""
    try:
        definition = definitions.build(survey.draft) if survey.is_draft else survey.definition
    except definitions.DraftRefused:
        return ReadersOutlook([], "")
    return of_definition(survey, definition)


def planned_reports(survey: Survey, definition: Definition) -> Reports:
    """Return the planned reports. Each group has as many reports as people."""
    reports, numbers = Reports.of(definition), people_of_groups(survey.draft, people_of(survey))
    if reports.among != "group" or len(numbers) != len(reports.shares):
        return reports
    return reports._replace(shares=[Fraction(n, people_of(survey)) for n in numbers])


def of_definition(survey: Survey, definition: Definition) -> ReadersOutlook:
    reports, people, batch = planned_reports(survey, definition), people_of(survey), batch_of(survey)
    once, steps = (planned(reports, people, batch, settings.RELEASE_LEAST, each) for each in (True, False))
    chosen = once if survey.publishes_once else steps
    return ReadersOutlook(
        audiences.sentences(chosen) if chosen else [],
        audiences.gain(once, steps, people) if survey.is_draft else "",
    )
