"""The reports that an analysis would need in a single form with all its questions, if no form has them together."""

import math
from collections.abc import Sequence

from django.utils.translation import gettext as _

from ldp.forms.schema import Definition
from ldp.inference.variables import Variable
from ldp.planning.combined_price import reports_factor
from surveys.figures import numerals


def cost_sentence(definition: Definition, variables: Sequence[Variable]) -> str:
    words = {
        "n": numerals.count(len(variables)),
        "cells": numerals.count(math.prod(len(each.options) for each in variables)),
    }
    factor = reports_factor(definition, variables)
    if factor is None:
        return _("These %(n)s questions would have to be in one form.") % words
    if factor <= 1:
        text = _(
            "A form with these %(n)s questions would have %(cells)s combinations of answers. Their shares would need "
            "no more reports than now."
        )
        return text % words
    words["factor"] = numerals.rounded_up(factor)
    text = _(
        "A form with these %(n)s questions would have %(cells)s combinations of answers. For the same margin of error, "
        "a share would need up to %(factor)s times as many reports as now."
    )
    return text % words
