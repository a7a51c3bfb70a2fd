"""Limits on the API's requests, counted separately for each token, account and client. No identity is stored."""

import pytest
from django.test import Client

from surveys.api import throttling
from surveys.api.authentication import WRONG_MAX
from tests.api.test_tokens import WRONG, address
from tests.support.estimates import released
from tests.support.tokens import carrying, token

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]


@pytest.fixture
def survey():
    return released(20)


def far(program, path, client="203.0.113.9"):
    return program.get(path, REMOTE_ADDR=client)


def test_anyone_who_asks_too_often_is_told_when_to_come_again(survey, ada, settings, clock):
    settings.API_REQUESTS_PER_MINUTE = 3
    one, other = carrying(token(ada)), carrying(token(ada))
    path = address(survey)
    assert [far(one, path).status_code for _ in range(4)] == [200, 200, 200, 429]
    clock.now += 20
    answer = far(one, path)
    assert answer["Retry-After"] == "40" and answer["Content-Type"] == "application/problem+json"
    assert far(other, path).status_code == 200, "another token is counted by itself"
    clock.now += 40
    assert far(one, path).status_code == 200


def test_clients_without_a_token_are_counted_by_their_address_which_is_not_kept(survey, settings):
    settings.API_REQUESTS_PER_MINUTE = 2
    survey.results_public = True
    survey.save()
    path, visitor = address(survey), Client()
    assert [far(visitor, path).status_code for _ in range(3)] == [200, 200, 429]
    assert far(visitor, path, "203.0.113.10").status_code == 200
    assert [visitor.get(address(survey, "/definition"), REMOTE_ADDR="203.0.113.9").status_code for _ in range(5)] == [
        200
    ] * 5, "respondents' browsers are not counted here"
    kept = b"".join(throttling.RATE._counts)
    assert kept and b"203.0.113" not in kept and bytes([203, 0, 113, 9]) not in kept


def test_a_client_with_too_many_wrong_tokens_must_wait(survey, ada, clock):
    right = carrying(token(ada))
    answers = [far(carrying(WRONG), address(survey)).status_code for _ in range(WRONG_MAX + 1)]
    assert answers == [401] * WRONG_MAX + [429]
    assert far(right, address(survey)).status_code == 429, "no answer tells a right one from a wrong one"
    assert far(right, address(survey), "203.0.113.10").status_code == 200
    clock.now += 60
    assert far(right, address(survey)).status_code == 200
