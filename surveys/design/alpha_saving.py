"""Alphas that are stored: of one question, or of all by a split.

Whoever saves says what the question, or all of them, were when they read them; where that has changed meanwhile it is
refused (drafts.Changed).
"""

from django.contrib.auth.models import User
from django.utils.text import Truncator
from django.utils.translation import gettext as _

from surveys import drafts
from surveys.design.alpha_asked import FIELDS, Question, named, question_named
from surveys.drafts import Changed, Draft, mark
from surveys.models import Survey


def save(survey: Survey, user: User, name: str, its_mark: str, settings: Draft) -> None:
    """Set one question's FIELDS; those that are empty are taken away."""

    def set_one(draft: Draft) -> str:
        question = question_named(named(draft["questions"]), name)
        if question is None or question.mark != its_mark:
            raise Changed
        _set(question.draft, settings)
        words = {"title": Truncator(question.text or question.name).chars(60), "alpha": settings["alpha"]}
        return _("Set the alpha of “%(title)s” to %(alpha)s.") % words

    drafts.change(survey, user, set_one, f"alpha of {name}: {settings['alpha']}")


def spend(survey: Survey, user: User, its_mark: str, alphas: dict[str, str]) -> None:
    """Set the alphas of several questions, by their names."""

    def set_all(draft: Draft) -> str:
        asked = named(draft["questions"])
        if marked(asked) != its_mark:
            raise Changed
        for question in asked:
            if question.name in alphas:
                _set(question.draft, question.settings() | {"alpha": alphas[question.name]})
        return _("Set the alphas of all questions.")

    drafts.change(survey, user, set_all, f"alphas of {len(alphas)} questions")


def _set(draft: Draft, settings: Draft) -> None:
    for field in FIELDS:
        draft.pop(field, None)
    draft |= {field: value for field, value in settings.items() if value}


def marked(asked: list[Question]) -> str:
    return mark([question.draft for question in asked])
