"""A crossing, made anew from what is stored of it."""

import numpy as np

from ldp.crossing import CrossingDocument
from ldp.forms import results
from ldp.forms.crossed import Crossed
from ldp.inference.crossed import Crossing
from ldp.inference.variables import Variable
from surveys.models import Release


def crossing(release: Release, pair: tuple[Variable, Variable], document: CrossingDocument) -> Crossed:
    jointly = results.crossing(release.survey.definition, release.form_tallies, *pair)
    return jointly or Crossing(*pair, np.array(document["counts"]))
