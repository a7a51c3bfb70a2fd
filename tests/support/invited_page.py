"""Invited people at real browsers: links of a survey by invitation, and disturbances of a request for a signature."""

import base64
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, Route

from surveys.respondent.invitations import blind
from surveys.survey.definition.invitations import bytes_of, moduli_of, text_of
from tests.services.system import System
from tests.support.respondents import DRAFT, Survey, open_page, passes


def invited_survey(system: System, directory: Path, draft: dict[str, Any] = DRAFT) -> Survey:
    """Return an open survey by invitation. Its page's link has no invitation."""
    return open_page(system, directory, draft | {"invitations": True})


def invitations(system: System, survey: Survey, count: int = 100, group: str = "") -> Iterator[Survey]:
    """Yield the survey with the link of the next invitation, again and again."""
    while True:
        wish = ["--count", str(count), "--group", group, "--", survey.slug]
        for link in system.manage("survey", "invite", *wish).split():
            yield survey._replace(page=link)


class Signatures:
    """The requests for a signature. Each request meets the next of the steps; requests after the last step pass
    normally. `bodies` has all requests so far."""

    def __init__(self, where: BrowserContext):
        self.bodies: list[str] = []
        self._steps: list[Callable[[Route], None]] = []
        where.route("**/respond/signature", self._wish)

    def then(self, *steps: Callable[[Route], None]) -> None:
        self._steps = list(steps)

    def _wish(self, route: Route) -> None:
        self.bodies.append(route.request.post_data or "")
        step = self._steps.pop(0) if self._steps else passes
        step(route)


def loses_the_signature(route: Route) -> None:
    """Let the server use the invitation, and drop its answer to the browser."""
    assert route.fetch().status == 200
    route.abort()


def says(signature: object) -> Callable[[Route], None]:
    """Return a step that answers with this value instead of a signature."""
    return lambda route: route.fulfill(content_type="application/json", body=json.dumps({"signature": signature}))


def signed_by(key: blind.SigningKey) -> Callable[[Route], None]:
    """Return a step that signs with another key. A server with this key could recognize the report."""

    def step(route: Route) -> None:
        blinded = int.from_bytes(bytes_of(json.loads(route.request.post_data or "")["blinded"])) % key.modulus
        says(text_of(int.from_bytes(blind.sign(key, blinded.to_bytes(256)))))(route)

    return step


def with_other(**fields: str) -> Callable[[Route], None]:
    """Return a step that changes these fields of the request."""
    return lambda route: route.continue_(post_data=json.dumps(json.loads(route.request.post_data or "") | fields))


def to_another(link: str) -> Callable[[Route], None]:
    """Return a step that asks for a signature of another survey."""
    return lambda route: route.continue_(headers=route.request.headers | {"survey-link": link})


def verifies(survey: Survey, body: str) -> bool:
    """Return whether a report's last field is its survey's signature."""
    report = json.loads(body)
    modulus = moduli_of(survey.definition)[report.get("group", 0)]
    message = blind.message(survey.digest, report["report_id"])
    return list(report)[-1] == "signature" and blind.verify(modulus, message, bytes_of(report["signature"]))


def text(data: bytes) -> str:
    """Return bytes in base64url without padding."""
    return base64.urlsafe_b64encode(data).decode().rstrip("=")
