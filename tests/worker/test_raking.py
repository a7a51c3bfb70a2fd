"""Questions weighted by several margins, from reports or a joint form's counts, equal a notebook's (M41)."""

import json

import pytest

import ldp
from ldp.weighting.margins import from_json
from ldp.weighting.raking_document import rows
from surveys.models import AnalysisRun, Release
from surveys.researcher.analyses.frame.inputs import AnalysisRefused
from surveys.researcher.analyses.raking.analysis import RAKINGS
from tests.support.analyses import asked, raked
from tests.support.drawn import drawn
from tests.support.exports import exported, unpack
from tests.support.regressions import SCALE, ended
from tests.worker.test_regression import given

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]

SEPARATE = SCALE | {"questions": [question for question in SCALE["questions"] if question["key"] != "often"]}
MARGINS = {
    "question": "smokes",
    "margins": [{"key": "where", "shares": [0.5, 0.3, 0.2]}, {"key": "age", "shares": [0.4, 0.4, 0.2]}],
}
# One margin sends bits.
BITS = MARGINS | {"margins": [*MARGINS["margins"], {"key": "often", "shares": [0.4, 0.3, 0.3]}]}
FORMS = drawn(
    {
        "title": "Forms",
        "questions": [
            {"key": "yes", "kind": "yes_no", "text": "Yes?"},
            {"key": "which", "kind": "single_choice", "text": "Which?", "options": ["a", "b", "c"]},
            {"key": "all", "kind": "yes_no", "text": "All?"},
            {"key": "other", "kind": "yes_no", "text": "Other?", "alpha": "4"},
        ],
        "forms": [
            {"weight": 1, "questions": ["yes", "which", "all"], "alpha": "8"},
            {"weight": 1, "questions": ["other"]},
        ],
    }
)
IN_FORMS = {
    "question": "yes",
    "margins": [{"key": "which", "shares": [0.4, 0.4, 0.2]}, {"key": "all", "shares": [0.3, 0.7]}],
}


def in_a_notebook(survey, margins, folder):
    unpacked = unpack(exported(survey), folder)
    chosen = from_json(margins)
    reports = ldp.read(unpacked / "microdata.csv", unpacked / "codebook.json")
    keys = [margin.key for margin in chosen.known]
    return reports.weighted(chosen.question, keys, [margin.shares for margin in chosen.known])


@pytest.mark.parametrize(("draft", "margins"), [(SEPARATE, MARGINS), (SCALE, BITS), (FORMS, IN_FORMS)])
def test_what_the_worker_finds_is_what_a_notebook_finds(tmp_path, draft, margins):
    survey = ended(1600, FORMS, given) if draft is FORMS else ended(900, draft)
    row = raked(survey, margins)
    assert row.state == AnalysisRun.State.READY and row.document["refusal"] is None, row.reason
    document, notebook = row.document, json.loads(json.dumps(in_a_notebook(survey, margins, tmp_path)))
    place = document["confidences"].index(0.95)
    for share, own in zip(document["shares"], notebook, strict=True):
        assert share | {"levels": [share["levels"][place]]} == own
    assert sum(share["estimate"] for share in document["shares"]) == pytest.approx(1)
    assert len(list(rows(document))) == 2 * len(document["confidences"])


PAIR = ["which", "hours"]
TWO_WAYS = {
    "title": "Two forms that ask the same in different ways",
    "questions": [
        {"key": "which", "kind": "yes_no", "text": "Which?"},
        {"key": "hours", "kind": "mean", "text": "How many?", "low": "0", "high": "10"},
    ],
    "forms": [{"weight": 1, "draws": [{"questions": PAIR, "alpha": alpha}]} for alpha in ("3", "6")],
}


def test_a_mean_of_forms_that_differ_is_weighted_by_one_margin():
    """The first answer (40 of 100 people) has a mean of 8, the other one 2: 4.4 unweighted, 6.8 with 80 of 100."""
    survey = ended(1200, TWO_WAYS, lambda i: {"which": int(i % 5 > 1), "hours": "8" if i % 5 <= 1 else "2"})
    row = raked(survey, {"question": "hours", "margins": [{"key": "which", "shares": [0.8, 0.2]}]})
    assert row.state == AnalysisRun.State.READY and row.document["n_about"] == 1200
    found = row.document["mean"]
    # Each is within four of its errors except once in 15,000 seeds.
    assert abs(found["estimate"] - 6.8) < 4 * found["standard_error"] < 2
    assert abs(found["unweighted"] - 4.4) < 4 * found["unweighted_standard_error"]


def test_each_known_question_stands_beside_its_estimate():
    survey = ended(900)
    document = raked(survey, BITS).document
    assert [known["key"] for known in document["margins"]] == ["where", "age", "often"]
    results = {question["key"]: question for question in Release.objects.latest_of(survey).document["questions"]}
    for known, margin in zip(document["margins"], BITS["margins"], strict=True):
        assert [stratum["share"] for stratum in known["strata"]] == margin["shares"]
        estimates = [option["estimate"] for option in results[known["key"]]["methods"][0]["categories"]]
        assert [stratum["estimate"] for stratum in known["strata"]] == pytest.approx(estimates, abs=1e-9)
        assert all(0 < stratum["standard_error"] < 0.1 for stratum in known["strata"])


def test_too_few_reports_are_a_document_with_the_number_that_would_do():
    weak = SEPARATE | {"questions": [question | {"alpha": "2"} for question in SEPARATE["questions"]]}
    row = raked(ended(200, weak), MARGINS)
    assert row.state == AnalysisRun.State.READY and row.document["shares"] == []
    assert row.document["refusal"]["needed"] is None or row.document["refusal"]["needed"] > 200


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"margins": MARGINS["margins"][:1]}, "margins"),
        ({"margins": [MARGINS["margins"][0], {"key": "where", "shares": [0.5, 0.3, 0.2]}]}, "repeated"),
        ({"question": "age"}, "repeated"),
        ({"margins": [MARGINS["margins"][0], {"key": "age", "shares": [0.4, 0.4]}]}, "shares"),
        ({"margins": [MARGINS["margins"][0], {"key": "age", "shares": [0.4, 0.4, 0.1]}]}, "shares"),
        ({"margins": [MARGINS["margins"][0], {"key": "height", "shares": [0.5, 0.5]}]}, "mean"),
        ({"question": "nothing"}, "unknown"),
    ],
)
def test_what_cannot_be_weighted_is_refused(change, reason):
    survey = ended(300)
    with pytest.raises(AnalysisRefused) as refused:
        asked(RAKINGS, survey, MARGINS | change)
    assert refused.value.reason == reason and not AnalysisRun.objects.exists()


def test_of_two_forms_nothing_is_asked_for():
    margins = IN_FORMS | {"margins": [IN_FORMS["margins"][0], {"key": "other", "shares": [0.5, 0.5]}]}
    with pytest.raises(AnalysisRefused, match="forms"):
        asked(RAKINGS, ended(300, FORMS, given), margins)
