"""The workbook of a release has all tables, in the requested language, and no cell that a program would run."""

import io

import openpyxl
import pytest
from django.test import Client

from ldp import subgroups as by_stratum
from surveys.life.lifecycle import close_survey
from surveys.models import Release, Survey
from surveys.researcher.analyses.comparisons import pairs
from surveys.researcher.analyses.raking.analysis import RAKINGS
from surveys.researcher.analyses.regressions.analysis import REGRESSIONS
from surveys.researcher.analyses.subgroups.analysis import SUBGROUPS
from surveys.researcher.analyses.waves import files as wave_files
from surveys.researcher.downloads import column_docs, forgeries, readings, shares, trends
from surveys.researcher.sheets import book as sheets
from surveys.researcher.sheets.common_columns import HEADER
from tests.support.analyses import crossed, raked, regressed, subgrouped
from tests.support.estimates import ODD, released, work
from tests.support.exports import closed, every_pair, store
from tests.support.factories import DRAFT
from tests.support.regressions import LOGISTIC, ended
from tests.support.release_workbook import workbook
from tests.support.waves import opened_wave

pytestmark = pytest.mark.django_db

MARGINS = {
    "question": "often",
    "margins": [{"key": "smokes", "shares": [0.3, 0.7]}, {"key": "where", "shares": [0.4, 0.4, 0.2]}],
}


def taken(survey, language="en"):
    response = workbook(Client(), f"/r/{survey.slug}/1/downloads/tables.xlsx?language={language}")
    assert response.status_code == 200 and "spreadsheetml" in response["Content-Type"]
    assert response["Content-Disposition"] == f'attachment; filename="deniable-{survey.slug}-1.xlsx"'
    return openpyxl.load_workbook(io.BytesIO(response.content))


def lines(sheet):
    return [list(row) for row in sheet.iter_rows(values_only=True)]


def shows(sheet, columns, rows):
    """Check that the sheet has these rows. Return whether there are any."""
    head, *body = lines(sheet)
    assert head == [str(column.heading) for column in columns]
    for line, row in zip(body, rows, strict=True):
        for column, cell in zip(columns, line, strict=True):
            value = column.in_words(row[column.name] if row[column.name] != "" else None)
            assert cell == (pytest.approx(value) if isinstance(value, float) else value), column
    return bool(rows)


@pytest.mark.slow
@pytest.mark.statistical
def test_every_table_of_a_release_is_a_sheet(nightly):
    """Nightly, the survey has every kind and mechanism; daily, every kind with its last mechanism."""
    draft = every_pair()
    if not nightly:
        draft["questions"] = list({question["kind"]: question for question in draft["questions"]}.values())
    survey = closed(draft, 40)
    keys = [question["key"] for question in survey.questions][:2]
    crossed(survey, *keys)
    release, book = survey.release_set.get(), taken(survey)
    assert book.sheetnames == [
        "Release", "Shares", "Means", "More statistics", "Comparisons", "Trend", "Forged reports", "Cross-tables",
        "Estimates", "Covariances", "Columns",
    ]  # fmt: skip
    for sheet, columns, rows in (
        ("Shares", shares.COLUMNS, list(shares.rows(Release.objects.latest_of(survey)))),
        ("More statistics", readings.COLUMNS, list(readings.rows(release))),
        ("Comparisons", pairs.COLUMNS, list(pairs.rows(release))),
        ("Trend", trends.COLUMNS, list(trends.rows(release))),
        ("Forged reports", forgeries.COLUMNS, list(forgeries.rows(release))),
    ):
        assert shows(book[sheet], columns, rows), sheet
    for sheet in ("Means", "Cross-tables", "Estimates", "Covariances"):
        assert len(lines(book[sheet])) > 1, sheet
    named = dict(lines(book["Columns"])[1:])
    assert named["p-value, corrected"] == "corrected_p_value"


@pytest.mark.slow
def test_what_was_asked_for_is_a_sheet_of_its_own():
    survey = ended()
    model = regressed(survey, LOGISTIC).document
    by_answer = subgrouped(survey, "smokes").document
    weighted = raked(survey, MARGINS).document
    assert {row["quantity"] for row in by_stratum.rows(by_answer)} == {"within", "difference"}
    book = taken(survey)
    for sheet, columns, rows in (
        ("Models", REGRESSIONS.columns, REGRESSIONS.rows(model)),
        ("Subgroups", SUBGROUPS.columns, SUBGROUPS.rows(by_answer)),
        ("Weighted shares", RAKINGS.columns, RAKINGS.rows(weighted)),
    ):
        assert shows(book[sheet], [column for column in columns if column not in HEADER], list(rows)), sheet
    assert "logistic: the odds of one of two answers" in lines(book["Models"])[1]


def test_waves_are_a_sheet_for_anyone_who_may_see_them():
    first = closed(DRAFT, 120)
    second = opened_wave(first, results_public=True)
    store(second, 120)
    close_survey(second)
    work(second)
    names = ((first.slug, 1), (second.slug, 1))
    assert shows(taken(second)["Waves"], wave_files.COLUMNS, list(wave_files.rows(names)))
    Survey.objects.filter(pk=first.pk).update(results_public=False)
    assert "Waves" not in taken(second).sheetnames, "the one of somebody who may see more"


@pytest.mark.parametrize(("language", "sheet", "head"), [("de", "Anteile", "Antwort"), ("ar", "النسب", "الإجابة")])
def test_a_workbook_is_in_the_language_that_is_asked_for_and_goes_its_way(language, sheet, head):
    survey = closed(DRAFT, 120)
    book = taken(survey, language)
    assert head in lines(book[sheet])[0] and "Shares" not in book.sheetnames
    assert {each.sheet_view.rightToLeft or False for each in book} == {language == "ar"}
    page = Client().get(f"/r/{survey.slug}/1/downloads/", headers={"accept-language": language}).content.decode()
    assert f"tables.xlsx?language={language}" in page


def test_a_text_is_a_text_whatever_it_begins_with():
    book = taken(released(30, ODD, results_public=True))
    cells = [cell for sheet in book for row in sheet.iter_rows() for cell in row]
    assert {cell.data_type for cell in cells} <= {"s", "n", "b"}
    odd = [cell for cell in cells if isinstance(cell.value, str) and cell.value[:1] in "=+-@" and cell.value]
    assert {"=1+1", "+1", "-1", "@x", "=euro"} <= {cell.value for cell in odd}
    assert all(cell.quotePrefix for cell in odd)


def test_a_table_that_is_too_long_is_left_out_and_named(monkeypatch):
    monkeypatch.setattr(sheets, "ROWS_MAX", 10)
    book = taken(closed(DRAFT, 120))
    assert lines(book["More statistics"])[1][0] == "This table is too long for a workbook. It is in readings.csv."
    assert len(lines(book["More statistics"])) == 2


def test_a_cross_table_that_is_ready_later_is_in_the_next_workbook():
    survey = closed(DRAFT, 120)
    assert len(lines(taken(survey)["Cross-tables"])) == 1
    crossed(survey, "yes", "which")
    assert len(lines(taken(survey)["Cross-tables"])) > 1


def test_every_column_has_its_heading():
    every = {column for columns in column_docs.FILES.values() for column in columns}
    assert {column.name for column in every if not column.heading} == {"title", "digest", "final", "software"}
