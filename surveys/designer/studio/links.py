"""URLs of a survey's pages, and of the places where parts of its draft are edited."""

import re

from django.conf import settings
from django.urls import reverse

from surveys.models import Survey
from surveys.respondent.page.links import link
from surveys.rules.refusals import RuleBreach
from surveys.rules.unchecked import as_list, as_object

_QUESTION = re.compile(r"questions\[(\d+)\]", re.ASCII)
_KEY = re.compile(r"[\w-]+", re.ASCII)
_SECTION = re.compile(r"sections\[(\d+)\]", re.ASCII)


def respondents(survey: Survey, language: str = "", token: str = "") -> str:
    """Return the full URL of an open survey: the shared one, or an invitation's if `token` is given."""
    return settings.SITE_URL + link(str(survey.slug), language, token)


def typed_at() -> str:
    """Return the printed URL of the page where codes are typed."""
    return settings.SITE_URL.partition("://")[2] + reverse("respond")


def question(survey: Survey, key: object) -> str:
    """Return the URL of a question's editor, or of the builder if the key fits no URL."""
    if isinstance(key, str) and _KEY.fullmatch(key):
        return reverse("survey-question", args=[survey.pk, key])
    return reverse("survey-questions", args=[survey.pk])


def is_undecided(refusal: RuleBreach) -> bool:
    """Return whether the rule is about an alpha that no one has chosen yet."""
    return refusal.field.endswith("].alpha") and refusal.code == "missing"


def mending(survey: Survey, refusal: RuleBreach) -> str:
    """Return the URL where a draft's missing part is added: its question, section, forms, settings or texts."""
    if is_undecided(refusal):
        return reverse("survey-alpha", args=[survey.pk])
    if place := _QUESTION.match(refusal.field):
        return question(survey, _key(survey.draft, int(place[1])))
    if section := _SECTION.match(refusal.field):
        return reverse("survey-section", args=[survey.pk, int(section[1])])
    if refusal.field.startswith("groups"):
        return reverse("survey-groups", args=[survey.pk])
    if refusal.field.startswith(("wave_of", "invitations", "relay")):
        return reverse("survey-alpha", args=[survey.pk]) + "#people"
    if refusal.field.startswith(("draws", "forms")):
        return reverse("survey-alpha", args=[survey.pk])
    return reverse("survey-questions" if refusal.field == "questions" else "survey-texts", args=[survey.pk])


def _key(draft: object, index: int) -> object:
    questions = as_list(as_object(draft).get("questions"))
    return as_object(questions[index]).get("key") if index < len(questions) else None
