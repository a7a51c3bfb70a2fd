"""Versions of a question on the results page: side by side, with what differs between them (M38, M42b)."""

import copy
import json
from functools import partial

import pytest
from django.test import Client

from ldp.forms import results
from ldp.inference import intervals
from ldp.inference.reading import apart
from ldp.inference.reading.unasked import Decider, Deciders
from ldp.inference.tallied import of_question
from surveys.designer.privacy.arms import outlook
from surveys.designer.privacy.questions import questions_of
from surveys.life.lifecycle import close_survey
from surveys.researcher.analyses.frame.comparison import among_reached, between
from surveys.researcher.analyses.versions.arms import arms
from surveys.researcher.results import reached
from surveys.researcher.results.released import of_release
from surveys.researcher.results.versions import first_version
from surveys.survey import definition as definitions
from tests.researcher.results.test_forms import ended, text
from tests.researcher.results.test_question import table
from tests.support.drawn import drawn
from tests.support.estimates import found_again, work
from tests.support.factories import opened_survey
from tests.worker.test_batches import store
from worker import batches

pytestmark = pytest.mark.django_db

KINDS = {
    "yes_no": {},
    "ordered": {"options": ["bad", "fair", "good"]},
    "multiple_choice": {"options": ["tea", "milk", "beer"]},
    "grid": {"options": ["yes", "no"], "items": ["here", "there"]},
    "histogram": {"edges": ["0", "10", "20", "30"], "unit": "years"},
    "mean": {"low": "0", "high": "50", "unit": "km"},
}
EVERY = drawn(
    {
        "title": "Every kind twice",
        "questions": [
            {"key": f"{kind}{version}", "kind": kind, "text": f"{kind} {version}?", "alpha": "3"}
            | fields
            | ({"arm_of": f"{kind}1"} if version == 2 else {})
            for kind, fields in KINDS.items()
            for version in (1, 2)
        ],
        "forms": [{"questions": [f"{kind}{version}" for kind in KINDS]} for version in (1, 2)],
    }
)

FIRST = {"yes_no": 0, "ordered": 0, "multiple_choice": [True, False, False], "grid": [0, 1]} | {
    "histogram": 0,
    "mean": "5",
}


@pytest.fixture(scope="module")
def every_once(outer_transaction):
    answers = [{key: FIRST[key[:-1]] for draw in form["draws"] for key in draw["questions"]} for form in EVERY["forms"]]
    return survey_of(EVERY, (150, 120), answers)


@pytest.fixture
def every(every_once, db):
    return found_again(every_once)


def page(survey, **query):
    return Client().get(f"/r/{survey.slug}/", query).content.decode()


def test_every_kind_is_compared_under_its_first_version(every):
    said = page(every)
    assert said.count('class="item arms"') == len(KINDS)
    assert said.count("Another version of question") == len(KINDS)
    for kind, many in {"yes_no": 1, "ordered": 3, "multiple_choice": 3, "grid": 2, "histogram": 3, "mean": 1}.items():
        assert len(table(said, f"arms-{kind}1-differences")) == many, kind
    assert "%(" not in said and "None" not in said and "nan" not in said
    assert "due to the version or to the other questions of its form" in said


def test_as_many_numbers_are_compared_as_planning_says(every):
    planned = {family.key: family.compared for family in outlook(questions_of(every), 100)}
    found = {key: len(arms(every.slug, 1, key, 0.95).differences) for key in planned}
    assert planned == found and len(planned) == len(KINDS)


def test_each_difference_is_that_of_the_published_estimates_with_its_exact_interval(every):
    found = arms(every.slug, 1, "ordered1", 0.95)
    one, other = (of_release(every.slug, 1, key) for key in ("ordered1", "ordered2"))
    level = intervals.bonferroni(0.95, 3)
    for each in found.differences:
        j = each.place.option
        here, there = one.rows[j], other.rows[j]
        assert each.comparison.estimate == apart.estimate(here, there)
        assert each.comparison.p_value == apart.p_value(here, there, level)
        exact = apart.interval(here, there, level)
        assert each.comparison.interval.low <= exact.low and exact.high <= each.comparison.interval.high
    assert (one.n, other.n) == (150, 120)


def test_of_a_mean_the_difference_is_in_its_unit(every):
    [row] = table(page(every), "arms-mean1-differences")
    difference = arms(every.slug, 1, "mean1", 0.95).differences[0].comparison
    assert float(row[1].removesuffix(" km").replace("−", "-")) == pytest.approx(50 * difference.estimate, abs=0.5)


DIFFERENT = drawn(
    {
        "title": "Two words",
        "questions": [
            {"key": "war", "kind": "single_choice", "text": "Forbid it?", "options": ["Forbid", "Not"], "alpha": "4"},
            {"key": "peace", "kind": "single_choice", "text": "Not allow it?", "options": ["Not allow", "Allow"]}
            | {"alpha": "1", "arm_of": "war"},
        ],
        "forms": [{"weight": 2, "questions": ["war"]}, {"weight": 1, "questions": ["peace"]}],
    }
)


def store_forms(survey, numbers, answers):
    """Store this many reports of each form, all with the form's answers."""
    for form, (n, given) in enumerate(zip(numbers, answers, strict=True)):
        store(survey, range(10_000 * form, 10_000 * form + n), form=form, **given)


def survey_of(draft, numbers, answers, final=True):
    survey = opened_survey(copy.deepcopy(draft), results_public=True)
    store_forms(survey, numbers, answers)
    return finish(survey, final)


def finish(survey, final=True):
    """Return the survey with a release of all its reports."""
    if final:
        close_survey(survey)
    while batches.take(survey):
        pass
    work(survey)
    return survey


def test_what_differs_is_said_in_the_words_of_each_version():
    survey = survey_of(DIFFERENT, (400, 400), ({"war": 0}, {"peace": 1}))
    said = text("results", survey.slug)
    assert "Asked in 2 versions: The versions differ." in said
    assert "“Forbid” in version 1 is more common than “Not allow” in version 2." in said
    assert "Forbid it? Form 1, 400 reports, α = 4" in said and "Not allow it? Form 2, 400 reports, α = 1" in said
    [row] = table(page(survey), "arms-war-differences")
    assert row[0] == "1 – 2: Forbid / Not allow" and row[3] == "< 0.0001"
    assert (
        "So a difference beyond chance is due to the version, unless" in said
        and "Another version of question 1" in said
    )


def routed(rules, *deciding):
    """Return the draft of two versions, asked only if these rules hold for the deciding questions."""
    return DIFFERENT | {"questions": [*deciding, *(each | {"asked_if": rules} for each in DIFFERENT["questions"])]}


HERE = {"key": "here", "kind": "yes_no", "text": "Here?", "alpha": "8"}
WHERE = {"key": "where", "kind": "yes_no", "text": "There?", "alpha": "8"}


def test_versions_of_a_routed_question_are_compared_among_those_who_were_asked():
    """Half are asked. They all say “Forbid” to the first version and “Allow” to the second; the filler is “Not”, or
    “Allow”."""
    survey = opened_survey(routed({"question": "here", "options": [0]}, HERE), results_public=True)
    for form, given in enumerate(({"war": 0}, {"peace": 1})):
        for here in (0, 1):
            seeds = range(10_000 * form + 1000 * here, 10_000 * form + 1000 * here + 400)
            store(survey, seeds, form=form, here=here, **given)
    finish(survey)
    compared = arms(survey.slug, 1, "war", 0.95)
    [one] = compared.differences
    assert one.comparison.estimate == pytest.approx(1, abs=0.25) and one.is_sure
    assert one.comparison.interval.low <= 1 <= one.comparison.interval.high + 1e-9
    everyone = apart.estimate(*(of_release(survey.slug, 1, key).rows[0] for key in ("war", "peace")))
    assert everyone == pytest.approx(0.5, abs=0.15), "half of it is the filler's"
    shown = text("results", survey.slug).partition("Asked in 2 versions")[2]
    assert "Asked only of those who answered “Yes” to “Here?”. The results describe only these people." in shown
    assert "describe everyone" not in shown and "or not asked" not in shown
    shares = {row[0]: row[1:] for row in table(page(survey), "arms-war")}
    first, second = (float(cell.split()[0].replace("−", "-")) for cell in shares["Forbid / Not allow"])
    assert (first, second) == pytest.approx((100, 0), abs=25)


@pytest.mark.parametrize("here", [0, 6])
def test_where_hardly_anyone_was_asked_no_number_is_beyond_what_is_possible(here):
    """A quotient by almost nothing would be in the billions."""
    survey = opened_survey(routed({"question": "here", "options": [0]}, HERE | {"alpha": "1"}), results_public=True)
    for form, given in enumerate(({"war": 0}, {"peace": 1})):
        store(survey, range(1000 * form, 1000 * form + here), form=form, here=0, **given)
        store(survey, range(1000 * form + here, 1000 * form + 60), form=form, here=1, **given)
    finish(survey)
    [one] = arms(survey.slug, 1, "war", 0.95).differences
    assert -1 <= one.comparison.interval.low <= one.comparison.estimate <= one.comparison.interval.high <= 1
    question = of_release(survey.slug, 1, "war")
    for category in reached.narrowed(question.result(0.95), question)["methods"][0]["categories"]:
        assert category["population"]["standard_error"] < 1


@pytest.mark.parametrize("fewer", range(30, 60))
def test_the_p_value_and_the_interval_of_those_who_were_asked_decide_alike(fewer):
    made = definitions.build(routed({"question": "here", "options": [0]}, HERE | {"alpha": "4"}))
    counts = [
        results.FormTally(1000, ({"support": [500, 500]}, {"support": [k, 1000 - k]})) for k in (500, 500 - fewer)
    ]
    rows = {question["key"]: next(of_question(question, *own))[1] for question, *own in results.counted(made, counts)}
    pair, known = ((rows["war"], 0), (rows["peace"], 0)), Deciders([Decider([(rows["here"], 0)], [0], False)])
    test = among_reached(between(*pair, (0, 0), 0.95), partial(apart.interval, *pair), 0.0, known, 0.95)
    assert (test.p_value <= 0.05) == (not test.interval.low <= 0 <= test.interval.high)


def test_versions_are_not_compared_where_reports_do_not_show_how_many_were_asked():
    rules = {"any": [{"question": "here", "options": [0]}, {"question": "where", "options": [0]}]}
    survey = survey_of(routed(rules, HERE, WHERE), (400, 400), ({"war": 0}, {"peace": 1}), final=False)
    compared = arms(survey.slug, 1, "war", 0.95)
    assert compared.is_refused and compared.differences == []
    shown = text("results", survey.slug).partition("Asked in 2 versions")[2]
    assert shown.startswith(": The versions are not compared. ")
    assert "The reports of the others hold a filler, which would count as an answer." in shown
    assert "arms-war" not in page(survey)
    assert Client().get(f"/api/v1/surveys/{survey.slug}/releases/1/versions").json()["versions"] == []


def test_what_does_not_differ_is_not_named():
    survey = survey_of(DIFFERENT, (400, 400), ({"war": 0}, {"peace": 0}))
    said = text("results", survey.slug)
    assert "These reports show no difference between the versions." in said
    assert "is more common in version" not in said and "is more common than" not in said


def test_while_the_survey_goes_on_intervals_alone_decide():
    survey = survey_of(DIFFERENT, (400, 400), ({"war": 0}, {"peace": 1}), final=False)
    [row] = table(page(survey), "arms-war-differences")
    assert row[3] == "–" and "The versions differ." in text("results", survey.slug)


def test_versions_of_which_only_one_has_reports_are_not_compared():
    survey = survey_of(DIFFERENT, (400, 5), ({"war": 0}, {"peace": 1}))
    assert arms(survey.slug, 1, "war", 0.95) is None
    said = text("results", survey.slug)
    assert "Asked in" not in said and "Too few people were asked this question" in said


def test_two_later_versions_are_compared_under_a_first_one_without_reports():
    draft = copy.deepcopy(DIFFERENT)
    draft["questions"].append(draft["questions"][1] | {"key": "calm", "text": "Calm?"})
    draft["forms"].append({"weight": 1, "draws": [{"questions": ["calm"], "alpha": "1"}]})
    survey = survey_of(draft, (5, 300, 300), ({"war": 0}, {"peace": 1}, {"calm": 1}))
    assert "Asked in 2 versions" in text("results", survey.slug)


def test_of_three_versions_every_two_are_compared():
    draft = copy.deepcopy(DIFFERENT)
    draft["questions"].append(draft["questions"][1] | {"key": "calm", "text": "Calm?"})
    draft["forms"].append({"weight": 1, "draws": [{"questions": ["calm"], "alpha": "1"}]})
    survey = survey_of(draft, (300, 300, 300), ({"war": 0}, {"peace": 1}, {"calm": 1}))
    rows = table(page(survey), "arms-war-differences")
    assert [row[0].partition(":")[0] for row in rows] == ["1 – 2", "1 – 3", "2 – 3"]
    said = text("results", survey.slug)
    assert "The versions differ in 2 of 3 numbers." in said and "All 3 differences are compared together" in said
    assert "“Forbid” in version 1 is more common than “Not allow” in version 3." in said


def test_pages_of_one_question_lead_to_the_comparison(every):
    assert first_version(every.questions, "yes_no2") == ("yes_no1", 1) and first_version([], "x") == ("", 0)
    for address in ("1/questions/yes_no2/", "1/comparisons/?question=yes_no2"):
        answer = Client().get(f"/r/{every.slug}/{address}")
        assert answer.status_code == 200 and "#versions-yes_no1" in answer.content.decode(), address


def test_a_question_of_a_joint_form_is_compared_too():
    """The question's answer has its own channel, so both totals are binomial and independent (M34)."""
    survey = survey_of(JOINT, (300, 300), ({"war": 0, "more": 1}, {"peace": 1}))
    [one] = arms(survey.slug, 1, "war", 0.95).differences
    assert one.is_sure and one.comparison.p_value < 0.0001
    assert "α = 2 for 2 questions together" in text("results", survey.slug)


JOINT = drawn(
    {
        "title": "One of them together",
        "questions": [
            DIFFERENT["questions"][0],
            {"key": "more", "kind": "yes_no", "text": "More?"},
            DIFFERENT["questions"][1] | {"alpha": "1"},
        ],
        "forms": [{"questions": ["war", "more"], "alpha": "2"}, {"questions": ["peace"]}],
    }
)


def test_a_survey_without_versions_has_no_comparison():
    survey = ended((404, 190, 206))
    assert "versions" not in page(survey) and arms(survey.slug, 1, "drugs", 0.95) is None


def test_files_and_the_api_say_which_questions_are_versions(every):
    document = Client().get(f"/api/v1/surveys/{every.slug}/estimates").json()
    of = {result["key"]: result.get("arm_of") for result in document["questions"]}
    assert of["yes_no1"] is None and of["yes_no2"] == "yes_no1" and of["grid2.1"] == "grid1"
    book = Client().get(f"/api/v1/surveys/{every.slug}/releases/1/codebook").json()
    said = {question["key"]: question["estimation"]["asked_of"] for question in book["questions"]}
    assert "was also asked as yes_no1. The first version is yes_no1." in said["yes_no2"]
    assert said["yes_no1"].endswith("was also asked as yes_no2.")


def test_the_file_of_comparisons_has_the_differences(every):
    address = f"/api/v1/surveys/{every.slug}/releases/1/pairs"
    answer = json.loads(b"".join(Client().get(address).streaming_content))
    rows = [row for row in answer["pairs"] if row["other_question"]]
    assert {(row["question"], row["other_question"]) for row in rows} == {
        (f"{kind}1{item}", f"{kind}2{item}") for kind in KINDS for item in ((".1", ".2") if kind == "grid" else ("",))
    }
    found = arms(every.slug, 1, "ordered1", 0.95)
    mine = [row for row in rows if row["question"] == "ordered1" and row["confidence"] == 0.95]
    assert [row["difference"] for row in mine] == [each.comparison.estimate for each in found.differences]
    assert [row["p_value"] for row in mine] == [each.comparison.p_value for each in found.differences]
    assert mine[0]["together"] == 3 and mine[0]["option"] == mine[0]["other_option"] == "bad"
