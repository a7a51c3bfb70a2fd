"""A day without a time means its last moment for an end, and its first for a beginning."""

import json
from datetime import UTC, datetime

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.core.management import CommandError, call_command

from surveys.designer.studio.terms import EndInput, OpeningTimeInput, TermsInput
from surveys.models import Scope, Survey
from tests.support.factories import DRAFT, opened_survey
from tests.support.program import Program
from tests.support.tokens import carrying, token

pytestmark = pytest.mark.django_db
LAST = datetime(2990, 12, 4, 23, 59, 59, tzinfo=UTC)


@pytest.mark.parametrize("day", ["2990-12-04", " 2990-12-04 "])
def test_in_the_studio(day):
    end = EndInput({"closes_at": day})
    terms = TermsInput(Survey(), AnonymousUser(), {"closes_at": day, "opens_at": day})
    assert end.is_valid() and end.cleaned_data["closes_at"] == LAST
    assert terms.is_valid(), terms.errors
    assert terms.cleaned_data["closes_at"] == LAST
    begins = OpeningTimeInput({"opens_at": day})
    assert begins.is_valid() and begins.cleaned_data["opens_at"] == datetime(2990, 12, 4, tzinfo=UTC)
    for form in (end, terms):
        assert "A day without a time means its end" in str(form["closes_at"].help_text)


@pytest.mark.parametrize(
    ("given", "stored"), [("2990-12-04", LAST), ("2990-12-04T00:00Z", datetime(2990, 12, 4, tzinfo=UTC))]
)
def test_by_program_and_command(given, stored, tmp_path):
    ada = User.objects.create_superuser("ada")
    studio = Program(carrying(token(ada, Scope.STUDIO)))
    number = studio.opened()
    assert studio.ask("patch", f"/{number}", {"closes_at": given}).status_code == 200
    assert Survey.objects.get(pk=number).closes_at == stored
    assert studio.ask("patch", f"/{number}", {"closes_at": given}).status_code == 200, "it is so already"
    assert Survey.objects.get(pk=studio.opened(closes_at=given)).closes_at == stored
    draft = tmp_path / "draft.json"
    draft.write_text(json.dumps(DRAFT))
    call_command("survey", "draft", str(draft), "--closes-at", given)
    assert Survey.objects.latest("pk").closes_at == stored


@pytest.mark.parametrize(
    "garbage", ["04/12/2026 23:59", "x", "2990-13-01", "2990-02-30T00:00:00Z", "tomorrow", "0", "null"]
)
def test_what_is_no_time_is_refused_by_its_rule_and_not_dropped(garbage):
    studio = Program(carrying(token(User.objects.create(username="ada"), Scope.STUDIO)))
    for number in (studio.begin(), studio.opened()):
        for field in ("closes_at", "opens_at"):
            answer = studio.ask("patch", f"/{number}", {field: garbage, "expected_n": None})
            assert answer.status_code in (409, 422), answer.content
            assert answer.status_code == 422 or "expected_n" not in answer.json()["detail"]
            assert answer.json()["rules"][0]["field"] == field
    survey = opened_survey()
    with pytest.raises(CommandError, match="or a day, whose end it is"):
        call_command("survey", "draft", "none.json", "--closes-at", garbage)
    assert survey.closes_at is None


def test_hosts_of_frames_are_a_list_for_the_api_as_for_drafts():
    studio, hosts = (
        Program(carrying(token(User.objects.create(username="ada"), Scope.STUDIO))),
        ["https://www.example.org"],
    )
    number = studio.begin(DRAFT | {"frame_hosts": hosts})
    assert studio.ask("get", f"/{number}/draft").json()["draft"]["frame_hosts"] == hosts
    for wrong in ("https://www.example.org", [1], ["https://a.example.org"] * 9, {"0": "https://www.example.org"}):
        answer = studio.ask("post", body={"draft": DRAFT | {"frame_hosts": wrong}})
        assert answer.status_code == 422 and answer.json()["rules"][0]["field"].startswith("frame_hosts"), wrong
