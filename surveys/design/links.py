"""Where pages of a survey are, and where in its draft something is mended."""

import re

from django.conf import settings
from django.urls import NoReverseMatch, reverse

from surveys.models import Survey
from surveys.rules.refusals import Refusal

_QUESTION = re.compile(r"questions\[(\d+)\]", re.ASCII)
_SECTION = re.compile(r"sections\[(\d+)\]", re.ASCII)


def address(name: str, *arguments: object) -> str:
    """The address of that name, empty where this site has none."""
    try:
        return reverse(name, args=arguments)
    except NoReverseMatch:
        return ""


def respondents(survey: Survey) -> str:
    """The link of an opened survey that is shared, whole."""
    return settings.SITE_URL + reverse("respond", args=[survey.slug])


def mending(survey: Survey, refusal: Refusal) -> str:
    """Where what a draft lacks can be mended: its question, its section or its texts."""
    if question := _QUESTION.match(refusal.field):
        key = _key(survey.draft, int(question[1]))
        found = address("survey-question", survey.pk, key) if key else ""
    elif section := _SECTION.match(refusal.field):
        found = address("survey-section", survey.pk, int(section[1]))
    else:
        found = "" if refusal.field == "questions" else address("survey-texts", survey.pk)
    return found or address("survey-questions", survey.pk)


def _key(draft: object, index: int) -> str:
    questions = draft.get("questions") if isinstance(draft, dict) else None
    question = questions[index] if isinstance(questions, list) and index < len(questions) else None
    key = question.get("key") if isinstance(question, dict) else None
    return key if isinstance(key, str) and re.fullmatch(r"[\w-]+", key, re.ASCII) else ""
