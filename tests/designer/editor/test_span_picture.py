"""A date's spans in the builder: usual ones filled in as of today, named and drawn to scale."""

from datetime import date

import pytest

from ldp.forms.report import alone
from surveys.designer.editor.bin_picture import WIDTH, span_picture
from surveys.drafts import spans
from surveys.survey import definition as definitions
from tests.support.builder import form, questions, signed_in, undo, unescaped, url, with_question

TODAY = date(2026, 11, 26)
DATES = ["1950", "1970", "1990", "2000"]


def test_spans_are_as_long_as_they_are_in_time():
    drawn = span_picture({"kind": "date", "dates": DATES}).drawn
    assert [each.name for each in drawn] == ["… – 1969", "1970 – 1989", "1990 – …"]
    assert [each.left for each in drawn] == [0, WIDTH * 0.4, WIDTH * 0.8]
    quarters = span_picture({"kind": "date", "dates": ["2024-01", "2024-04", "2024-07", "2024-10"]}).drawn
    assert len({each.width for each in quarters}) == 1


@pytest.mark.parametrize("dates", [None, [], DATES[:2], ["1950", "1970", "1960"], ["1950", "1970", "x"], "1950"])
def test_there_is_no_picture_until_the_dates_are_right(dates):
    assert not span_picture({"kind": "date", "dates": dates}).drawn


@pytest.mark.parametrize("name", spans.PRESETS)
@pytest.mark.parametrize("today", [TODAY, date(2027, 1, 1), date(2030, 12, 31)])
def test_usual_dates_make_a_question(name, today):
    dates = spans.PRESETS[name].dates(today)
    draft = {"key": "when", "kind": "date", "text": "When?", "alpha": "1", "dates": dates}
    [built] = alone(definitions.build({"title": "x", "questions": [draft]}))
    assert built["dates"] == dates


def test_usual_dates_end_with_today():
    assert spans.PRESETS["births"].dates(TODAY) == [str(year) for year in range(1920, 2021, 10)]
    assert spans.PRESETS["years"].dates(TODAY)[-2:] == ["2026", "2027"]
    assert spans.PRESETS["quarters"].dates(TODAY) == [
        *("2024-10", "2025-01", "2025-04", "2025-07", "2025-10", "2026-01", "2026-04", "2026-07", "2026-10", "2027-01"),
    ]
    assert spans.PRESETS["months"].dates(TODAY)[-2:] == ["2026-11", "2026-12"]


@pytest.mark.django_db
def test_usual_dates_are_filled_in_and_can_be_undone():
    survey, client = with_question(kind="date", dates=DATES), signed_in()
    address = url(survey, "q1")
    assert "1970 – 1989" in unescaped(client.get(address).content.decode())
    client.post(address, form(client, address) | {"fill_dates": "1", "preset": "births"})
    assert questions(survey)[0]["dates"][1] != "1970"
    undo(client, survey)
    assert questions(survey)[0]["dates"] == DATES
    client.post(address, form(client, address) | {"fill_dates": "1", "preset": "none"})
    assert questions(survey)[0]["dates"] == DATES
