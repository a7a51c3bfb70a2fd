"""Declaring a survey the next wave of another one, and what designers then read."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from surveys.life.chain import declared
from surveys.life.lifecycle import close_survey, open_survey
from surveys.life.versions import new_version
from surveys.models import Membership, Role, Survey
from tests.support.factories import DRAFT, opened_survey

pytestmark = pytest.mark.django_db


@pytest.fixture
def designer(client):
    user = User.objects.create_user("designer")
    client.force_login(user)
    return user


def owned(survey, user, role=Role.OWNER):
    Membership.objects.create(survey=survey, user=user, role=role)
    return survey


def shown(client, address):
    response = client.get(address)
    assert response.status_code == 200
    return response.content.decode()


def test_a_next_wave_is_a_version_that_names_the_one_before(client, designer):
    earlier = owned(opened_survey(), designer)
    answer = client.post(f"/surveys/{earlier.pk}/wave/")
    draft = Survey.objects.get(previous=earlier)
    assert answer["Location"] == f"/surveys/{draft.pk}/" and draft.draft == DRAFT | {"wave_of": declared(earlier)}
    open_survey(draft, designer)
    assert draft.definition["wave_of"]["survey"] == earlier.slug


def test_a_draft_is_declared_one_of_those_that_its_designer_has(client, designer):
    earlier, foreign = owned(opened_survey(), designer), opened_survey()
    draft = new_version(earlier, designer)
    settings = shown(client, f"/surveys/{draft.pk}/alpha/")
    assert f'value="{earlier.slug}"' in settings and f'value="{foreign.slug}"' not in settings
    assert client.post(f"/surveys/{draft.pk}/participation/", {"wave_of": foreign.slug}).status_code == 404
    assert client.post(f"/surveys/{draft.pk}/participation/", {"wave_of": earlier.slug}).status_code == 302
    draft.refresh_from_db()
    assert draft.draft["wave_of"] == declared(earlier)
    assert f'value="{earlier.slug}" selected' in shown(client, f"/surveys/{draft.pk}/alpha/")
    client.post(f"/surveys/{draft.pk}/participation/", {"wave_of": ""})
    draft.refresh_from_db()
    assert "wave_of" not in draft.draft


def test_it_can_be_undone_and_is_kept_when_texts_are_edited(client, designer):
    earlier = owned(opened_survey(), designer)
    draft = new_version(earlier, designer)
    client.post(f"/surveys/{draft.pk}/participation/", {"wave_of": earlier.slug})
    page = shown(client, f"/surveys/{draft.pk}/texts/")
    assert "wave_of" not in page, "nothing unknown stands there"
    assert f"The next wave of “{earlier.title}”" in shown(client, f"/surveys/{draft.pk}/questions/")


def test_designers_are_told_what_all_waves_tell_together(client, designer):
    """Alpha 4 before and about 4 now: a guess of 20% could rise to 100%; the survey alone raises it to 94%."""
    earlier = owned(opened_survey(), designer)
    close_survey(earlier)
    client.post(f"/surveys/{earlier.pk}/wave/")
    draft = Survey.objects.get(previous=earlier)
    for address in (f"/surveys/{draft.pk}/alpha/", f"/surveys/{draft.pk}/open/"):
        assert (
            f"It is the next wave of “{earlier.title}”. People who took part before have already sent alpha 4"
            in shown(client, address)
        )


def test_designers_are_told_of_the_deltas_of_all_waves(client, designer):
    """1 in a million before and 1 in 100,000 now make 1 in 90,909 in all."""
    noisy = {"key": "q", "kind": "histogram", "text": "?", "edges": ["0", "1", "2"], "alpha": "1", "mechanism": "osgt"}
    earlier = owned(opened_survey(DRAFT | {"questions": [noisy | {"delta": "0.000001"}]}), designer)
    client.post(f"/surveys/{earlier.pk}/wave/")
    draft = Survey.objects.get(previous=earlier)
    Survey.objects.filter(pk=draft.pk).update(draft=draft.draft | {"questions": [noisy | {"delta": "0.00001"}]})
    said = ", apart from a chance (δ) of at most 1 in 90,909 that it happens to reveal more. Respondents read this too."
    for address in (f"/surveys/{draft.pk}/alpha/", f"/surveys/{draft.pk}/open/"):
        assert said in shown(client, address)


def test_an_opened_survey_keeps_what_it_follows(client, designer):
    survey = owned(opened_survey(), designer)
    assert client.post(f"/surveys/{survey.pk}/participation/", {"wave_of": ""}).status_code == 302
    assert "frozen" in shown(client, f"/surveys/{survey.pk}/alpha/")


def test_a_draft_from_elsewhere_says_where_its_wave_is_chosen(client, designer):
    earlier = owned(opened_survey(), designer)
    draft = new_version(earlier, designer)
    Survey.objects.filter(pk=draft.pk).update(draft=DRAFT | {"wave_of": declared(earlier) | {"alpha": "1"}})
    page = shown(client, f"/surveys/{draft.pk}/open/")
    assert f'<a href="/surveys/{draft.pk}/alpha/#people">Earlier wave</a>: is not a survey of this site' in page
    assert client.post(f"/surveys/{draft.pk}/open/", {"digest": "0" * 64}).status_code == 409


def test_no_one_else_declares_it():
    earlier = opened_survey()
    draft = new_version(earlier, User.objects.create_user("owner"))
    for role in (Role.VIEWER, Role.RESEARCHER):
        user = User.objects.create_user(f"{role}")
        Membership.objects.create(survey=draft, user=user, role=role)
        client = Client()
        client.force_login(user)
        assert client.post(f"/surveys/{draft.pk}/participation/", {"wave_of": ""}).status_code == 404
