"""The file of shares has each share once, so that a column can be summed."""

import csv
import io

import pytest
from django.test import Client

from surveys.figures.targets import usual_target
from surveys.models import Release
from surveys.researcher.downloads import shares
from surveys.researcher.results import cards
from surveys.researcher.sheets.column import names
from surveys.researcher.workbook import tables
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
    assert tuple(rows[0]) == names(shares.COLUMNS)
    assert {(row["target"], row["confidence"]) for row in rows} == {("population", "0.95")}
    options = {question["key"]: question.get("options", []) for question in survey.questions}
    found = {}
    for row in rows:
        found.setdefault(row["question"], []).append(row)
    for result in document_of(survey)["questions"]:
        own = found.pop(result["key"], [])
        assert len(own) == (0 if result["kind"] == "mean" else len(result["methods"][0]["categories"]))
        for row, category in zip(own, result["methods"][0]["categories"], strict=False):
            assert float(row["share"]) == category["estimate"]
            assert (
                row["option"].removeprefix("'")
                == options[result["key"].partition(".")[0]][int(row["option_number"]) - 1]
            )
            assert [float(row["interval_low"]), float(row["interval_high"])] == category["population"]["interval"]
        if own and result["kind"] not in ("multiple_choice", "ranking"):
            assert sum(float(row["projected_share"]) for row in own) == pytest.approx(1)
    assert not found


def test_the_workbook_the_terminal_the_api_and_the_cards_are_about_whom_the_page_is():
    """Invited people are a closed group; people with a link represent a population."""
    for draft, target in (
        (vectors.EVERY_KIND, "population"),
        (vectors.EVERY_KIND | {"invitations": True}, "respondents"),
    ):
        release = Release.objects.latest_of(closed(draft, 120))
        assert usual_target(release.survey.definition) == target
        assert {row["target"] for row in shares.rows(release)} == {target}
        for table in tables._tables(release, ()):
            if table.title in ("Shares", "Means"):
                assert {row["target"] for row in table.rows} == {target}
        chosen = cards.of_release(release, "en")
        assert {
            ("Share of the population" in card.alternative)
            for card in chosen.values()
            if "Share of" in card.alternative
        } == {target == "population"}
        value = (
            Client()
            .get(f"/api/v1/surveys/{release.survey.slug}/releases/1/value-comparison?question=warner&value=50")
            .json()
        )
        assert value["value_comparison"][0]["target"] == target
