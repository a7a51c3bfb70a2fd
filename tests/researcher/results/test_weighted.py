"""The page that weights a question of a cross-table by known shares: its words, refusals and files."""

import csv
import io
from urllib.parse import urlencode

import numpy as np
import openpyxl
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.test.html import parse_html
from django.utils import translation

from surveys.life.lifecycle import close_survey, create_draft, open_survey
from surveys.models import AnalysisRun, Report
from surveys.researcher.analyses.weighting import pasted
from surveys.researcher.analyses.weighting.columns import COLUMNS
from surveys.researcher.sheets.column import names
from surveys.survey.definition.layout import Layout
from tests.researcher.results.test_forms import ended
from tests.researcher.results.test_results import text
from tests.support.analyses import crossed
from tests.support.estimates import found_again, work

pytestmark = pytest.mark.django_db

DRAFT = {
    "title": "Weighted",
    "questions": [
        {"key": "region", "kind": "single_choice", "text": "Where do you live?", "alpha": "8"}
        | {"options": ["In town", "Village, or farm"], "mechanism": "randomized_response"},
        {"key": "smokes", "kind": "yes_no", "text": "Do you smoke?", "alpha": "8"},
    ],
}


def reported(draft, reports, ends=True):
    """Return a survey whose reports list these options, one for each question. It has ended unless `ends` is false."""
    survey = create_draft(draft, results_public=True)
    open_survey(survey)
    keys = [question["key"] for question in draft["questions"]]
    lists = [{key: [option] for key, option in zip(keys, one, strict=True)} for one in reports]
    packed = [Layout(survey.definition).pack(values) for values in lists]
    Report.objects.bulk_create(Report(id=f"{i:032x}", survey=survey, packed=one) for i, one in enumerate(packed))
    if ends:
        close_survey(survey)
    work(survey)
    return survey


@pytest.fixture(scope="module")
def reported_once(outer_transaction):
    """Return a survey: three quarters live in town and four in ten of them smoke; one in ten of the others smokes."""
    survey = reported(DRAFT, [(0, 0)] * 120 + [(0, 1)] * 180 + [(1, 0)] * 10 + [(1, 1)] * 90)
    crossed(survey, "region", "smokes")
    return survey


@pytest.fixture
def survey(reported_once, db):
    return found_again(reported_once)


def at(survey, rest="weighted/", pair="region/smokes"):
    return f"/r/{survey.slug}/1/cross/{pair}/{rest}"


def get(survey, rest="weighted/", language="en", pair="region/smokes", **query):
    return Client(headers={"accept-language": language}).get(at(survey, rest, pair), query)


def said(answer):
    assert answer.status_code == 200
    return text(parse_html(answer.content.decode()))


def test_the_cross_table_leads_there_and_the_page_asks_for_a_share_of_each_answer(survey):
    assert "Weight “Do you smoke?” by known shares of “Where do you live?”" in said(get(survey, ""))
    page = said(get(survey))
    assert "“ Do you smoke? ”, weighted by known shares of “ Where do you live? ”" in page
    assert "Among those who answered: 75" in page and "add up to" not in page and "Unweighted" not in page
    assert "weighted by known shares of “ Do you smoke? ”" in said(get(survey, by="smokes"))


def test_weighted_shares_stand_beside_unweighted_ones_with_what_weighting_costs(survey):
    page = said(get(survey, share_1="20", share_2="80"))
    rows = list(csv.DictReader(io.StringIO(get(survey, "weighted.csv", share_1="20", share_2="80").content.decode())))
    yes = next(row for row in rows if row["option"] == "Yes" and row["confidence"] == "0.95")
    assert float(yes["weighted"]) == pytest.approx(0.2 * 0.4 + 0.8 * 0.1, abs=0.01)
    assert float(yes["unweighted"]) == pytest.approx(0.325, abs=0.01)
    assert f"{100 * float(yes['weighted']):.1f}" in page and f"{100 * float(yes['unweighted']):.1f}" in page
    assert "Weighted, 7" in page or "Weighted, 8" in page
    assert "Unweighted, the estimate is" in page and "times the variance of the unweighted ones" in page
    assert "no report can show whether they are." in page


NUMBERS = [
    {"key": "often", "kind": "ordered", "text": "How often?", "options": ["Never", "Weekly", "Daily"]},
    {"key": "age", "kind": "histogram", "text": "How old?", "unit": "years", "edges": ["20", "40", "60", "80"]},
]
EITHER = {"alpha": "8", "mechanism": "randomized_response"}


def test_the_mean_of_a_scale_and_of_bins_is_weighted_too():
    """Half live in town, all at the first step; the others, with a known share of three quarters, are at the last
    step."""
    draft = DRAFT | {"questions": [DRAFT["questions"][0], *(question | EITHER for question in NUMBERS)]}
    survey = reported(draft, [(i % 2, 2 * (i % 2), 2 * (i % 2)) for i in range(400)])
    known = {"share_1": "25", "share_2": "75", "by": "region"}
    for key, name, ends in (("often", "Mean rank", (2.5, None)), ("age", "Mean (years)", (50, 70))):
        crossed(survey, "region", key)
        page = said(get(survey, pair=f"region/{key}", **known))
        assert name in page and "Weighted, the population's mean" in page
        mean = get(survey, "weighted.json", pair=f"region/{key}", **known).json()["mean"]
        assert mean["estimate"] == pytest.approx(ends[0], rel=0.01)
        assert mean["estimate_high"] == (ends[1] and pytest.approx(ends[1], rel=0.01))
        table = get(survey, "weighted.csv", pair=f"region/{key}", **known).content.decode()
        rows = [row for row in csv.DictReader(io.StringIO(table)) if row["quantity"] != "share"]
        assert [float(row["interval_low"]) for row in rows] == [low for low, _ in mean["intervals"]]


def test_the_files_have_the_same_numbers_and_the_known_shares(survey):
    query = {"by": "smokes", "share_1": "30", "share_2": "70"}
    answer = get(survey, "weighted.csv", **query)
    assert answer["Content-Disposition"] == 'attachment; filename="weighted-1-region-by-smokes.csv"'
    rows = list(csv.DictReader(io.StringIO(answer.content.decode())))
    assert tuple(rows[0]) == names(COLUMNS) and len(rows) == 6 and {row["known_shares"] for row in rows} == {"0.3 0.7"}
    document = get(survey, "weighted.json", **query).json()
    assert document["by"] == "smokes" and [stratum["share"] for stratum in document["strata"]] == [0.3, 0.7]
    assert [share["estimate"] for share in document["shares"]] == [float(row["weighted"]) for row in rows[::3]]
    book = openpyxl.load_workbook(io.BytesIO(get(survey, "weighted.xlsx", "ar", **query).content))
    sheet = book.worksheets[1]
    assert sheet.sheet_view.rightToLeft and sheet.max_row == 7
    unweighted = [row[7] for row in sheet.iter_rows(min_row=2, values_only=True)][::3]
    assert unweighted == pytest.approx([share["unweighted"] for share in document["shares"]])
    assert get(survey, "weighted.csv").status_code == 400
    wrong = get(survey, "weighted.csv", share_1="30", share_2="60")
    assert wrong.status_code == 400 and "they must add up to 100%" in wrong.content.decode()
    assert get(survey, "weighted.xml", **query).status_code == 404


@pytest.mark.parametrize(
    ("typed", "rule"),
    [
        ({"share_1": "20", "share_2": "79"}, "The known shares add up to 99%: they must add up to 100%."),
        ({"share_1": "20"}, "Type its share, 0 if no one in the population gives this answer."),
        ({"share_1": "a lot", "share_2": "80"}, "Type a number from 0 to 100, such as 12.5."),
        ({"share_1": "-20", "share_2": "120"}, "Type a number from 0 to 100, such as 12.5."),
        ({"share_1": "nan", "share_2": "1e999999"}, "Type a number from 0 to 100, such as 12.5."),
        ({"table": "In town;20\nIn town;80"}, "Line 2: “In town” is there twice."),
        ({"table": "In town;100"}, "“Village, or farm” has no line: each answer needs one."),
        ({"table": "In town;20\nAbroad;80"}, "Line 2: “Abroad” is not one of the answers."),
        ({"table": "In town;20\nVillage, or farm;x"}, "Line 2: Type a number from 0 to 100"),
        ({"table": "In town;20\nVillage, or farm"}, "Line 2: it must be an answer and its share"),
        ({"table": "In town;20\nVillage, or farm;30"}, "The known shares add up to 50%: they must add up to 100%."),
    ],
)
def test_what_are_no_shares_is_refused_with_the_rule_beside_the_field(survey, typed, rule):
    answer = get(survey, **typed)
    assert rule in said(answer) and "Design effect" not in said(answer)
    assert 'aria-invalid="true"' in answer.content.decode()


@pytest.mark.parametrize(
    "table",
    [
        'answer,share\nin town,20\n"Village, or farm",80\n',
        "In town\t20 %\nVillage, or farm\t80 %",
        "﻿Antwort;Anteil\nVillage, or farm;79,95\nIn town;20,05",
        "In town;٢٠٫٠٥\nVillage, or farm;٧٩٫٩٥٪",
    ],
)
def test_a_pasted_table_becomes_an_address_of_shares(survey, table):
    answer = get(survey, table=table, confidence="99")
    share = "20" if "5" not in table.replace("٥", "5") else "20.05"
    rest = "80" if share == "20" else "79.95"
    query = urlencode({"by": "region", "confidence": 99, "share_1": share, "share_2": rest})
    assert answer.status_code == 302 and answer["Location"] == f"{at(survey)}?{query}#shares"
    assert "Design effect" in said(Client().get(answer["Location"]))


def test_too_small_an_answer_says_how_many_reports_would_do(survey):
    row = AnalysisRun.objects.get()
    counts = np.array(row.document["counts"])
    counts[0], counts[1], counts[2] = [400, 130, 270], [396, 129, 267], [4, 1, 3]
    AnalysisRun.objects.update(document=row.document | {"counts": counts.tolist()})
    page = said(get(survey, share_1="20", share_2="80"))
    assert "Too few reports to weight by these answers" in page and "“Village, or farm”: too few reports" in page
    assert "Design effect" not in page
    assert b"would be enough" in get(survey, "weighted.json", share_1="20", share_2="80").content
    assert "Design effect" in said(get(survey, share_1="100", share_2="0"))


def test_questions_of_a_joint_form_are_weighted_from_the_release():
    survey = ended((4000, 190, 206))
    crossed(survey, "drugs", "age")
    query = {"by": "age", "share_1": "100", "share_2": "0", "share_3": "0"}
    answer = get(survey, "weighted.json", "en", pair="drugs/age", **query)
    assert answer.json()["question"] == "drugs" and answer.json()["n_about"] == 4000
    assert "Weighted and unweighted shares" in said(get(survey, pair="drugs/age", **query))


def test_of_a_table_that_is_not_made_the_page_leads_to_where_that_is_said(survey):
    AnalysisRun.objects.all().delete()
    assert get(survey)["Location"] == at(survey, "")
    assert get(survey, "weighted.csv").status_code == 404
    assert Client().get(at(survey, pair="smokes/region"))["Location"] == at(survey, "", "smokes/region")
    assert Client().get(at(survey, pair="region/none")).status_code == 404


@pytest.mark.parametrize(("language", "rule"), [("de", "100"), ("ar", "100")])
def test_the_page_speaks_german_and_arabic(survey, language, rule):
    page = said(get(survey, language=language, share_1="20,5", share_2="79,5"))
    with translation.override(language):
        assert str(translation.gettext("Design effect")) in page and "Design effect" not in page
    assert rule in said(get(survey, language=language, share_1="20", share_2="79"))


def test_a_share_has_any_decimal_sign():
    assert [str(pasted.percent(text)) for text in ("12.5", "12,5", "12,5 %", "١٢٫٥٪")] == ["12.5"] * 4


def upload(survey, content, **query):
    file = SimpleUploadedFile("shares.csv", content, content_type="text/csv")
    address = f"{at(survey)}?{urlencode({'by': 'region', 'confidence': 90} | query)}"
    return Client(enforce_csrf_checks=True, headers={"accept-language": "en"}).post(address, {"file": file})


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_file_becomes_the_address_that_typing_would_make(survey, encoding):
    """The file is a spreadsheet's: with a heading, quotes and decimal commas."""
    table = 'Answer;Share\r\n"Village, or farm";"50,5"\r\nIn town;49,5 %\r\n'
    answer = upload(survey, table.encode(encoding))
    query = urlencode({"by": "region", "confidence": 90, "share_1": "49.5", "share_2": "50.5"})
    assert answer.status_code == 302 and answer["Location"] == f"{at(survey)}?{query}#shares"


@pytest.mark.parametrize(
    ("content", "rule"),
    [
        (b"In town;50\nFarm;50\n", "Line 2: “Farm” is not one of the answers."),
        (b"In town;50\nVillage, or farm;fifty\n", "Line 2: Type a number from 0 to 100"),
        (b"In town;50\nIn town;50\n", "Line 2: “In town” is there twice."),
        (b"In town;50\n", "“Village, or farm” has no line"),
        (b"In town;60\nVillage, or farm;50\n", "they must add up to 100%"),
        ("In town;50\nVillage, or farm;50 \u2030".encode("cp1252"), "Line 2:"),
        (b"In town;50\n" * 3000, "20000"),
        (b"", "Type its share"),
    ],
)
def test_a_file_that_is_no_table_is_refused_by_line_and_rule(survey, content, rule):
    answer = upload(survey, content)
    assert answer.status_code == 422 and rule in text(parse_html(answer.content.decode()))
