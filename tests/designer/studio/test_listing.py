"""My surveys lists the surveys on which a user has a role, and no others."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from surveys.life.lifecycle import begin_draft
from surveys.models import AuditEntry, Membership, Role

pytestmark = pytest.mark.django_db


def signed_in(name, **fields):
    client = Client()
    client.force_login(User.objects.get_or_create(username=name, defaults=fields)[0])
    return client


def test_a_new_draft_belongs_to_the_person_who_began_it_and_to_no_one_else():
    ada = User.objects.create_user("ada")
    survey = begin_draft(ada, {"title": "Sleep", "questions": []})
    assert [(member.user, member.role) for member in survey.memberships.all()] == [(ada, "owner")]
    assert [(entry.username, entry.action, entry.survey_number) for entry in AuditEntry.objects.all()] == [
        ("ada", "created", survey.pk)
    ]
    address = f"/surveys/{survey.pk}/questions/"
    assert signed_in("ada").get(address).status_code == 200
    assert signed_in("bob").get(address).status_code == 404
    assert signed_in("root", is_superuser=True).get(address).status_code == 200
    assert Client().get(address).status_code == 302
    assert b"Sleep" in signed_in("ada").get("/surveys/").content
    assert b"Sleep" not in signed_in("bob").get("/surveys/").content


@pytest.mark.parametrize("role", list(Role))
def test_a_role_covers_those_before_it(role):
    order = ["viewer", "researcher", "designer", "owner"]
    assert [each for each in Role if role.covers(each)] == order[: order.index(role) + 1]


def test_a_member_of_one_survey_is_none_of_another():
    bob = User.objects.create_user("bob")
    mine = begin_draft(User.objects.create_user("ada"), {"title": "Sleep"})
    other = begin_draft(User.objects.create_user("eve"), {"title": "Work"})
    Membership.objects.create(survey=mine, user=bob, role=Role.VIEWER)
    client = signed_in("bob")
    assert [client.get(f"/surveys/{survey.pk}/").status_code for survey in (mine, other)] == [200, 404]


def test_many_surveys_are_searched_and_put_in_order_by_title():
    ada = User.objects.create_user("ada")
    titles = ["Work", "Äpfel", "Sleep", "sleep again", "Days", "Bread", "Cities"]
    drafts = [begin_draft(ada, {"title": title, "questions": []}) for title in titles]

    def shown(query):
        page = signed_in("ada").get(f"/surveys/{query}").content.decode()
        return re.findall(r'<li><a href="/surveys/[0-9]+/"><bdi>(.*?)</bdi>', page), page

    assert shown("")[0] == titles[::-1]
    assert shown("?order=title")[0] == ["Bread", "Cities", "Days", "Sleep", "sleep again", "Work", "Äpfel"]
    assert shown("?q=SLEEP")[0] == ["sleep again", "Sleep"]
    nothing, page = shown("?q=<b>")
    assert nothing == [] and "No survey of yours has “&lt;b&gt;” in its title." in page and "No survey yet" not in page
    drafts[0].memberships.all().delete()
    assert 'role="search"' not in shown("")[1], "a few are found at a glance"
