"""A step of a scale."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from surveys.figures import layout
from surveys.figures.display import Result
from surveys.figures.layout import Plan
from surveys.survey.kinds.fields import SCALE, Field
from surveys.survey.kinds.options import OptionKind
from surveys.survey.kinds.protocol import Kind


class Ordered(OptionKind):
    """Options in a given order. If they are numbers, the plot is a row of columns."""

    name: Promise = gettext_lazy("Rating scale")
    purpose: Promise = gettext_lazy("One step of a scale, such as never to always.")
    typed_fields: tuple[Field, ...] = (SCALE,)
    has_order = ordinal = decides = pictured = True
    reading = "scale"

    def layout(self, result: Result, width: str) -> Plan:
        return layout.columns(result, width) if layout.in_one_row(result) else layout.rows(result, width)


KIND: Kind = Ordered()
