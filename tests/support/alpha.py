"""The studio's pages about alpha: a draft, the pages' answers, and the text on the pages."""

import json
import re
from html import unescape
from typing import Any

from django.contrib.auth.models import User
from django.test import Client

from surveys.life.lifecycle import begin_draft
from surveys.models import Survey
from tests.support.factories import DRAFT, draft

UNFINISHED: list[dict[str, Any]] = [
    {"key": "bare", "kind": "yes_no", "text": "Bare?"},
    {"key": "empty", "kind": "single_choice", "text": "Which?", "alpha": "1", "options": ["a", ""]},
    {"key": "none"},
]


def begun(ada: User, questions: Any = DRAFT["questions"], n: int | None = 2000) -> Survey:
    survey = begin_draft(ada, json.loads(json.dumps(draft(questions=questions))))
    Survey.objects.filter(pk=survey.pk).update(expected_n=n)
    survey.refresh_from_db()
    return survey


def get(client: Client, survey: Survey, status: int = 200, headers: Any = None, **query: Any) -> str:
    response = client.get(f"/surveys/{survey.pk}/alpha/", query, headers=headers)
    assert response.status_code == status
    return response.content.decode()


def post(client: Client, survey: Survey, query: str = "", **fields: str) -> Any:
    response = client.post(f"/surveys/{survey.pk}/alpha/{query}", fields, follow=True)
    survey.refresh_from_db()
    return response


def words(page: str) -> str:
    """Return the text of a page without markup."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", page)).split())


def mark_of(page: str) -> Any:
    """Return the mark that a request must send to save a question's alpha."""
    [mark] = re.findall(r'name="mark" value="([0-9a-f]+)"><input type="hidden" name="alpha"', page)
    return mark


def proposal_mark_of(page: str) -> Any:
    """Return the mark that a request must send to apply the page's proposal."""
    [mark] = re.findall(r'name="mark" value="(\w+)"><input type="hidden" name="do" value="apply"', page)
    return mark


def said(response: Any) -> list[str]:
    return [str(message) for message in response.context["messages"]]


def plot_of(survey: Survey, query: str, key: str, theme: str = "light", width: str = "wide") -> str:
    return f"/surveys/{survey.pk}/alpha/trial/{key}-{theme}-{width}.svg?{query}"
