"""What was counted of a release on request: of questions that it has, and documents of its own."""

from typing import Any

from ldp.crossing import CrossingDocument
from ldp.regression import specification
from ldp.regression.document import RegressionDocument
from ldp.subgroups import SubgroupsDocument
from ldp.weighting import margins
from ldp.weighting.raking_document import RakingDocument
from surveys.models import COUNTED, Counting, Crossing, Raking, Regression, Subgroups, Survey
from surveys.researcher.analyses.crossings import requests as crossings
from surveys.researcher.analyses.frame.requests import Refused
from surveys.researcher.analyses.raking import requests as rakings
from surveys.researcher.analyses.raking import selection as raked
from surveys.researcher.analyses.regressions import requests as regressions
from surveys.researcher.analyses.regressions import selection as explained
from surveys.researcher.analyses.subgroups import requests as subgroups
from surveys.rules.typed import fits
from surveys.transfer.releases import says
from surveys.transfer.rules import Broken, must

TYPES: dict[type[Counting], Any] = {
    Crossing: CrossingDocument,
    Regression: RegressionDocument,
    Subgroups: SubgroupsDocument,
    Raking: RakingDocument,
}


def check(survey: Survey) -> None:
    for kind in COUNTED:
        for row in kind._default_manager.filter(release__survey=survey).select_related("release__survey"):
            name = kind.__name__.lower()
            must(row.state == Counting.State.READY, f"{name}.state", "must be “ready”")
            whole = "must have the fields of its kind of document, and their types"
            document: Any = row.document
            must(fits(document, TYPES[kind], others=True), f"{name}.document", whole)
            same = "must say the survey and the release that it is of"
            must(says(document["header"], row.release), f"{name}.document", same)
            must(_is_possible(row), name, "must be of questions of the survey, as somebody could have asked for it")


def _is_possible(row: Any) -> bool:
    """Whether somebody could have asked this site for it, in these words."""
    try:
        if isinstance(row, Crossing):
            pair = crossings.ordered(row.release, row.first, row.second)
            return [each.key for each in pair] == [row.first, row.second]
        if isinstance(row, Subgroups):
            return bool(subgroups.checked(row.release, row.stratum))
        if isinstance(row, Regression):
            model = specification.from_json(row.model)
            regressions.checked(row.release, model)
            return row.digest == explained.digest(model) and row.model == specification.as_json(model)
        known = margins.from_json(row.margins)
        rakings.checked(row.release, known)
        return bool(row.digest == raked.digest(known)) and row.margins == margins.as_json(known)
    except Refused:
        return False
    except Broken:
        raise
    except ValueError:
        return False
