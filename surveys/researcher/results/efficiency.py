"""How near a whole survey comes to what is possible under its alpha (M36b), in words."""

from django.utils.translation import gettext as _

from ldp.document import ReleaseHeader
from surveys.figures import numerals
from surveys.survey.kinds import Fact


def of_survey(document: ReleaseHeader) -> Fact:
    term, share = _("Efficiency of the whole survey"), document["efficiency"]
    if share is None:
        text = _("A bound that no survey can beat is known only for yes/no questions, all of which must have results.")
        return Fact(term, _("not known"), text)
    meaning = _(
        "No survey with the same α of a report can be as precise over all questions with fewer than %(share)s as many "
        "reports (equal shares, many reports)."
    )
    return Fact(term, numerals.percent(share), meaning % {"share": numerals.percent(share)})
