"""A program that works in the studio, and its requests."""

from typing import Any

from django.http import HttpResponse
from django.test import Client

from tests.support.factories import DRAFT


class Program:
    """A client of the URLs below /api/v1/studio."""

    def __init__(self, client: Client) -> None:
        self.client = client

    def ask(self, method: str, of: str = "", body: object = None, **headers: str) -> HttpResponse:
        content: dict[str, Any] = {} if body is None else {"data": body, "content_type": "application/json"}
        response: HttpResponse = getattr(self.client, method)(f"/api/v1/studio{of}", **content, headers=headers)
        return response

    def begin(self, draft: object = DRAFT) -> int:
        """Begin a survey and return its number."""
        response = self.ask("post", body={"draft": draft})
        assert response.status_code == 201, response.content
        number: int = response.json()["number"]
        return number

    def opened(self, draft: object = DRAFT, **terms: object) -> int:
        """Begin and open a survey; return its number."""
        number = self.begin(draft)
        digest = self.ask("get", f"/{number}/draft").json()["digest"]
        response = self.ask("post", f"/{number}/opening", {"digest": digest} | terms)
        assert response.status_code == 200, response.content
        return number
