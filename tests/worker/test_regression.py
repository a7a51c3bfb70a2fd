"""Regressions of a release: from its reports or a joint form's counts, the same that a notebook finds (M40)."""

import json

import pytest

import ldp
from ldp.regression.specification import from_json
from surveys.models import Regression, Release
from surveys.researcher.analyses.regressions import requests
from tests.support.exports import exported, flip_a_bit, unpack
from tests.support.regressions import LOGISTIC, ended
from worker import regression, tasks

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]

FORMS = {
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


def given(i):
    """Answers to all four questions, of which the second depends on the first."""
    return {"yes": i % 2, "which": (i // 2) % 3 if i % 5 else 2 * (i % 2), "all": (i // 3) % 2, "other": 0}


def asked(survey, model):
    row = requests.ask(None, Release.objects.latest_of(survey), from_json(model))
    regression.make(row.pk)
    row.refresh_from_db()
    return row


def in_a_notebook(survey, model, folder):
    unpacked = unpack(exported(survey), folder)
    return ldp.read(unpacked / "microdata.csv", unpacked / "codebook.json").regression(model)


def test_what_the_worker_finds_is_what_a_notebook_finds(tmp_path):
    survey = ended(400)
    row = asked(survey, LOGISTIC)
    found = in_a_notebook(survey, LOGISTIC, tmp_path)
    assert row.state == Regression.State.READY and row.document["n_about"] == 400
    for part in ("coefficients", "predicted", "marginal"):
        assert row.document[part] and json.loads(json.dumps(found[part])) == row.document[part]


@pytest.mark.parametrize("keys", [("yes", "which"), ("all", "yes"), ("all", "yes", "which")])
def test_in_forms_too_whether_they_share_a_draw_or_not(tmp_path, keys):
    survey = ended(900, FORMS, given)
    model = {"model": "logistic", "outcome": keys[0], "covariates": [{"key": key} for key in keys[1:]]}
    row = asked(survey, model)
    assert row.state == Regression.State.READY and row.document["refusal"] is None, row.reason
    found = json.loads(json.dumps(in_a_notebook(survey, model, tmp_path)))
    assert {name: row.document[name] for name in ("n_about", "coefficients", "refusal")} == {
        name: found[name] for name in ("n_about", "coefficients", "refusal")
    }


def test_of_two_forms_nothing_is_asked_for():
    survey = ended(300, FORMS, given)
    model = {"model": "logistic", "outcome": "yes", "covariates": [{"key": "other"}]}
    with pytest.raises(requests.Refused) as refused:
        requests.ask(None, Release.objects.latest_of(survey), from_json(model))
    assert refused.value.reason == "forms" and not Regression.objects.exists()


def test_reports_that_are_not_the_releases_are_not_used():
    survey = ended(200)
    flip_a_bit(survey)
    row = asked(survey, LOGISTIC)
    assert (row.state, row.reason, row.document) == (Regression.State.FAILED, Regression.Reason.DIFFERS, None)


def test_what_was_asked_for_is_made_once_and_what_failed_again():
    survey = ended(200)
    first, second = (asked(survey, LOGISTIC) for _ in range(2))
    assert first.pk == second.pk and first.attempts == second.attempts == 1
    Regression.objects.update(state=Regression.State.FAILED, reason=Regression.Reason.TRIED)
    assert asked(survey, LOGISTIC).state == Regression.State.READY


def test_the_sweep_sends_for_what_waits(started, monkeypatch):
    survey, sent = ended(100), []
    requests.ask(None, Release.objects.latest_of(survey), from_json(LOGISTIC))
    monkeypatch.setattr(tasks.regress, "apply_async", lambda args, **options: sent.append(args[0]))
    tasks.sweep()
    assert sent == [Regression.objects.get().pk]
