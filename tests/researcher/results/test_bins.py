"""How results call ranges of a histogram's bins."""

from types import SimpleNamespace
from typing import Any

from surveys.researcher.results.question.histogram import of_bins


def called(first: int, last: int, **fields: Any) -> str:
    released: Any = SimpleNamespace(question={"edges": ["0", "1", "3", "21", "61"], "unit": "drinks"} | fields)
    return of_bins(released, first, last)


def test_ranges_of_whole_numbers_are_called_by_the_numbers_that_they_hold():
    assert called(0, 0, limits="whole") == "0 drinks" and called(1, 1, limits="whole") == "1 to 2 drinks"
    assert called(0, 2, limits="whole") == "0 to 20 drinks"
    assert called(3, 3, limits="whole") == "21 or more drinks" and called(0, 3, limits="whole") == "any number"


def test_ranges_of_any_numbers_are_called_by_their_edges():
    assert called(0, 0) == "under 1 drinks" and called(1, 2) == "1 to under 21 drinks"
