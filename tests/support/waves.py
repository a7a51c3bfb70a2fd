"""Surveys that are waves of an earlier survey."""

from typing import Any

from surveys.life.chain import declared
from surveys.life.lifecycle import create_draft, open_survey
from surveys.models import Survey
from tests.support.factories import DRAFT

WAVE = {"survey": "abc-_123", "digest": "0123456789abcdef" * 4, "alpha": "2.5"}


def next_draft(earlier: Survey, **changes: Any) -> dict[str, Any]:
    return DRAFT | changes | {"wave_of": declared(earlier)}


def opened_wave(earlier: Survey, draft: dict[str, Any] | None = None, **fields: Any) -> Survey:
    survey = create_draft(draft or next_draft(earlier), **fields)
    open_survey(survey)
    return survey
