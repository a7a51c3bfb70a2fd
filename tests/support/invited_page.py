"""An invited respondent's page: the survey of a page, by invitation, with a signer that does as this site is to do.

The definition that the page gets has the signer's key; what asks for a signature, and what sends a report, is answered
here, by the rules of the contract and with surveys/invitations/blind.py.
"""

import base64
import json
import secrets
from collections.abc import Callable
from hashlib import sha256
from typing import Any

from playwright.sync_api import BrowserContext, Route

from surveys import definition as definitions
from surveys.invitations import blind
from tests.support.respondents import Survey, passes

KEY = blind.new_key()  # one for all tests: its making takes long


def text_of(data: bytes) -> str:
    """base64url without padding."""
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def data_of(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Signer:
    """What the server of a survey by invitation knows and does. `asked` are the tokens and blinded messages that came,
    `reports` the bodies that arrived with a valid signature; steps come first, in turn, as those of `Wire`."""

    def __init__(self, where: BrowserContext, survey: Survey, *steps: Callable[[Route], None]):
        definition = survey.definition | {"invitations": {"modulus": text_of(KEY.modulus.to_bytes(256))}}
        self.bytes = definitions.canonical(definition)
        self.digest = sha256(self.bytes).hexdigest()
        self.survey = survey._replace(definition=definition, digest=self.digest)
        self.asked: list[tuple[str, str]] = []
        self.reports: list[str] = []
        self.sent: list[str] = []
        self._used: dict[str, str | None] = {}
        self._steps = list(steps)
        self.serve(where)

    def serve(self, where: BrowserContext) -> None:
        """Be the server of this browser as well."""
        where.route("**/respond/definition", self._defined)
        where.route("**/respond/signature", self._signature)
        where.route("**/respond/reports", self._report)

    def use(self, token: str, blinded: str) -> None:
        """Let the invitation be used."""
        self._used[token] = blinded

    def invite(self, language: str = "") -> Survey:
        """The survey with the link of a new invitation."""
        token = text_of(secrets.token_bytes(16))
        self._used[token] = None
        return self.linked(f"{language}/{token}")

    def linked(self, more: str) -> Survey:
        return self.survey._replace(page=f"{self.survey.page}/{more}")

    def then(self, *steps: Callable[[Route], None]) -> None:
        """From now on these steps come first."""
        self._steps = list(steps)

    def sign(self, route: Route) -> None:
        """The reply to one wish for a signature."""
        wish = json.loads(route.request.post_data or "")
        token, blinded = wish["token"], wish["blinded"]
        assert wish.keys() == {"token", "blinded"} and len(token) == 22 and len(blinded) == 342
        assert route.request.headers["survey-link"] == self.survey.slug
        self.asked.append((token, blinded))
        if token not in self._used:
            refuses(403, "no-invitation")(route)
        elif self._used[token] not in (None, blinded):
            refuses(409, "invitation-used")(route)
        else:
            self._used[token] = blinded
            _json(route, 200, {"signature": text_of(blind.sign(KEY, data_of(blinded)))})

    def _defined(self, route: Route) -> None:
        route.fulfill(response=route.fetch(), body=self.bytes)

    def _signature(self, route: Route) -> None:
        step = self._steps.pop(0) if self._steps else passes
        if step is passes:
            self.sign(route)
        else:
            step(route)

    def _report(self, route: Route) -> None:
        body = route.request.post_data or ""
        report = json.loads(body)
        message = blind.message(self.digest, report["report_id"])
        assert list(report)[-1] == "signature" and json.dumps(report, separators=(",", ":")) == body
        assert blind.verify(KEY.modulus, message, data_of(report["signature"]))
        self.sent.append(body)
        known = body in self.reports
        if not known:
            self.reports.append(body)
        status = "known" if known else "recorded"
        _json(route, 200 if known else 201, {"report_id": report["report_id"], "status": status})


def _json(route: Route, status: int, content: Any) -> None:
    route.fulfill(status=status, content_type="application/json", body=json.dumps(content))


def refuses(status: int, name: str) -> Callable[[Route], None]:
    """A step that refuses as the server does."""
    problem = {"type": f"/problems/{name}", "status": status}
    return lambda route: route.fulfill(status=status, content_type="application/problem+json", body=json.dumps(problem))
