"""The doors through which a survey of another site's file comes in: the rules that hold for what is made here.

Its definition is one that this site's page would ask, with the tables of the alphas that it states; its blocks hold
reports of it, which add up to its last release; and its documents are those of the releases' totals.
"""

from surveys.models import Survey
from surveys.transfer import counts, files, releases, reports
from surveys.transfer.rules import BrokenField, check_row
from surveys.transfer.survey import check_disclosure, check_survey

__all__ = ["BrokenField", "check_row", "check_rows", "check_survey"]


def check_rows(survey: Survey) -> None:
    """Broken where the stored rows of a survey, which `check_survey` has passed, break a rule together."""
    check_disclosure(survey)
    reports.check(survey)
    releases.check(survey)
    counts.check(survey)
    files.check(survey)
