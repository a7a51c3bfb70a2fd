"""The page of a cross-table states the confidence of its numbers, and the number of looks for which they hold."""

import csv
import io
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.test.html import parse_html

from ldp import crossing as crossings
from ldp.planning import associations
from surveys.life.lifecycle import close_survey, create_draft, open_survey
from surveys.models import AnalysisRun, Release, Report
from surveys.researcher.analyses.crossings import outlook, pairs
from surveys.researcher.analyses.crossings.analysis import CROSSINGS
from surveys.survey.definition.layout import Layout
from tests.researcher.results.test_results import text
from tests.support.analyses import asked, crossed
from tests.support.estimates import collect, found_again, work
from tests.support.factories import DRAFT
from worker import analyses

pytestmark = pytest.mark.django_db

OPEN = "The survey is still open"
AT_A_PRECISION = "This survey could end as soon as its intervals were narrow enough."


def opened(**fields):
    survey = create_draft(DRAFT, results_public=True, **fields)
    open_survey(survey)
    collect(survey, 300)
    return survey


def page(survey, **query):
    release = Release.objects.latest_of(survey)
    analyses.make(asked(CROSSINGS, survey, {"first": "yes", "second": "which"}).pk)
    return text(parse_html(Client().get(f"/r/{survey.slug}/{release.number}/cross/yes/which/", query).content.decode()))


def test_while_a_survey_goes_on_it_is_said_to_be_for_one_look_and_then_no_more():
    survey = opened()
    assert OPEN in page(survey)
    close_survey(survey)
    work(survey)
    final = page(survey)
    assert OPEN not in final and AT_A_PRECISION not in final


def test_a_survey_that_may_end_because_of_what_it_found_says_so_to_the_last():
    survey = opened(closes_at_half_width=0.01)
    close_survey(survey)
    work(survey)
    assert AT_A_PRECISION in page(survey)


@pytest.mark.parametrize(("confidence", "error"), [("90", "10%"), ("95", "5%"), ("99", "1%")])
def test_the_page_says_what_tests_and_intervals_spend(confidence, error):
    said = page(opened(), confidence=confidence)
    assert f"{confidence}% In at most {error} of surveys the tests together find dependence that is not there" in said


# Sizes that would show more -------------------------------------------------------------------------------------------


def even(count):
    """Return a release of that many reports in which no answer depends on another."""
    survey = create_draft(
        SCALE | {"questions": [one | {"alpha": "1"} for one in SCALE["questions"]]}, results_public=True
    )
    for question in survey.draft["questions"]:
        question["mechanism"] = "randomized_response"
    survey.save()
    open_survey(survey)
    pack = Layout(survey.definition).pack
    packed = [pack({"yes": [i % 2], "often": [i % 3]}) for i in range(count)]
    Report.objects.bulk_create(Report(id=f"{i:032x}", survey=survey, packed=one) for i, one in enumerate(packed))
    close_survey(survey)
    work(survey)
    return survey, crossed(survey, "yes", "often")


def test_a_table_that_shows_nothing_says_what_would():
    survey, row = even(3000)
    said = text(parse_html(Client().get(f"/r/{survey.slug}/1/cross/yes/often/").content.decode()))
    assert "No statistically significant relation between the two questions." in said
    release = Release.objects.latest_of(survey)
    pair = pairs.ordered(release, "yes", "often")
    again = pairs.rebuilt(release, pair, row.document)
    wider, found, _strictest = row.document["outlook"]
    assert found == outlook.of(row.document, 0.95)
    assert "With a chance of 80%" in said and f"{pair[0].options[found['row']]}” to “" in said
    assert f"About {found['reports']:,} reports about both questions would show 10 points with the same chance" in said
    assert f"if both questions together had an alpha of {found['alpha']:.1f}" in said
    assert associations.alpha_total(again) < found["alpha"] and release.n < found["reports"]
    # Another confidence means other tests: fewer reports are enough.
    assert wider["confidence"] == 0.9 and wider["reports"] < found["reports"]
    [cell] = [each for each in crossings.rows(row.document) if each["reports_needed"] and each["confidence"] == 0.95]
    assert cell["quantity"] == "joint" and cell["option"] == pair[0].options[found["row"]]
    assert [cell[name] for name in crossings.NEEDED] == [found[field] for field in crossings.NEEDED.values()]


def test_a_table_that_shows_something_does_not(dependent):
    survey, _row = dependent
    said = text(parse_html(Client().get(f"/r/{survey.slug}/1/cross/yes/often/").content.decode()))
    assert "With a chance of" not in said and "would show" not in said


# Cells that cannot be tested, and the labels of rows and columns ------------------------------------------------------

SCALE = {
    "title": "One scale",
    "questions": [
        {"key": "yes", "kind": "yes_no", "text": "Do you smoke?", "alpha": "8"},
        {"key": "often", "kind": "ordered", "text": "How often do you drink?", "alpha": "8"}
        | {"options": ["Never", "Weekly", "Daily"], "mechanism": "exponential"},
    ],
}


@pytest.fixture(scope="module")
def dependent_once(outer_transaction):
    """Return a release in which smokers drink less than the others."""
    survey = create_draft(SCALE, results_public=True)
    open_survey(survey)
    pack = Layout(survey.definition).pack
    packed = [pack({"yes": [i % 2], "often": 1 if i % 10 < 2 else 2 - 2 * (i % 2)}) for i in range(200)]
    Report.objects.bulk_create(Report(id=f"{i:032x}", survey=survey, packed=one) for i, one in enumerate(packed))
    close_survey(survey)
    work(survey)
    return survey, crossed(survey, "yes", "often")


@pytest.fixture
def dependent(dependent_once, db):
    survey, row = dependent_once
    return found_again(survey), AnalysisRun.objects.get(pk=row.pk)


def test_with_the_exponential_mechanism_single_pairs_are_said_to_be_untested(dependent):
    survey, _row = dependent
    said = text(parse_html(Client().get(f"/r/{survey.slug}/1/cross/yes/often/").content.decode()))
    assert "The two questions are related: that is statistically significant." in said
    assert "Single pairs of answers cannot be tested with the exponential mechanism." in said
    assert "stands out" not in said and "▲" not in said


def test_the_files_say_why_there_is_no_p_value(dependent):
    survey, _row = dependent
    rows, document = files(survey)
    assert {(row["p_value"], row["corrected_p_value"]) for row in rows} == {("", "")}
    assert {row["reason"] for row in rows} == {document["reasons"]["cells"]}
    assert "cannot be tested with the exponential mechanism" in document["reasons"]["cells"]
    assert document["reasons"]["independence"] is None and document["independence"]["p_value"] >= 0


def test_where_there_is_a_p_value_there_is_no_reason():
    survey = opened()
    crossed(survey, "yes", "which")
    rows, document = files(survey)
    assert all(row["p_value"] and not row["reason"] for row in rows)
    assert document["reasons"]["cells"] is None


def files(survey):
    of_survey = AnalysisRun.objects.filter(release__survey=survey)
    at = f"/r/{survey.slug}/1/cross/" + "/".join(of_survey.get().specification.values())
    # Files are the same in every requested language.
    table = Client().get(f"{at}/crossing.csv?language=de").content.decode()
    return list(csv.DictReader(io.StringIO(table))), Client().get(f"{at}/crossing.json?language=ar").json()


def test_with_other_mechanisms_pairs_are_named_with_their_questions(dependent):
    survey, row = dependent
    marked = row.document["cells"][0] | {"p_value": 0.001, "corrected": 0.001, "direction": -1}
    row.document["cells"][0] = marked
    AnalysisRun.objects.filter(pk=row.pk).update(document=row.document)
    said = text(parse_html(Client().get(f"/r/{survey.slug}/1/cross/yes/often/").content.decode()))
    assert (
        "Among those who answered “Yes” to “Do you smoke?”, " in said
        and "answered “Never” to “How often do you drink?”." in said
    )
    assert "cannot be tested" not in said and "▲" in said


def test_rows_and_columns_are_named_with_their_questions(dependent):
    survey, _row = dependent
    body = Client().get(f"/r/{survey.slug}/1/cross/yes/often/").content.decode()
    table = body[body.index("<table>") : body.index("</thead>")]
    assert "<bdi>Do you smoke?</bdi></th>" in table
    assert '<th colspan="3" scope="colgroup"><bdi>How often do you drink?</bdi></th>' in table
    picture = Client().get(f"/r/{survey.slug}/1/cross/yes/often/heat-light.svg").content.decode()
    drawn = ElementTree.fromstring(picture)
    texts = " ".join("".join(each.itertext()) for each in drawn.iter("{http://www.w3.org/2000/svg}text"))
    assert "Do you smoke?" in texts and "How often do you drink?" in texts
