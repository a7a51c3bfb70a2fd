"""Subgroups in the API: requested with researchers' tokens, in progress until they are ready, then as on the page."""

import csv
import io

import pytest
from django.test import Client

from surveys.models import AnalysisRun, Role
from surveys.researcher.analyses.subgroups.analysis import SUBGROUPS
from tests.api.test_crossings import fits, hidden, program, refusal, survey  # noqa: F401
from tests.support.analyses import subgrouped
from tests.support.tokens import member

pytestmark = pytest.mark.django_db

PATH = "/api/v1/surveys/{slug}/releases/{number}/subgroups"


def at(survey, rest="", number="latest"):  # noqa: F811
    return PATH.format(slug=survey.slug, number=number) + rest


def test_what_the_page_gives_is_what_the_api_gives(survey, program):  # noqa: F811
    subgrouped(survey, "many.2")
    person = Client()
    person.force_login(member(survey, Role.VIEWER, "vera"))
    for form in ("json", "csv"):
        page = person.get(f"/r/{survey.slug}/1/subgroups/many.2/subgroups.{form}")
        answer = program.get(at(survey, "/many.2" + (".csv" if form == "csv" else "")))
        assert page.status_code == answer.status_code == 200 and page.content == answer.content
    rows = list(csv.DictReader(io.StringIO(answer.content.decode())))
    assert {row["stratum"] for row in rows} == {"many.2"} and {row["question"] for row in rows} == {
        "smokes",
        "often",
        "age",
    }
    shown = [row for row in rows if row["quantity"] == "within"]
    assert len(shown) == 2 * (2 + 4 + 1) * 3
    said = [one for part in program.get(at(survey, "/many.2")).json()["questions"] for one in part["shares"]]
    differences = sum(len(one["differences"]) for one in said)
    assert len(rows) == len(shown) + differences * 3


@pytest.mark.parametrize(
    ("stratum", "status", "reason"), [("nothing", 404, "unknown"), ("age", 422, "mean"), ("many", 422, "parts")]
)
def test_what_can_be_no_stratum_is_refused_with_the_sentence_of_the_page(survey, program, stratum, status, reason):  # noqa: F811
    sentence = str(SUBGROUPS.refusals[reason])
    assert refusal(program.post(at(survey, f"/{stratum}"))) == (status, f"subgroups_{reason}", sentence)
    assert refusal(program.get(at(survey, f"/{stratum}"))) == (404, "not_found", sentence)
    assert not AnalysisRun.objects.exists()
