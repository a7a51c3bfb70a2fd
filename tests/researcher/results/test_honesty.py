"""The pages of attention and honesty of a release: their words, refusals and files."""

import csv
import io

import openpyxl
import pytest
from django.test import Client
from django.test.html import parse_html
from django.utils import translation

from surveys.life.lifecycle import close_survey, create_draft, open_survey
from surveys.models import AnalysisRun, Release, Report, Role
from surveys.researcher.analyses.honesty import anchors
from surveys.researcher.analyses.honesty.columns import CORRECTED, KNOWN_SHARE
from surveys.researcher.downloads import readings
from surveys.researcher.downloads.codebook import of_release
from surveys.researcher.sheets.column import names
from surveys.survey.definition.layout import Layout, layouts
from tests.researcher.results.test_results import text
from tests.support.analyses import crossed
from tests.support.drawn import drawn
from tests.support.estimates import found_again, work
from tests.support.exports import closed
from tests.support.release_workbook import workbook
from tests.support.tokens import member

pytestmark = pytest.mark.django_db

OFTEN = {"options": ["Never", "Often"], "mechanism": "randomized_response"}
DRAFT = {
    "title": "Anchored",
    "questions": [
        {"key": "check", "kind": "single_choice", "text": "Please choose often.", "alpha": "8", "right": 1} | OFTEN,
        {"key": "smokes", "kind": "yes_no", "text": "Do you smoke?", "alpha": "8"},
        {"key": "hours", "kind": "histogram", "text": "How many hours?", "alpha": "8", "edges": ["0", "1", "2"]},
        {"key": "quit", "kind": "yes_no", "text": "Do you want to quit?", "alpha": "8"}
        | {"asked_if": {"question": "smokes", "options": [0]}},
    ],
}


def ended():
    """Return a survey: 80 of 400 people pay no attention, half of them fail the check, half smoke; 32 others smoke."""
    survey = create_draft(DRAFT, results_public=True)
    open_survey(survey)
    pack = Layout(survey.definition).pack
    answers = [(1, 0)] * 32 + [(1, 1)] * 288 + [(0, 0)] * 20 + [(0, 1)] * 20 + [(1, 0)] * 20 + [(1, 1)] * 20
    rest = {"hours": [1], "quit": [1]}
    packed = [pack({"check": [right], "smokes": [smokes]} | rest) for right, smokes in answers]
    Report.objects.bulk_create(Report(id=f"{i:032x}", survey=survey, packed=one) for i, one in enumerate(packed))
    close_survey(survey)
    work(survey)
    crossed(survey, "check", "smokes")
    return survey


@pytest.fixture(scope="module")
def ended_once(outer_transaction):
    return ended()


@pytest.fixture
def survey(ended_once, db):
    return found_again(ended_once)


def get(survey, rest, language="en", **query):
    return Client(headers={"accept-language": language}).get(f"/r/{survey.slug}/1/{rest}", query)


def said(answer):
    assert answer.status_code == 200
    return text(parse_html(answer.content.decode()))


def test_results_and_the_cross_table_lead_there(survey):
    assert f'href="/r/{survey.slug}/1/honesty/"' in get(survey, "").content.decode()
    assert "Correct “Do you smoke?” for attention" in said(get(survey, "cross/check/smokes/"))
    page = said(get(survey, "honesty/"))
    assert "Everyone should answer “Often”" in page and "estimate: 80%" in page
    assert "Do you smoke?" in page and "How many hours?" not in page.partition("publicly known")[0]
    assert "Make the cross-table" not in page


def test_corrected_shares_stand_beside_uncorrected_ones_with_what_is_assumed(survey):
    page = said(get(survey, "cross/check/smokes/corrected/"))
    assert "people who pay no attention give each answer to every question equally often" in page
    assert "It does not detect people who read carefully and lie: they give the right answer here, too." in page
    rows = list(csv.DictReader(io.StringIO(get(survey, "cross/check/smokes/corrected.csv").content.decode())))
    assert tuple(rows[0]) == names(CORRECTED) and len(rows) == 6
    yes = next(row for row in rows if row["option"] == "Yes" and row["confidence"] == "0.95")
    assert float(yes["uncorrected"]) == pytest.approx(0.18, abs=0.01)
    assert float(yes["corrected"]) == pytest.approx(0.1, abs=0.01)
    assert float(yes["interval_low"]) < 0.1 < float(yes["interval_high"]) and yes["right_answer"] == "Often"
    assert f"{100 * float(yes['corrected']):.1f}" in page and f"{100 * float(yes['uncorrected']):.1f}" in page
    document = get(survey, "cross/check/smokes/corrected.json").json()
    assert document["anchor"] == "check" and document["attention"] == pytest.approx(0.8, abs=0.01)
    assert [share["estimate"] for share in document["shares"]] == [float(row["corrected"]) for row in rows[::3]]


def test_the_question_itself_says_which_answer_everyone_should_give(survey):
    assert "Everyone should answer “Often”." in said(get(survey, ""))
    codebook = {each["key"]: each for each in of_release(Release.objects.latest_of(survey))["questions"]}
    assert codebook["check"]["right"] == 1
    assert codebook["check"]["estimation"]["asked_of"] == "Everyone should answer “Often”."
    assert codebook["smokes"]["estimation"]["asked_of"] == ""


def test_two_questions_of_one_form_that_is_randomized_together_are_corrected_from_its_counts():
    """In the first form, 100 of 600 people pay no attention."""
    draft = {"title": "Together", "questions": [dict(DRAFT["questions"][0]), dict(DRAFT["questions"][1])]}
    draft["questions"].append({"key": "other", "kind": "yes_no", "text": "Is it so?", "alpha": "1"})
    for question in draft["questions"][:2]:
        question.pop("alpha")
        question.pop("mechanism", None)
    draft = drawn(draft | {"forms": [{"questions": ["check", "smokes"], "alpha": "8"}, {"questions": ["other"]}]})
    survey = create_draft(draft, results_public=True)
    open_survey(survey)
    answers = [(1, 0)] * 50 + [(1, 1)] * 450 + [(0, 0)] * 25 + [(0, 1)] * 25 + [(1, 0)] * 25 + [(1, 1)] * 25
    values = [(0, {"check": [check], "smokes": [smokes]}) for check, smokes in answers] + [(1, {"other": [0]})] * 200
    each = layouts(survey.definition)
    Report.objects.bulk_create(
        Report(id=f"{i:032x}", survey=survey, form=form, packed=each[form].pack(report))
        for i, (form, report) in enumerate(values)
    )
    close_survey(survey)
    work(survey)
    crossed(survey, "check", "smokes")
    document = get(survey, "cross/check/smokes/corrected.json").json()
    assert document["n_about"] == 600 and document["attention"] == pytest.approx(5 / 6, abs=0.01)
    assert document["shares"][0]["estimate"] == pytest.approx(0.1, abs=0.01)
    assert document["shares"][0]["uncorrected"] == pytest.approx(1 / 6, abs=0.01)
    assert get(survey, "cross/check/other/corrected/").status_code == 404


def test_what_no_anchor_corrects_has_no_such_page(survey):
    for pair in ("smokes/hours", "check/quit", "check/hours", "check/none", "check/check"):
        assert get(survey, f"cross/{pair}/corrected/").status_code == 404
        assert get(survey, f"cross/{pair}/corrected.csv").status_code == 404
    assert get(survey, "cross/check/smokes/corrected.xml").status_code == 404


def test_where_the_cross_table_is_not_made_researchers_can_ask_for_it(survey):
    AnalysisRun.objects.all().delete()
    assert get(survey, "cross/check/smokes/corrected/")["Location"] == f"/r/{survey.slug}/1/cross/check/smokes/"
    assert get(survey, "cross/check/smokes/corrected.csv").status_code == 404
    assert "no cross-table yet" in said(get(survey, "honesty/"))
    researcher = Client()
    researcher.force_login(member(survey, Role.RESEARCHER))
    assert "Make the cross-table" in said(researcher.get(f"/r/{survey.slug}/1/honesty/"))


def test_where_no_one_surely_pays_attention_the_page_says_how_many_reports_would_do(survey):
    row = AnalysisRun.objects.get()
    counts = [[400, 200, 200], [195, 97, 98], [205, 103, 102]]
    AnalysisRun.objects.update(document=row.document | {"counts": counts})
    page = said(get(survey, "cross/check/smokes/corrected/"))
    assert "It is not certain that anyone paid attention" in page and "about both questions would be enough" in page
    assert "Uncorrected" not in page
    answer = get(survey, "cross/check/smokes/corrected.json")
    assert answer.status_code == 400 and b"would be enough" in answer.content


def test_a_known_share_is_compared_and_the_page_says_what_that_tells(survey):
    page = said(get(survey, "honesty/", answer="smokes:1", share="40"))
    assert "“Yes” is answered less often than is true" in page and "No report shows which." in page
    assert "is answered more often than is true" in said(get(survey, "honesty/", answer="smokes:1", share="2,5"))
    same = said(get(survey, "honesty/", answer="smokes:1", share="18"))
    assert "do not show that “Yes” is answered more or less often" in same and "no proof of honesty" in same


def test_items_that_no_report_is_about_are_not_offered():
    items = [f"Item {i}" for i in range(1, 65)]
    grid = {"key": "rows", "kind": "grid", "text": "How?", "items": items, "options": ["well", "badly"], "alpha": "1"}
    page = get(closed({"title": "Rows", "questions": [grid]}, 30), "honesty/")
    offered = [i for i in range(1, 65) if f'value="rows.{i}:1"' in page.content.decode()]
    assert page.status_code == 200 and 0 < len(offered) <= 30


def test_a_comparison_is_a_file_too(survey):
    answer = get(survey, "honesty/known.csv", answer="smokes:1", share="40")
    assert answer["Content-Disposition"] == 'attachment; filename="known-1-smokes.csv"'
    rows = list(csv.DictReader(io.StringIO(answer.content.decode())))
    assert tuple(rows[0]) == names(KNOWN_SHARE) and [row["confidence"] for row in rows] == ["0.9", "0.95", "0.99"]
    assert get(survey, "honesty/known.csv").status_code == 400
    assert b"share: Type a number" in get(survey, "honesty/known.json", answer="smokes:1", share="x").content
    assert get(survey, "honesty/known.xml", answer="smokes:1", share="40").status_code == 404


@pytest.mark.parametrize("share", ["", "x", "101", "-1"])
def test_what_is_no_share_is_refused_beside_the_field(survey, share):
    answer = get(survey, "honesty/", answer="smokes:1", share=share)
    assert "Type a number from 0 to 100" in said(answer) and 'aria-invalid="true"' in answer.content.decode()


def test_answers_of_questions_that_only_some_are_asked_cannot_be_compared(survey):
    answer = get(survey, "honesty/", answer="quit:1", share="40")
    assert "Estimated" not in said(answer) and 'value="quit:1"' not in answer.content.decode()


@pytest.mark.parametrize("language", ["de", "ar"])
def test_the_pages_speak_german_and_arabic(survey, language):
    for rest in ("honesty/?answer=smokes:1&share=40", "cross/check/smokes/corrected/"):
        page = said(get(survey, rest, language))
        with translation.override(language):
            assert str(translation.gettext("Attention and honesty")).split(":")[0] in page
        assert "attention" not in page and "share" not in page


def test_attention_is_a_reading_and_corrected_shares_are_a_sheet(survey):
    release = Release.objects.latest_of(survey)
    rows = [row for row in readings.rows(release) if row["quantity"] == "attention"]
    assert [row["confidence"] for row in rows] == [0.9, 0.95, 0.99]
    assert {(row["question"], row["option"], row["target"]) for row in rows} == {("check", "Often", "population")}
    document = get(survey, "cross/check/smokes/corrected.json").json()
    assert all(row["estimate"] == pytest.approx(document["attention"], abs=1e-9) for row in rows)
    assert all(row["interval_low"] < row["estimate"] < row["interval_high"] for row in rows)
    [made] = anchors.corrected(release)
    assert made == document
    book = openpyxl.load_workbook(io.BytesIO(workbook(Client(), f"/r/{survey.slug}/1/downloads/tables.xlsx").content))
    head, *body = book["Corrected shares"].iter_rows(values_only=True)
    assert "Corrected" in head and "Share of people who pay attention" in head and len(body) == 6
