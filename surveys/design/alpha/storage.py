"""Alphas that are stored: of one question, or of all by a split.

Whoever saves says what the question, or all of them, were when they read them; where that has changed meanwhile it is
refused (drafts.Changed).
"""

from django.contrib.auth.models import AnonymousUser, User
from django.utils.translation import gettext as _

from surveys import drafts
from surveys.design.alpha.questions import FIELDS, Question
from surveys.drafts import Changed, Draft, mark
from surveys.drafts.kinds import title
from surveys.drafts.outline import question_of
from surveys.models import Survey


def save(survey: Survey, user: User | AnonymousUser, name: str, its_mark: str, settings: Draft) -> None:
    """Set one question's FIELDS; those that are empty are taken away."""

    def set_one(draft: Draft) -> str:
        question = question_of(draft, name)
        if mark(question) != its_mark:
            raise Changed
        _set(question, settings)
        return _("Set the alpha of “%(title)s” to %(alpha)s.") % {"title": title(question), "alpha": settings["alpha"]}

    drafts.change(survey, user, set_one, f"alpha of {name}: {settings['alpha']}")


def spend(survey: Survey, user: User | AnonymousUser, its_mark: str, alphas: dict[str, str]) -> None:
    """Set the alphas of several questions, by their names."""

    def set_all(draft: Draft) -> str:
        if mark(draft["questions"]) != its_mark:
            raise Changed
        for question in draft["questions"]:
            if question["key"] in alphas:
                question["alpha"] = alphas[question["key"]]
        return _("Set the alphas of all questions.")

    drafts.change(survey, user, set_all, f"alphas of {len(alphas)} questions")


def _set(draft: Draft, settings: Draft) -> None:
    for field in FIELDS:
        draft.pop(field, None)
    draft |= {field: value for field, value in settings.items() if value}


def draft_mark(questions: list[Question]) -> str:
    return mark([question.draft for question in questions])
