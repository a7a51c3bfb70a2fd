"""Reports with dependent answers, and regressions on them."""

import json
from collections.abc import Callable
from typing import Any

import numpy as np

from ldp.inference.variables import variable
from ldp.regression.document import document
from ldp.regression.sample import ReportSample
from ldp.regression.specification import from_json
from surveys.life.lifecycle import close_survey, create_draft, open_survey
from surveys.models import AnalysisRun, Report, Survey
from surveys.researcher.analyses.regressions.analysis import REGRESSIONS
from surveys.survey.definition.layout import layouts
from tests.support.analyses import asked
from tests.support.estimates import work
from tests.support.factories import report
from worker.estimation import header

SCALE: dict[str, Any] = {
    "title": "Smoking and drinking",
    "questions": [
        {"key": "smokes", "kind": "yes_no", "text": "Do you smoke?", "alpha": "8"},
        {"key": "often", "kind": "ordered", "text": "How often do you drink?", "alpha": "8"}
        | {"options": ["Never", "Weekly", "Daily"], "mechanism": "bitwise"},
        {"key": "where", "kind": "single_choice", "text": "Where do you live?", "alpha": "8"}
        | {"options": ["Town", "Village", "Farm"]},
        {"key": "age", "kind": "histogram", "text": "How old are you?", "alpha": "8", "unit": "years"}
        | {"edges": ["18", "40", "60", "99"]},
        {"key": "height", "kind": "mean", "text": "How tall are you?", "alpha": "2", "low": "0", "high": "3"},
    ],
}
"""People who smoke drink more."""

LOGISTIC = {"model": "logistic", "outcome": "smokes", "covariates": [{"key": "often"}]}


def answers(i: int) -> dict[str, Any]:
    smokes, often = i % 2, (i // 2) % 3 if i % 5 else 2 * (1 - i % 2)
    return {"smokes": smokes, "often": often, "where": (i // 7) % 3, "age": (i // 11) % 3}


def ended(
    n: int = 600, draft: dict[str, Any] = SCALE, given: Callable[[int], dict[str, Any]] = answers, **fields: Any
) -> Survey:
    """Return an ended survey with a release; `given` returns the answers of each respondent."""
    survey = create_draft(draft, results_public=True, **fields)
    open_survey(survey)
    survey.refresh_from_db()
    each = layouts(survey.definition)
    bodies = (json.loads(report(survey, i, **given(i))) for i in range(n))
    rows = (
        Report(id=f"{i:032x}", survey=survey, form=form, packed=each[form].pack(body["answers"]))
        for i, body in enumerate(bodies)
        for form in [body.get("form", 0)]
    )
    Report.objects.bulk_create(rows)
    close_survey(survey)
    while Report.objects.filter(survey=survey).exists():  # a sweep lasts half a second; a slow machine needs several
        work(survey)
    return survey


def explained(survey: Survey, model: dict[str, Any]) -> AnalysisRun:
    """Return a finished regression on many clear answers. Every combination of answers is equally frequent."""
    row = asked(REGRESSIONS, survey, model)
    own = [variable(survey.questions, key) for key in from_json(model).keys]
    shape = tuple(len(each.options) for each in own)
    same, cells = tuple(np.eye(d) for d in shape), np.indices(shape).reshape(len(shape), -1).T
    sample = ReportSample(shape, same, same, cells, np.full(len(cells), 1000))
    row.document = document(header(row.release), from_json(model), own, sample)
    row.state = AnalysisRun.State.READY
    row.save()
    return row
