"""Regressions of a release, from its reports or a joint form's counts, equal a notebook's (M40)."""

import json

import pytest

import ldp
from surveys.models import AnalysisRun
from surveys.researcher.analyses.frame.inputs import AnalysisRefused
from surveys.researcher.analyses.regressions.analysis import REGRESSIONS
from tests.support.analyses import asked, regressed
from tests.support.drawn import drawn
from tests.support.exports import exported, unpack
from tests.support.regressions import LOGISTIC, ended

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]

FORMS = drawn(
    {
        "title": "Forms",
        "questions": [
            {"key": "yes", "kind": "yes_no", "text": "Yes?"},
            {"key": "which", "kind": "single_choice", "text": "Which?", "options": ["a", "b", "c"]},
            {"key": "all", "kind": "yes_no", "text": "All?", "alpha": "4"},
            {"key": "other", "kind": "yes_no", "text": "Other?", "alpha": "4"},
        ],
        "forms": [
            {"weight": 1, "questions": ["yes", "which"], "alpha": "8"},
            {"weight": 1, "questions": ["other"]},
        ],
    }
)


def given(i):
    """Return answers to all four questions; the second one depends on the first."""
    return {"yes": i % 2, "which": (i // 2) % 3 if i % 5 else 2 * (i % 2), "all": (i // 3) % 2, "other": 0}


def in_a_notebook(survey, model, folder):
    unpacked = unpack(exported(survey), folder)
    return ldp.read(unpacked / "microdata.csv", unpacked / "codebook.json").regression(model)


def test_what_the_worker_finds_is_what_a_notebook_finds(tmp_path):
    survey = ended(400)
    row = regressed(survey, LOGISTIC)
    found = in_a_notebook(survey, LOGISTIC, tmp_path)
    assert row.state == AnalysisRun.State.READY and row.document["n_about"] == 400
    for part in ("coefficients", "predicted", "marginal"):
        assert row.document[part] and json.loads(json.dumps(found[part])) == row.document[part]


@pytest.mark.parametrize("keys", [("yes", "which"), ("all", "yes"), ("all", "yes", "which")])
def test_in_forms_too_whether_they_share_a_draw_or_not(tmp_path, keys):
    survey = ended(900, FORMS, given)
    model = {"model": "logistic", "outcome": keys[0], "covariates": [{"key": key} for key in keys[1:]]}
    row = regressed(survey, model)
    assert row.state == AnalysisRun.State.READY and row.document["refusal"] is None, row.reason
    found = json.loads(json.dumps(in_a_notebook(survey, model, tmp_path)))
    assert {name: row.document[name] for name in ("n_about", "coefficients", "refusal")} == {
        name: found[name] for name in ("n_about", "coefficients", "refusal")
    }


def test_of_two_forms_nothing_is_asked_for():
    survey = ended(300, FORMS, given)
    model = {"model": "logistic", "outcome": "yes", "covariates": [{"key": "other"}]}
    with pytest.raises(AnalysisRefused) as refused:
        asked(REGRESSIONS, survey, model)
    assert refused.value.reason == "forms" and not AnalysisRun.objects.exists()
