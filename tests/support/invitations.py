"""Surveys by invitation, and people who use an invitation as the page does."""

import json
from typing import Any

from django.test import Client

from surveys.models import Survey
from surveys.respondent.invitations import blind, book
from surveys.rules.spelling import INVITATION, LETTERS, is_code, spelled
from surveys.survey.definition.invitations import bytes_of, moduli_of, text_of
from tests.support import blinding
from tests.support.factories import DRAFT, opened_survey, report

INVITED = DRAFT | {"invitations": True}
GROUPS = ["Sales", "Works"]


def named(*names: str) -> list[dict[str, str]]:
    """Return groups of a draft with these names."""
    return [{"name": name} for name in names]


IN_GROUPS = INVITED | {"groups": named(*GROUPS)}
UNKNOWN = spelled(bytes(16), INVITATION)  # a well-formed token without an invitation


def group_of(token: str) -> int | None:
    """Return the number of the group that a token names."""
    return LETTERS.index(token[26]) if len(token) > 27 else None


def in_group(token: str, group: int) -> str:
    """Return the token, changed to name another group."""
    every = (f"{token[:26]}{LETTERS[group]}{check}" for check in LETTERS)
    return next(each for each in every if is_code(each, INVITATION))


def invited_survey(count: int = 1, **fields: Any) -> tuple[Survey, list[str]]:
    """Return an open survey by invitation and `count` tokens."""
    survey = opened_survey(INVITED, **fields)
    return survey, book.invite(survey.digest, count)


class Invited:
    """A person with a token and a report. The report is blinded once and can be sent for signing any number of times.
    `survey` is a row of the database, or an object with the survey's slug, digest, definition and questions."""

    def __init__(self, survey: Any, token: str, seed: object) -> None:
        self.survey, self.token = survey, token
        group = group_of(token)
        self.body = json.loads(report(survey, seed)) | ({} if group is None else {"group": group})
        self.modulus = moduli_of(survey.definition)[group or 0]
        self.message = blind.message(survey.digest, self.body["report_id"])
        self.blinded = blinding.blind(self.modulus, self.message)

    def request(self) -> dict[str, str]:
        return {"token": self.token, "blinded": text_of(int.from_bytes(self.blinded.message))}

    def asks(self, **changes: Any) -> Any:
        """Ask for the signature as this person's browser, and return the reply."""
        address = f"/api/v1/surveys/{self.survey.slug}/signature"
        return Client().post(address, json.dumps(self.request() | changes), content_type="application/json")

    def signed(self, signature: str) -> str:
        """Return the body to send, made from the blind signature."""
        unblinded = blinding.finalize(self.modulus, self.message, bytes_of(signature), self.blinded.inverse)
        return json.dumps(self.body | {"signature": text_of(int.from_bytes(unblinded))})

    def sends(self, body: str) -> Any:
        address = f"/api/v1/surveys/{self.survey.slug}/reports"
        return Client().post(address, body, content_type="application/json")
