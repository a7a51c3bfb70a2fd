"""The studio's lists have parts, by number. None is left out if another one is deleted meanwhile."""

import pytest
from django.contrib.auth.models import User

from surveys.models import AuditEntry, Scope
from tests.support.program import Program
from tests.support.tokens import carrying, token

pytestmark = pytest.mark.django_db


@pytest.fixture
def studio():
    return Program(carrying(token(User.objects.create(username="ada"), Scope.STUDIO)))


def followed(studio, part):
    return studio.client.get(part["next"].removeprefix("http://127.0.0.1:8000")).json()


def test_the_fourth_survey_is_listed_though_the_third_was_deleted(studio):
    numbers = [studio.ask("post", body={"template": "health"}).json()["number"] for _ in range(4)]
    part = studio.ask("get", "?size=3").json()
    last = part["items"][-1]
    assert studio.ask("delete", f"/{last['number']}?title={last['title']}").status_code == 204
    rest = followed(studio, part)
    assert [each["number"] for each in rest["items"]] == numbers[:1] and rest["next"] is None


@pytest.mark.parametrize("at", ["log", "history"])
def test_so_are_the_lines_of_its_logs(studio, at):
    number = studio.begin()
    for place in range(4):
        mark = studio.ask("get", f"/{number}/draft").json()
        draft = mark["draft"] | {"title": f"Title {place}"}
        assert studio.ask("put", f"/{number}/draft", {"draft": draft, "mark": mark["mark"]}).status_code == 200
        AuditEntry.objects.create(survey_number=number, action="edited", survey_title=str(place))
    part = studio.ask("get", f"/{number}/{at}?size=2").json()
    every = studio.ask("get", f"/{number}/{at}").json()["items"]
    seen = [*part["items"]]
    while part["next"]:
        part = followed(studio, part)
        seen += part["items"]
    assert seen == every and len(every) > 3


def test_a_part_may_be_between_two_numbers(studio):
    numbers = [studio.ask("post", body={"template": "health"}).json()["number"] for _ in range(4)]
    between = studio.ask("get", f"?after={numbers[3]}&before={numbers[0]}").json()
    assert [each["number"] for each in between["items"]] == [numbers[2], numbers[1]]
    assert (between["next"], between["previous"]) == (None, None)
    first = studio.ask("get", f"?after={numbers[3]}&before={numbers[0]}&size=1").json()
    second = followed(studio, first)
    assert [each["number"] for each in second["items"]] == [numbers[1]] and second["next"] is None
    assert studio.ask("get", f"?after={numbers[0]}&before={numbers[3]}").json()["items"] == []
