"""A kind counts dates in spans of years, months or days."""

import pytest

from ldp.kinds.date import are_dates, is_date

YEARS = ["1950", "1970", "1990", "2010"]


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
    assert are_dates(YEARS) and are_dates([])
    for wrong in (["1990", "1990"], ["1990", "1980"], ["1990", "1991-01"], ["1990", "x"], "1990", None):
        assert not are_dates(wrong)
