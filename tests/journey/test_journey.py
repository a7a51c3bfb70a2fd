"""The whole journey of an answer on a running system, on both pairs of services."""

import csv
import io
import json

import pytest

from ldp.privatize import make_report
from ldp.tidy import COLUMNS
from ldp.words import system_words
from tests.support.journeys import open_survey, published, request

pytestmark = pytest.mark.system

RESPONDENTS = 400


def test_an_answer_travels_from_draft_to_download(system, tmp_path):
    slug = open_survey(system, tmp_path)
    api = f"{system.url}/api/v1/surveys/{slug}"

    status, headers, canonical = request(f"{api}/definition")
    definition, digest = json.loads(canonical), headers["ETag"].strip('"')
    assert status == 200 and len(digest) == 64

    answers = {"yes": 0, "which": 1, "many": 2}
    bodies = [make_report(definition, digest, answers, system_words) for _ in range(RESPONDENTS)]
    assert {request(f"{api}/reports", body)[0] for body in bodies} == {201}
    # On PostgreSQL, a retry that arrives while its report is taken is stored once more, and dropped when it is taken.
    assert {request(f"{api}/reports", body)[0] for body in bodies[:20]} <= {200, 201}

    document = published(system, slug, lambda document: not document["final"])
    assert 100 <= document["n"] <= RESPONDENTS - 100 and document["digest"] == digest

    system.manage("survey", "close", slug)
    assert request(f"{api}/reports", make_report(definition, digest, answers, system_words))[0] == 410
    document = published(system, slug, lambda document: document["final"])
    assert document["n"] == RESPONDENTS
    for question in document["questions"]:
        truth = answers[question["key"]]
        for j, category in enumerate(question["methods"][0]["categories"]):
            # Six standard errors: beyond them once in half a billion.
            error = category["respondents"]["standard_error"]
            assert abs(category["estimate"] - (j == truth)) < 6 * error

    status, headers, text = request(f"{api}/estimates.csv")
    rows = list(csv.DictReader(io.StringIO(text.decode())))
    assert status == 200 and tuple(rows[0]) == COLUMNS
    assert {(row["survey"], row["digest"], row["n"]) for row in rows} == {(slug, digest, str(RESPONDENTS))}

    for path in (
        f"/r/{slug}/",
        f"/r/{slug}/1/",
        f"/r/{slug}/plots/many-dark-narrow.svg",
        "/s/",
        "/",
        "/api/",
        "/api/v1/schema",
    ):
        assert request(system.url + path)[0] == 200, path


def test_a_survey_closes_by_its_date(system, tmp_path):
    slug = open_survey(system, tmp_path, "--closes-at", "2999-01-01")
    system.query(f"UPDATE surveys_survey SET closes_at = opened_at WHERE slug = '{slug}'")
    state = f"SELECT state FROM surveys_survey WHERE slug = '{slug}'"
    system.eventually(lambda: system.query(state) == [("closed",)], "the schedule closes the survey")


def test_the_openapi_description_knows_definition_intake_and_estimates(system):
    paths = request(f"{system.url}/api/v1/schema")[2].decode()
    for name in ("definition", "reports", "estimates", "estimates.csv"):
        assert f"/api/v1/surveys/{{slug}}/{name}:" in paths
