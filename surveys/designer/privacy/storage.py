"""Alphas and forms that are stored: of one question, of one form, or of all by a proposal.

Whoever saves says what the question, or all of them, were when they read them; where that has changed meanwhile it is
refused (drafts.Changed).
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from django.contrib.auth.models import AnonymousUser, User
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys import drafts
from surveys.designer.privacy.questions import FIELDS
from surveys.drafts import Changed, assignment, forms, mark, scales
from surveys.drafts.assignment import EVERYBODY, NEW, FormDesign
from surveys.drafts.kinds import is_scale, title
from surveys.drafts.outline import question_of
from surveys.models import Survey
from surveys.rules.draft import Draft, Question, rewrite, without
from surveys.rules.enumeration import all_of
from surveys.rules.texts import decimal

SAID = {
    "shares": gettext_lazy("“%(title)s” is asked for the shares of its steps."),
    "mean": gettext_lazy("“%(title)s” is asked for its mean alone."),
}


class Arranged(NamedTuple):
    """What is set of a form."""

    weight: int
    alpha: Fraction
    joint: bool


def save(survey: Survey, user: User | AnonymousUser, name: str, its_mark: str, settings: Mapping[str, object]) -> None:
    """Set one question's FIELDS; those that are empty are taken away."""

    def set_question(draft: Draft) -> str:
        question = question_of(draft, name)
        if mark(question) != its_mark:
            raise Changed
        rewrite(question, without(question, FIELDS) | {name: value for name, value in settings.items() if value})
        return _("Set the alpha of “%(title)s” to %(alpha)s.") % {"title": title(question), "alpha": settings["alpha"]}

    drafts.change(survey, user, set_question, f"alpha of {name}: {settings['alpha']}")


def ask_for(survey: Survey, user: User | AnonymousUser, key: str, its_mark: str, what: scales.Wanted) -> str:
    """Ask a scale for the shares of its steps, or for its mean alone; what was done, in words."""
    done = []

    def set_question(draft: Draft) -> str:
        question = question_of(draft, key)
        if mark(question) != its_mark or not is_scale(question) or scales.hindrance(draft, question):
            raise Changed
        rewrite(question, scales.convert(question, what))
        if form := forms.form_of(draft, key):
            form.pop("sizes", None)
        done.append(SAID[what] % {"title": title(question)})
        return done[0]

    drafts.change(survey, user, set_question, f"{key}: {what}")
    return done[0]


def apply(
    survey: Survey,
    user: User | AnonymousUser,
    its_mark: str,
    designs: Sequence[FormDesign],
    own: dict[str, Fraction],
) -> None:
    """Set the forms of a proposal, with the alphas of all its questions."""

    def set_all(draft: Draft) -> str:
        if draft_mark(draft) != its_mark:
            raise Changed
        assignment.assign(draft, designs, own)
        return _("Set the forms and alphas of all questions.")

    drafts.change(survey, user, set_all, f"forms: {len(designs)}")


def move(survey: Survey, user: User | AnonymousUser, its_mark: str, key: str, to: str) -> str:
    """Move a question to another form; what was done, in words."""
    done = []

    def set_form(draft: Draft) -> str:
        if forms_mark(draft) != its_mark:
            raise Changed
        done.append(_moved(draft, key, to, assignment.move(draft, key, to)))
        return done[0]

    drafts.change(survey, user, set_form, f"form of {key}")
    return done[0]


def _moved(draft: Draft, key: str, to: str, moved: Sequence[Question]) -> str:
    titles = all_of([title(question) for question in moved])
    if to == EVERYBODY:
        sentence = _("Everybody is asked %(titles)s.") % {"titles": titles}
    else:
        place = len(forms.forms_of(draft)) if to == NEW else int(to) + 1
        sentence = _("Moved %(titles)s to form %(n)d.") % {"titles": titles, "n": place}
    if len(moved) == 1:
        return sentence
    return sentence + " " + _("They go together, since the answer to one decides whether another is asked.")


def arrange(survey: Survey, user: User | AnonymousUser, its_mark: str, place: int, settings: Arranged) -> None:
    """Set a form's weight, alpha and way."""

    def set_form(draft: Draft) -> str:
        if forms_mark(draft) != its_mark:
            raise Changed
        assignment.arrange(draft, place - 1, settings.weight, settings.alpha, settings.joint)
        return _("Changed form %(n)d.") % {"n": place}

    drafts.change(survey, user, set_form, f"form {place}: alpha {decimal(settings.alpha)}")


def draft_mark(draft: Draft) -> str:
    """What tells a draft's questions and forms from what they were."""
    return mark([draft["questions"], draft.get("forms", [])])


def forms_mark(draft: Draft) -> str:
    """What tells a draft's forms and alphas alone: texts may change while somebody moves questions."""
    alphas = [[question["key"], *map(question.get, FIELDS)] for question in draft["questions"]]
    return mark([alphas, draft.get("forms", [])])
