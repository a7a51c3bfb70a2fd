"""One of several options."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from surveys.survey.kinds.fields import OPTIONS, Field
from surveys.survey.kinds.options import OptionKind
from surveys.survey.kinds.protocol import Kind


class SingleChoice(OptionKind):
    name: Promise = gettext_lazy("Single choice")
    purpose: Promise = gettext_lazy("One answer from a list.")
    typed_fields: tuple[Field, ...] = (OPTIONS,)
    decides = pictured = True


KIND: Kind = SingleChoice()
