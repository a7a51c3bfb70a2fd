"""Members, links that give roles, and the audit in the API, as on the studio's page of people."""

import pytest
from django.contrib.auth.models import User

from surveys.accounts import invitations, tokens
from surveys.models import AuditEntry, Membership, Scope, Survey
from tests.support.program import Program
from tests.support.tokens import carrying, member, token

pytestmark = pytest.mark.django_db


@pytest.fixture
def number(studio):
    return studio.begin()


@pytest.fixture
def bob(number):
    return member(Survey.objects.get(pk=number), "researcher", "bob")


def members(studio, number):
    return {each["username"]: each for each in studio.ask("get", f"/{number}/people").json()["members"]}


def test_roles_are_given_and_taken_away_and_there_is_always_an_owner(studio, number, bob):
    people = members(studio, number)
    ada, other = (f"/{number}/people/{people[name]['number']}" for name in ("ada", "bob"))
    assert studio.ask("put", ada, {"role": "viewer"}).json()["type"] == "/problems/last_owner"
    assert studio.ask("delete", ada).status_code == 409
    token(bob, Scope.STUDIO, survey=Survey.objects.get(pk=number))
    assert studio.ask("put", other, {"role": "designer"}).status_code == 200
    assert members(studio, number)["bob"]["role"] == "designer"
    assert studio.ask("put", other, {"role": "viewer"}).status_code == 200
    assert bob.tokens.get().revoked
    assert [each["username"] for each in studio.ask("delete", other).json()["members"]] == ["ada"]
    assert studio.ask("delete", other).status_code == 404
    actions = AuditEntry.objects.filter(survey_number=number).order_by("pk").values_list("action", "detail")
    assert ("role given", "bob: researcher → designer") in actions and ("removed", "bob: viewer") in actions


def test_a_link_gives_its_role_once_and_none_when_it_is_revoked(studio, number):
    first, second = (studio.ask("post", f"/{number}/people/invitations", {"role": "viewer"}) for _ in range(2))
    assert first.status_code == 201 and first["Cache-Control"] == "no-store"
    listed = studio.ask("get", f"/{number}/people").json()["invitations"]
    assert [each["number"] for each in listed] == [each.json()["number"] for each in (first, second)]
    assert not any("link" in each for each in listed)
    revoked = studio.ask("delete", f"/{number}/people/invitations/{first.json()['number']}").json()
    assert [each["number"] for each in revoked["invitations"]] == [second.json()["number"]]
    carla = User.objects.create(username="carla")
    invitations.accept(carla, invitations.open_ones().get(survey=number))
    assert Membership.objects.get(user=carla).role == "viewer"
    assert studio.ask("delete", f"/{number}/people/invitations/999").status_code == 404
    assert studio.ask("post", f"/{number}/people/invitations", {"role": "king"}).status_code == 400


def test_the_log_is_read_in_parts_by_owners_alone(studio, number, bob):
    studio.ask("patch", f"/{number}", {"results_public": True})
    log = studio.ask("get", f"/{number}/log?size=1").json()
    assert log["count"] == 2 and log["next"] and log["items"][0]["action"] == "published"
    assert log["items"][0]["username"] == "ada" and log["items"][0]["at"].endswith("Z")
    other = Program(carrying(tokens.make(bob, "b", [Scope.STUDIO], 3)[1]))
    for method, of in (("get", "/log"), ("get", "/people"), ("post", "/people/invitations")):
        assert other.ask(method, f"/{number}{of}", {"role": "owner"} if method == "post" else None).status_code == 404
