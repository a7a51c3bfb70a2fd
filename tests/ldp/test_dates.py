"""Dates as kinds count them: spans of years, months or days."""

from datetime import date, timedelta

import pytest

from ldp.kinds import KINDS
from ldp.kinds.date import are_dates, is_date, span

YEARS = {"dates": ["1950", "1970", "1990", "2010"]}
MONTHS = {"dates": ["2024-11", "2024-12", "2025-03", "2025-04"]}
DAYS = {"dates": ["2024-02-28", "2024-02-29", "2024-03-01", "2024-03-02"]}


def test_a_span_begins_with_its_date_and_ends_before_the_next():
    assert [span(YEARS, year) for year in ("1969", "1970", "1989", "1990", "2009")] == [0, 1, 1, 2, 2]
    assert [span(MONTHS, month) for month in ("2024-11", "2024-12", "2025-02", "2025-03")] == [0, 1, 1, 2]
    assert [span(DAYS, day) for day in ("2024-02-28", "2024-02-29", "2024-03-01")] == [0, 1, 2]


def test_earlier_and_later_dates_count_in_the_outer_spans():
    assert [span(YEARS, year) for year in ("1000", "1900", "2010", "9999")] == [0, 0, 2, 2]


def test_every_day_of_two_years_lies_in_the_span_that_the_calendar_says():
    days, first = [date(2024, 1, 1) + timedelta(days=each) for each in range(731)], date(2024, 7, 1)
    between = ["2024-01-01", "2024-07-01", "2025-01-01", "2026-01-01"]
    expected = [(day >= first) + (day >= date(2025, 1, 1)) for day in days]
    assert [span({"dates": between}, day.isoformat()) for day in days] == expected


@pytest.mark.parametrize("text", ["1000", "9999", "2024-12", "2024-02-29"])
def test_what_is_in_the_calendar_is_a_date(text):
    assert is_date(text)


@pytest.mark.parametrize(
    "text",
    ["0999", "99999", "2024-13", "2024-00", "2023-02-29", "2024-1", "2024-1-1", "24", "", " 2024", "٢٠٢٤", 2024, None],
)
def test_what_is_not_in_the_calendar_is_none(text):
    assert not is_date(text)


def test_dates_are_all_as_exact_and_each_is_later_than_the_one_before():
    assert are_dates(YEARS["dates"]) and are_dates([])
    for wrong in (["1990", "1990"], ["1990", "1980"], ["1990", "1991-01"], ["1990", "x"], "1990", None):
        assert not are_dates(wrong)


def test_a_filler_is_a_date_as_exact_as_the_questions_from_the_first_to_the_last():
    filler = KINDS["date"].filler
    assert [filler(YEARS | {"filler": year}) for year in ("1950", "1970", "2010")] == [0, 1, 2]
    for wrong in ("1949", "2011", "1970-01", "", None, 1970):
        with pytest.raises(ValueError, match="a year such as 1984 is needed, from 1950 to 2010"):
            filler(YEARS | {"filler": wrong})
