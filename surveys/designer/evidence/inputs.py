"""Facts that only a survey's team knows, as they type them."""

from django import forms
from django.utils.translation import gettext_lazy as _

from surveys.designer.studio.terms import Area, Input
from surveys.models import Disclosure

LONGEST = 2000


def _text(label: object, help_text: object) -> forms.CharField:
    widget = Area(attrs={"rows": 3})
    return forms.CharField(required=False, max_length=LONGEST, widget=widget, label=label, help_text=help_text)  # type: ignore[arg-type]


class DisclosureInput(Input):
    conductor = _text(_("Who carries it out"), _("The responsible body, with its address. In law the controller."))
    sponsor = _text(_("Sponsor"), _("Who pays for it, and with what interest in the result."))
    contact = _text(_("Contact"), _("Whom people can ask; include the data protection officer."))
    population = _text(_("Population"), _("Whom the results are about, and where they live."))
    recruitment = _text(_("Recruitment"), _("How people are chosen and asked, and what they get for it."))
    dates = _text(_("Dates"), _("When people are asked, if that is not whenever the survey is open."))
    limitations = _text(_("Limitations"), _("What the results cannot show, such as who was not reached."))
    licence = _text(_("Terms of use"), _("For the published data: the URL of a licence, or a sentence."))

    def __init__(self, disclosure: Disclosure, data: object = None) -> None:
        initial = {name: getattr(disclosure, name) for name in Disclosure.FIELDS}
        super().__init__(data, initial=initial)
