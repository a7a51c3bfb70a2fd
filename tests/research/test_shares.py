"""The file of shares: each stands once, so that a column can be summed."""

import csv
import io

import pytest
from django.test import Client

from surveys.research import column_docs, shares
from tests.support import vectors
from tests.support.estimates import document_of
from tests.support.exports import closed, every_pair

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("draft", [vectors.EVERY_KIND, every_pair()], ids=["kinds", "pairs"])
def test_every_share_stands_once_and_those_of_a_question_add_up(draft):
    survey = closed(draft, 120)
    text = Client().get(f"/r/{survey.slug}/1/downloads/shares.csv").content.decode("utf-8-sig")
    assert Client().get(f"/api/v1/surveys/{survey.slug}/releases/1/shares.csv").content.decode() == text
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert tuple(rows[0]) == shares.COLUMNS == tuple(column_docs.SHARES)
    assert {(row["target"], row["confidence"]) for row in rows} == {("population", "0.95")}
    found = {}
    for row in rows:
        found.setdefault(row["question"], []).append(row)
    for result in document_of(survey)["questions"]:
        own = found.pop(result["key"], [])
        assert len(own) == (0 if result["kind"] == "mean" else len(result["methods"][0]["categories"]))
        for row, category in zip(own, result["methods"][0]["categories"], strict=False):
            assert float(row["share"]) == category["estimate"]
            assert [float(row["interval_low"]), float(row["interval_high"])] == category["population"]["interval"]
        if own and result["kind"] not in ("multiple_choice", "ranking"):
            assert sum(float(row["projected_share"]) for row in own) == pytest.approx(1)
    assert not found
