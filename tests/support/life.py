"""The pages of a survey's life: their texts and their buttons."""

import re
from typing import Any

from django.contrib.auth.models import User
from django.test import Client

from surveys.models import Survey
from tests.support.estimates import work
from tests.worker.test_batches import store


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def text(response: Any) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", response.content.decode()).split())


def page(client: Client, survey: Survey, name: str = "") -> Any:
    return client.get(f"/surveys/{survey.pk}/{name}")


def press(client: Client, survey: Survey, name: str, **data: str) -> Any:
    return client.post(f"/surveys/{survey.pk}/{name}", data)


def collect(survey: Survey, start: int, n: int) -> None:
    store(survey, range(start, start + n))
    work(survey)
    survey.refresh_from_db()
