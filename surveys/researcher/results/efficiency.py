"""Words for how near a survey comes to the optimum under its alpha (M48)."""

from django.utils.translation import gettext as _

from ldp.document import ReleaseHeader
from ldp.forms.efficiency import Efficiency
from surveys.figures import bounds, numerals
from surveys.survey.kinds import Fact


def of_survey(document: ReleaseHeader) -> Fact:
    term, efficiency = _("Efficiency of the whole survey"), document["efficiency"]
    if efficiency is None:
        text = _("A bound is known for questions with options, all of which must have results.")
        return Fact(term, _("not known"), text)
    return Fact(term, numerals.percent(efficiency["value"]), bounds.means(Efficiency(**efficiency)))
