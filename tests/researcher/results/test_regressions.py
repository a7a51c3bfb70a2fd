"""The pages of a release's regressions: chosen from lists, computed by a worker, with sentences that hold."""

import csv
import html
import io
import json
import math
import re

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client
from django.urls import reverse

from ldp.regression.reach import least_effect, reports_needed
from surveys.models import AnalysisRun, Membership, Release, Role
from surveys.researcher.analyses.frame.selection import AnalysisSelection
from surveys.researcher.analyses.registry import COUNTED
from surveys.researcher.analyses.regressions import findings, texts
from tests.support.analyses import regressed
from tests.support.regressions import LOGISTIC, ended
from worker import tasks

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def survey(django_db_setup, django_db_blocker):
    with django_db_blocker.unblock(), transaction.atomic():
        yield ended()
        transaction.set_rollback(True)


@pytest.fixture
def carla(survey):
    user = User.objects.create_user("carla")
    Membership.objects.create(survey=survey, user=user, role=Role.RESEARCHER)
    client = Client()
    client.force_login(user)
    return client


def address(survey, path):
    return f"/r/{survey.slug}/{Release.objects.latest_of(survey).number}/{path}"


def text(response):
    return " ".join(re.sub(r"<[^>]+>", " ", response.content.decode()).split())


def shown(survey, model, client=None, **more):
    regressed(survey, model)
    query = {"model": json.dumps(model)} | more
    return (client or Client()).get(address(survey, "model/"), query)


def test_a_model_is_chosen_from_lists_and_computed_by_the_worker(survey, carla):
    listing = carla.get(address(survey, "models/"), {"outcome": "smokes"})
    assert listing.status_code == 200 and '<option value="smokes" selected>' in listing.content.decode()
    assert text(listing).count("How tall are you?") == 1, "a mean can be explained and explains nothing"
    form = {"outcome": "smokes", "as.often": "scores", "as.where": "categories"}
    asked = carla.post(address(survey, "models/ask"), form)
    assert asked.status_code == 302 and "Being counted" in text(carla.get(asked["Location"]))
    row = AnalysisRun.objects.get()
    assert row.specification == {
        "model": "logistic",
        "outcome": "smokes",
        "covariates": [{"key": "often", "scores": [0.0, 1.0, 2.0]}, {"key": "where"}],
    }
    tasks.analyze(row.pk)
    page = text(carla.get(asked["Location"]))
    assert "Coefficients" in page and "Marginal effects" in page and "Predicted shares" in page
    listed = text(carla.get(address(survey, "models/")))
    assert "Do you smoke? by How often do you drink? (as a number), Where do you live?" in listed


@pytest.mark.parametrize(
    ("form", "rule"),
    [
        ({}, "Choose the question that is to be explained."),
        ({"outcome": "smokes"}, "Choose at least one question that explains."),
        ({"outcome": "often", "kind": "logistic", "as.smokes": "categories"}, "needs a question with two answers"),
        ({"outcome": "where", "kind": "linear", "as.smokes": "categories"}, ""),
        ({"outcome": "smokes", "as.often": "categories", "product": "often", "by": "often"}, "A product needs two"),
        ({"outcome": "smokes", "kind": "probit", "as.often": "categories"}, "Choose one of the models in the list."),
        ({"outcome": "smokes", "as.where": "scores"}, "answers are not numbers: untick “as a number”"),
    ],
)
def test_what_cannot_be_computed_is_refused_beside_the_choice(survey, carla, form, rule):
    response = carla.post(address(survey, "models/ask"), form)
    if rule:
        assert response.status_code == 422 and rule in text(response) and not AnalysisRun.objects.exists()
        for name, value in form.items():
            if value and name.startswith("as.") and value == "categories":
                assert f'name="{name}" value="categories" checked' in response.content.decode()
    else:
        assert response.status_code == 302, "the steps of a list are numbers where somebody wants them to be"


def test_the_sentences_hold_what_the_numbers_say(survey):
    page = text(shown(survey, LOGISTIC))
    assert "Answers to “Do you smoke?” differ with what explains them." in page
    found = re.search(
        r"With “Daily” rather than “Never” to “How often do you drink\?”, the rest as it is, (\d+) to (\d+) percentage "
        r"points (more|fewer) answer “Yes”\.",
        page,
    )
    document = AnalysisRun.objects.get().document
    row = next(each for each in document["marginal"] if (each["option"], each["outcome"]) == (2, 0))
    low, high = (abs(100 * end) for end in row["intervals"][document["confidences"].index(0.95)])
    assert int(found[1]) <= min(low, high) and int(found[2]) >= max(low, high), "all at once is wider than one by one"
    assert (found[3] == "more") == (row["estimate"] > 0)
    assert "not what causes what" in page


def test_the_page_says_what_more_reports_would_show(survey):
    page = text(shown(survey, LOGISTIC))
    document = AnalysisRun.objects.get().document
    weekly = next(row for row in document["coefficients"] if row["levels"])
    needed = reports_needed(document["n_about"], weekly["standard_error"], math.log(2))
    said = re.search(
        r"What more reports would show .*? How often do you drink\?: Weekly ([\d.]+) ([\d,]+) ([\d.]+|–|as now) How",
        page,
    )
    assert said and needed <= int(said[2].replace(",", "")) <= 1.1 * needed
    assert weekly["reach"]["reports"] == needed and "Or total alpha" in page and "have a total alpha of" in page
    alpha = weekly["reach"]["alpha"]
    assert said[3] == ("as now" if needed <= document["n_about"] else "–" if alpha is None else f"{alpha:.1f}")
    assert math.log(float(said[1])) >= least_effect(weekly["standard_error"])


@pytest.mark.parametrize(
    ("reports", "alpha", "cell"), [(600, 24.0, "as now"), (610, 24.1, "24.1"), (610, None, "–"), (300, None, "as now")]
)
def test_no_larger_alpha_is_named_where_these_reports_show_it(survey, reports, alpha, cell):
    document = regressed(survey, LOGISTIC).document
    assert document["n_about"] == 600
    for reach in filter(None, (row["reach"] for row in document["coefficients"])):
        reach |= {"reports": reports, "alpha": alpha}
    assert {row.alpha for row in texts.reaches(document)} == {cell}


def test_a_mean_is_explained_by_a_linear_model_in_its_unit(survey, carla):
    asked = carla.post(address(survey, "models/ask"), {"outcome": "height", "as.smokes": "categories"})
    row = AnalysisRun.objects.get()
    assert row.specification["model"] == "linear" and row.specification["scores"] == [0.0, 3.0]
    tasks.analyze(row.pk)
    page = text(carla.get(asked["Location"]))
    assert "explains “How tall are you?”" in page and "as a number 0, 3" in page and "Predicted means" in page
    row.refresh_from_db()
    assert all(0 - 1 < each["estimate"] < 3 for each in row.document["predicted"])
    refused = carla.post(address(survey, "models/ask"), {"outcome": "height", "kind": "ordered", "as.smokes": "scores"})
    assert refused.status_code == 422


def test_of_unrelated_questions_nothing_is_claimed(survey):
    page = text(shown(survey, {"model": "multinomial", "outcome": "where", "covariates": [{"key": "age"}]}))
    assert "These reports do not show that anything here explains “Where do you live?”." in page
    assert "percentage points more" not in page and "percentage points fewer" not in page


def test_at_another_confidence_the_intervals_are_others(survey):
    lines = {}
    for confidence in (90, 95, 99):
        assert f"{confidence}% intervals" in text(shown(survey, LOGISTIC, confidence=str(confidence)))
        chosen = AnalysisSelection(confidence)
        lines[confidence] = texts.coefficients(AnalysisRun.objects.get().document, chosen)[0]
    assert lines[90].high - lines[90].low < lines[95].high - lines[95].low < lines[99].high - lines[99].low


@pytest.mark.parametrize(
    "model",
    [
        LOGISTIC,
        {"model": "linear", "outcome": "age", "scores": [29, 50, 79.5], "covariates": [{"key": "smokes"}]},
        {"model": "ordered", "outcome": "often", "covariates": [{"key": "smokes", "reference": 1}]},
        {"model": "multinomial", "outcome": "where", "covariates": [{"key": "smokes"}, {"key": "often"}]}
        | {"interactions": [["smokes", "often"]]},
    ],
)
def test_every_model_has_its_page_its_pictures_and_its_files(survey, model):
    response = shown(survey, model)
    assert response.status_code == 200
    for what in ("coefficients", "effects"):
        for form, start in (("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF")):
            picture = Client().get(address(survey, f"model/{what}-dark-narrow.{form}"), {"model": json.dumps(model)})
            assert picture.status_code == 200 and picture.content.startswith(start)
    document = json.loads(Client().get(address(survey, "model/regression.json"), {"model": json.dumps(model)}).content)
    file = Client().get(address(survey, "model/regression.csv"), {"model": json.dumps(model)}).content.decode()
    rows = list(csv.DictReader(io.StringIO(file)))
    numbers = len(document["coefficients"]) + len(document["predicted"]) + len(document["marginal"])
    assert len(rows) == numbers * len(document["confidences"]) and document == AnalysisRun.objects.get().document
    assert {float(row["estimate"]) for row in rows} == {
        each["estimate"] for part in ("coefficients", "predicted", "marginal") for each in document[part]
    }


def test_where_all_of_a_rare_answer_may_be_noise_a_coefficient_has_no_limit():
    """One in 16 people who never drink smokes, and every second one of the others."""
    survey = ended(600, given=lambda i: {"smokes": int(i // 3 % (2 if i % 3 else 16) > 0), "often": i % 3})
    page = text(shown(survey, LOGISTIC))
    [weekly, _] = texts.coefficients(AnalysisRun.objects.get().document, AnalysisSelection(95))
    assert weekly.high == math.inf and math.isfinite(weekly.low)
    assert re.fullmatch(r"[\d.]+ to ∞", weekly.interval_text) and weekly.interval_text in page
    assert re.search(r"[\d.]+ to ∞", weekly.more[2]), "the odds ratio"
    assert "Intervals without a limit ∞ nearly all of a rare answer may be noise" in page
    assert Client().get(address(survey, "model/coefficients-light-wide.svg"), {"model": json.dumps(LOGISTIC)}).content
    file = Client().get(address(survey, "model/regression.csv"), {"model": json.dumps(LOGISTIC)}).content.decode()
    rows = [row for row in csv.DictReader(io.StringIO(file)) if row["term"] == "often=Weekly"]
    assert "" in {row["interval_high"] for row in rows} and "" not in {row["interval_low"] for row in rows}


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        ((None, -0.26), "−∞ to −0.2"),
        ((None, 0.24), "−∞ to 0.3"),
        ((0.26, None), "0.2 to ∞"),
        ((0.04, None), "0.04 to ∞"),
        ((None, None), "without a limit"),
        ((-0.26, 0.24), "−0.3 to 0.3"),
    ],
)
def test_an_interval_without_a_limit_says_so(limits, said):
    assert texts.limits_text(limits, 1) == said


TWO = {
    "model": "logistic",
    "outcome": "smokes",
    "covariates": [{"key": "often", "scores": [0, 1, 2]}, {"key": "where"}],
}


def test_a_model_that_was_refused_leads_back_to_its_choice():
    survey = ended(40)
    user = User.objects.create_user("researcher")
    Membership.objects.create(survey=survey, user=user, role=Role.RESEARCHER)
    client = Client()
    assert "Choose other questions" not in text(shown(survey, TWO, client)), "for who can choose them"
    client.force_login(user)
    page = shown(survey, TWO | {"interactions": [["often", "where"]]}, client).content.decode()
    assert "There are too few reports" in page
    back = html.unescape(re.search(r'href="([^"]*)">Choose other questions', page)[1])
    listing = client.get(f"{back}&error=Pay").content.decode()
    chosen = [f'<option value="{value}" selected>' for value in ("smokes", "logistic", "often", "where")]
    chosen += [
        f'name="as.{key}" value="{role}" checked' for key, role in (("often", "scores"), ("where", "categories"))
    ]
    assert not [each for each in chosen if each not in listing]
    assert "<details open>" in listing and "Pay" not in text(client.get(f"{back}&error=Pay")), "an address says nothing"


def test_too_few_reports_are_said_with_the_number_that_would_do():
    survey = ended(40)
    page = text(
        shown(survey, {"model": "logistic", "outcome": "smokes", "covariates": [{"key": "often"}, {"key": "where"}]})
    )
    assert "There are too few reports to say what explains “Do you smoke?”." in page
    assert re.search(r"40 reports are about all of these questions; about [\d,]+ would be enough\.", page)
    assert "Coefficients" not in page


def test_only_researchers_ask_and_an_address_that_names_no_model_is_none(survey):
    assert "Compute the model" not in text(Client().get(address(survey, "models/")))
    query = {"model": json.dumps(LOGISTIC)}
    page = Client().get(address(survey, "model/"), query)
    assert page.status_code == 200 and "The survey's researchers can make it." in text(page).replace("&#x27;", "'")
    for wrong in ("", "{", "[]", '{"model": "logistic"}', json.dumps(LOGISTIC | {"outcome": "height"}), "[" * 9000):
        assert Client().get(address(survey, "model/"), {"model": wrong}).status_code == 404
        assert Client().get(address(survey, "model/regression.csv"), {"model": wrong}).status_code == 404


def test_a_refused_model_says_why_in_its_own_words():
    document = {"refusal": {"reason": "separated", "needed": None}, "variables": [], "model": {}, "n_about": 9}
    assert "no finite coefficients" in " ".join(findings.sentences(document, AnalysisSelection()))


@pytest.mark.parametrize("name", [analysis.plural for analysis in COUNTED.values()])
def test_of_an_older_release_the_way_leads_to_the_newest_ones_own_page(name, survey, carla):
    """The link leads to the same page of the newest release, not to its results."""
    older = Release.objects.latest_of(survey)
    older.pk, older.number = None, 0
    older.save()
    page = carla.get(reverse(f"release-{name}", args=[survey.slug, 0]), {"outcome": "smokes"}).content.decode()
    there = reverse(f"release-{name}", args=[survey.slug, 1])
    assert f'href="{there}{"?outcome=smokes" if name == "regressions" else ""}">Newest release' in page
