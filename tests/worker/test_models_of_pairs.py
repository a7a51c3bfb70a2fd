"""Linear models of questions that no one was asked all at once (M47), as a worker computes them: from the forms'
tallies, or from one reading if a form has several draws of these questions."""

import json

import numpy as np
import pytest

import ldp
from surveys.life.lifecycle import close_survey
from surveys.models import AnalysisRun, Release
from surveys.researcher.analyses.frame.inputs import AnalysisRefused
from surveys.researcher.analyses.raking.analysis import RAKINGS
from surveys.researcher.analyses.regressions.analysis import REGRESSIONS
from tests.support import overlapping
from tests.support.analyses import asked, regressed
from tests.support.estimates import work
from tests.support.exports import exported, unpack

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]

STEPS = {"often": [0, 1, 2, 3], "mood": [0, 1, 2]}
OF_PAIRS = {
    "model": "linear",
    "outcome": "mood",
    "scores": STEPS["mood"],
    "covariates": [{"key": "smokes", "reference": 1}, {"key": "often", "scores": STEPS["often"]}],
}
WITH_EVERYONES = OF_PAIRS | {"covariates": [*OF_PAIRS["covariates"], {"key": "region"}]}
LOGISTIC = {"model": "logistic", "outcome": "smokes", "covariates": [{"key": "often"}, {"key": "mood"}]}


def notebook(survey, folder):
    unpacked = unpack(exported(survey), folder)
    return ldp.read(unpacked / "microdata.csv", unpacked / "codebook.json")


def refusal(analysis, survey, specification):
    with pytest.raises(AnalysisRefused) as refused:
        asked(analysis, survey, specification)
    return refused.value.reason, analysis.refusal(refused.value)


def test_a_model_of_three_questions_follows_from_the_tallies_of_their_three_pairs(monkeypatch, tmp_path):
    survey = overlapping.released(3000)
    monkeypatch.setattr("worker.released_reports.released", None)  # no block is read
    run = regressed(survey, OF_PAIRS)
    document, release = run.document, Release.objects.get(survey=survey)
    assert run.state == AnalysisRun.State.READY and document["refusal"] is None
    assert REGRESSIONS.reports(release, REGRESSIONS.from_json(OF_PAIRS)) == 3000
    assert document["n_about"] == 3000 and document["n_pair"] == min(each["n"] for each in release.tallies)
    # The questions are independent: the mean is 1.3, and every effect 0. All eight normal numbers are within four
    # standard errors, except once in 2,000 seeds.
    mean = np.dot(STEPS["mood"], overlapping.TRUTH["mood"])
    off = [(each, mean) for each in document["predicted"]] + [(each, 0) for each in document["marginal"]]
    assert len(off) == 6 + 4 and all(abs(each["estimate"] - truth) < 4 * each["standard_error"] for each, truth in off)
    monkeypatch.undo()
    found = notebook(survey, tmp_path).regression(OF_PAIRS)
    assert json.loads(json.dumps(found)) == document


def test_with_a_question_of_everyone_the_reports_are_read_once(tmp_path):
    survey = overlapping.released(5000)
    run = regressed(survey, WITH_EVERYONES)
    document = run.document
    assert run.state == AnalysisRun.State.READY and document["refusal"] is None
    assert document["n_about"] == 5000 and [each["levels"] for each in document["coefficients"]][-2:] == [
        [{"key": "region", "option": 1}],
        [{"key": "region", "option": 2}],
    ]
    assert all(abs(each["estimate"]) < 4 * each["standard_error"] for each in document["marginal"])
    assert json.loads(json.dumps(notebook(survey, tmp_path).regression(WITH_EVERYONES))) == document


def test_two_questions_that_forms_randomize_in_different_ways_make_a_model_too():
    survey = overlapping.released(2000)
    model = {"model": "linear", "outcome": "mood", "covariates": [{"key": "region"}]}
    document = regressed(survey, model).document
    release = Release.objects.get(survey=survey)
    assert document["n_about"] == document["n_pair"] == sum(release.tallies[form]["n"] for form in (1, 2))


def test_too_few_reports_are_refused_with_the_number_that_would_do(settings):
    settings.BATCH = 20
    document = regressed(overlapping.released(150), OF_PAIRS).document
    assert document["refusal"]["reason"] == "too few" and document["refusal"]["needed"] > document["n_about"]
    assert document["coefficients"] == document["predicted"] == document["marginal"] == []


def test_pairs_that_no_report_is_about_are_named():
    survey = overlapping.opened()
    overlapping.store(survey, 600, form=0)
    close_survey(survey)
    work(survey)
    reason, text = refusal(REGRESSIONS, survey, OF_PAIRS)
    assert reason == "pairs"
    assert text.endswith("No one was asked both: “Mood?” and “Smokes?”; “Mood?” and “Often?”.")
    assert not AnalysisRun.objects.exists()


def test_what_needs_three_questions_at_once_says_what_a_form_of_them_costs():
    survey = overlapping.released(600)
    reason, text = refusal(REGRESSIONS, survey, LOGISTIC)
    assert reason == "forms"
    assert "A form with these 3 questions would have 24 combinations of answers" in text
    assert "a share would need up to 1.7 times as many reports as now." in text
    assert text.endswith("it is enough that every two of them are asked together.")
    product = OF_PAIRS | {"interactions": [["smokes", "often"]]}
    assert refusal(REGRESSIONS, survey, product) == (reason, text)
    weights = {
        "question": "smokes",
        "margins": [{"key": "often", "shares": [0.4, 0.3, 0.2, 0.1]}, {"key": "mood", "shares": [0.2, 0.3, 0.5]}],
    }
    reason, text = refusal(RAKINGS, survey, weights)
    assert reason == "forms" and "24 combinations of answers" in text
