"""Dates of an XLSForm: spans from its constraint, and the question exported as an XLSForm again."""

from datetime import date

import pytest

from surveys.designer.studio import import_remarks
from surveys.designer.xlsform import dates, writer
from surveys.models import Survey
from surveys.survey.definition import build
from tests.support.questions import question
from tests.support.workbooks import form, imported, row


def of(constraint, appearance=""):
    draft = imported(form(row("date", "when", "When?", constraint=constraint, appearance=appearance))).draft
    [asked] = draft["questions"]
    assert (asked["key"], asked["kind"], asked["text"]) == ("when", "date", "When?")
    return asked["dates"]


def test_a_date_with_a_first_and_a_last_day_becomes_spans():
    decades = [str(year) for year in range(1920, 2011, 10)]
    assert of(". >= date('1920-01-01') and . < date('2010-01-01')") == decades
    assert of(". > '2024-12-31' and . <= '2025-12-31'") == [f"2025-{month:02}" for month in range(1, 13)] + ["2026-01"]
    assert of(". >= date('2025-03-01') and . <= date('2025-03-04')") == [f"2025-03-0{day}" for day in range(1, 6)]


def test_the_appearance_says_how_exact_a_date_is_asked_for():
    assert of(". >= date('2023-01-01') and . <= date('2024-12-31')", "year") == ["2023", "2024", "2025"]
    assert len(of(". >= date('2020-01-01') and . <= date('2024-12-31')", "month-year")[0]) == 7


@pytest.mark.parametrize("constraint", ["", ". <= today()", ". >= date('2020-01-01')", ". >= date('2020-02-31')"])
def test_without_both_the_designer_gives_the_dates(constraint):
    assert of(constraint) == []


def test_whatever_the_days_are_there_are_dates_that_a_draft_may_have():
    first = date(1999, 12, 31)
    for days in (1, 2, 3, 40, 92, 93, 400, 1200, 9000, 40_000, 365_000):
        made = dates.spans(first, date.fromordinal(first.toordinal() + days))
        assert not made or build({"title": "x", "questions": [question("when", "date", "1", dates=made)]})
        assert len(made) != 2 and (days < 2) == (not made)


def read(constraint, appearance):
    return dates.of({"bind": {"constraint": constraint}, "control": {"appearance": appearance}})


FAR = [
    ". >= date('0001-01-01') and . < date('0001-01-01')",
    ". >= date('0001-01-01') and . < date('9999-12-31')",
    ". >= date('9990-01-01') and . <= date('9999-12-30')",
    ". >= date('2020-01-01') and . < date('2019-01-01')",
]


@pytest.mark.parametrize("appearance", ["", "year", "month-year"])
def test_dates_that_no_question_may_have_are_left_to_the_designer(appearance):
    assert all(read(constraint, appearance) == ([], False) for constraint in FAR)


@pytest.mark.parametrize("appearance", ["", "year", "month-year"])
def test_there_are_at_most_twelve_spans(appearance):
    for first in ("1000", "1500", "1900", "1950", "2000"):
        made, _complete = read(f". >= date('{first}-01-01') and . < date('9998-12-31')", appearance)
        assert 3 <= len(made) <= dates.SPANS_MAX + 1
        assert build({"title": "x", "questions": [question("when", "date", "1", dates=made)]})


def test_a_form_that_is_written_asks_for_the_date_as_exactly():
    for between, look in ((["1950", "1970", "1990"], "year"), (["2024-01", "2024-02", "2024-03"], "month-year")):
        definition = build({"title": "x", "questions": [question("when", "date", "1", dates=between)]})
        [asked] = imported(writer.write(definition, "x")).draft["questions"]
        assert (asked["kind"], asked["dates"]) == ("date", between)
        assert any("spans" in str(remark.text) for remark in writer.remarks(definition)), look


@pytest.mark.django_db
def test_what_is_said_of_a_date_goes_once_its_dates_are_given():
    read = imported(form(row("date", "when", "When?")))
    survey = Survey.objects.create(draft=read.draft)
    import_remarks.store(survey, read)
    assert "when" in named(survey)
    survey.draft["questions"][0]["dates"] = ["2020", "2021", "2022"]
    assert "when" not in named(survey)


def named(survey):
    [remarks, _decisions] = import_remarks.load(survey)
    return [key for line in import_remarks.listed(survey, remarks) for _name, key in line.names]
