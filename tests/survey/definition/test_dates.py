"""Questions about a date: permitted drafts, and the names of their spans."""

import pytest

from ldp.forms.report import alone
from surveys.rules.refusals import DraftRefused
from surveys.survey import definition as definitions
from tests.support.questions import question


def built(**fields):
    draft = {"title": "Dates", "questions": [question("when", "date", "1", **fields)]}
    return alone(definitions.build(draft))[0]


def test_spans_are_named_by_their_first_and_last_date():
    assert built(dates=[1950, 1970, "1971", 1990, 2000])["options"] == ["… – 1969", "1970", "1971 – 1989", "1990 – …"]
    months = ["2024-11", "2024-12", "2025-01", "2025-04", "2025-07"]
    assert built(dates=months)["options"] == ["… – 2024-11", "2024-12", "2025-01 – 2025-03", "2025-04 – …"]
    days = ["2024-02-01", "2024-03-01", "2024-03-15", "2024-04-01"]
    assert built(dates=days)["options"] == ["… – 2024-02-29", "2024-03-01 – 2024-03-14", "2024-03-15 – …"]


def test_people_may_prefer_not_to_say_a_date():
    assert built(dates=["1950", "1970", "1990"], prefer_not_to_say=True)["options"][-1] == "Prefer not to say"


@pytest.mark.parametrize(
    ("dates", "code"),
    [
        (["1950", "1970"], "list_length"),
        ("1950", "list_length"),
        (["1950", "1970", "19x0"], "date_format"),
        (["1950", "1970", True], "date_format"),
        (["2023-02-27", "2023-02-28", "2023-02-29"], "date_format"),
        (["1950", "1970", "1990-01"], "date_precision"),
        (["1950", "1990", "1970"], "edge_order"),
        (["1950", "1950", "1970"], "edge_order"),
    ],
)
def test_what_are_no_dates_is_refused(dates, code):
    with pytest.raises(DraftRefused) as refused:
        built(dates=dates)
    assert [each.code for each in refused.value.refusals] == [code]


def test_a_date_can_be_asked_of_some_people_alone():
    draft = {
        "title": "Dates",
        "questions": [
            question("moved", "yes_no", "1"),
            question("when", "date", "1", dates=["2020", "2022", "2024"])
            | {"asked_if": {"question": "moved", "options": [0]}},
        ],
    }
    definition = definitions.build(draft)
    assert definitions.certified(definitions.canonical(definition))
