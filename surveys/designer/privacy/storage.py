"""Storage of alphas and forms: for a question, for a form, or for all by a proposal.

A request carries a mark of the question, or of all, as it was read. The request is refused if they have changed since
(drafts.Changed).
"""

import secrets
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from django.contrib.auth.models import AnonymousUser, User
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ldp.planning import design_proposals
from ldp.planning.design import Brief, Design
from surveys import drafts
from surveys.designer.privacy.inputs import people_of
from surveys.designer.privacy.studio_question import FIELDS, StudioQuestion
from surveys.drafts import Changed, assignment, forms, mark, proposals, protection, scales
from surveys.drafts.assignment import EVERYONE, NEW
from surveys.drafts.kinds import is_scale, title
from surveys.drafts.normalize import normalized
from surveys.drafts.outline import question_of
from surveys.models import Survey
from surveys.rules.draft import Draft, Draw, rewrite, without
from surveys.rules.enumeration import all_of
from surveys.rules.texts import decimal

SAID = {
    "shares": gettext_lazy("“%(title)s” is asked for the shares of its steps."),
    "mean": gettext_lazy("“%(title)s” is asked for its mean alone."),
}


class Move(NamedTuple):
    """A move of a question. `what` is "move", "also" or "leave". `to` and `at` are forms' places from 0, "everyone" or
    "new". An empty `at` is the first form that asks the question, or everyone."""

    what: str
    to: str
    at: str = ""


class Arranged(NamedTuple):
    """The settings of a form."""

    weight: int
    alpha: Fraction


def save(
    survey: Survey,
    user: User | AnonymousUser,
    question: StudioQuestion,
    its_mark: str,
    settings: Mapping[str, object],
) -> None:
    """Set the FIELDS of a question in one draw; empty values are removed. A joint draw gets the alpha only, for all its
    questions."""
    key = question.name

    def set_question(draft: Draft) -> str:
        stored, draw = question_of(draft, key), _draw_of(draft, question)
        if mark([stored, [draw] if draw else []]) != its_mark:
            raise Changed
        kept = {name: value for name, value in settings.items() if value}
        protection.take_over(draft)
        if draw is None:
            rewrite(stored, without(stored, FIELDS) | kept)
        elif forms.is_joint(draw):
            draw["alpha"] = kept["alpha"]
        else:
            others = {name: value for name, value in forms.draw_settings(draw).items() if name not in FIELDS}
            forms.rewrite_draw(draw, forms.draw_of(key, others | kept))
        return _("Set the alpha of “%(title)s” to %(alpha)s.") % {"title": title(stored), "alpha": settings["alpha"]}

    drafts.change(survey, user, set_question, f"alpha of {key}: {settings['alpha']}")


def _draw_of(draft: Draft, question: StudioQuestion) -> Draw | None:
    """Return the draw that asks the question. Raise Changed if its form is gone."""
    places, listed = question.places, forms.forms_of(draft)
    if places and places[0] > len(listed):
        raise Changed
    return forms.draw_in(draft, question.name, listed[places[0] - 1] if places else None)


def ask_for(survey: Survey, user: User | AnonymousUser, key: str, its_mark: str, what: scales.Wanted) -> str:
    """Ask a scale for the shares of its steps, or for its mean alone. Return a message."""
    done = []

    def set_question(draft: Draft) -> str:
        question = question_of(draft, key)
        if mark(question) != its_mark or not is_scale(question) or scales.hindrance(draft, question):
            raise Changed
        forms.put_part(draft, question, scales.convert(forms.part_of(draft, question), what))
        if forms.settings_of(draft, question) is None:
            for draw in forms.draws_with(draft, key):
                forms.take(draw, draw["questions"])
        done.append(SAID[what] % {"title": title(question)})
        return done[0]

    drafts.change(survey, user, set_question, f"{key}: {what}")
    return done[0]


def apply(
    survey: Survey,
    user: User | AnonymousUser,
    its_mark: str,
    brief: Brief,
    design: Design,
    edit: Callable[[Draft], None] | None = None,
    expected: int | None = None,
) -> None:
    """Set the forms and alphas of a design. `edit` changes the questions first; `expected` sets the number of people.
    If the planner would propose the same design, the draft is left to the planner."""
    visit, people = secrets.token_hex(8), expected or people_of(survey)

    def set_all(draft: Draft) -> str:
        if draft_mark(draft) != its_mark:
            raise Changed
        if edit:
            edit(draft)
        if brief.n == people and _is_left_to_planner(draft, brief, design):
            protection.leave(draft, brief.total, proposals.important(brief))
        else:
            protection.take_over(draft)
            proposals.take(draft, design)
        if edit:
            return _("Changed a question, and set all forms and alphas.")
        return _("Set the forms and alphas of all questions.")

    drafts.change(survey, user, set_all, f"forms: {len(design.forms)}", visit)
    if expected:
        drafts.expect(survey, user, expected, visit)


def _is_left_to_planner(draft: Draft, brief: Brief, design: Design) -> bool:
    """Return whether the planner proposes this very design from the part of the brief that a draft stores."""
    left = normalized(draft)
    protection.leave(left, brief.total, proposals.important(brief))
    if protection.total(left) is None:
        return False
    wished = proposals.brief_of(protection.without(left), brief.total, brief.n)
    return wished is not None and design_proposals.propose(wished).design == design


def leave(survey: Survey, user: User | AnonymousUser, total: Fraction, expected: int | None = None) -> None:
    """Leave the protection to the planner, with this alpha of a report. `expected` sets the number of people."""
    visit = secrets.token_hex(8)

    def leave_it(draft: Draft) -> str:
        protection.leave(draft, total, protection.important(draft))
        return _("Left forms and alphas to the planner, with a total of %(total)s.") % {"total": decimal(total)}

    if expected:
        drafts.expect(survey, user, expected, visit)
    drafts.change(survey, user, leave_it, f"left to the planner: {decimal(total)}", visit)


def move(survey: Survey, user: User | AnonymousUser, its_mark: str, key: str, move: Move) -> str:
    """Move a question to another form, add it to one, or remove it from one. Return a message."""
    done = []

    def set_form(draft: Draft) -> str:
        if forms_mark(draft) != its_mark:
            raise Changed
        protection.take_over(draft)
        done.append(_moved(draft, key, move))
        return done[0]

    drafts.change(survey, user, set_form, f"form of {key}")
    return done[0]


def _moved(draft: Draft, key: str, move: Move) -> str:
    if move.what == "leave":
        moved = assignment.leave(draft, key, move.at)
    else:
        moved = (assignment.also if move.what == "also" else assignment.move)(draft, key, move.to, move.at)
    titles = all_of([title(question) for question in moved])
    if move.what == "leave":
        sentence = _("Took %(titles)s out of form %(n)d.") % {"titles": titles, "n": int(move.at) + 1}
    elif move.to == EVERYONE:
        sentence = _("Everyone is asked %(titles)s.") % {"titles": titles}
    else:
        place = len(forms.forms_of(draft)) if move.to == NEW else int(move.to) + 1
        text = _("Form %(n)d asks %(titles)s too.") if move.what == "also" else _("Moved %(titles)s to form %(n)d.")
        sentence = text % {"titles": titles, "n": place}
    if len(moved) == 1:
        return sentence
    return sentence + " " + _("They go together, since the answer to one decides whether another is asked.")


def arrange(survey: Survey, user: User | AnonymousUser, its_mark: str, place: int, settings: Arranged) -> None:
    """Set a form's weight and alpha."""

    def set_form(draft: Draft) -> str:
        if forms_mark(draft) != its_mark:
            raise Changed
        protection.take_over(draft)
        assignment.arrange(draft, place - 1, settings.weight, settings.alpha)
        return _("Changed form %(n)d.") % {"n": place}

    drafts.change(survey, user, set_form, f"form {place}: alpha {decimal(settings.alpha)}")


def draw(
    survey: Survey, user: User | AnonymousUser, its_mark: str, place: int, keys: Sequence[str], together: bool
) -> str:
    """Randomize these questions together, or each by itself, in form `place`; 0 is everyone. Return a message."""
    done = []

    def set_draws(draft: Draft) -> str:
        if forms_mark(draft) != its_mark:
            raise Changed
        protection.take_over(draft)
        titles = all_of([title(question_of(draft, key)) for key in keys])
        (assignment.join if together else assignment.split)(draft, place - 1 if place else None, keys)
        text = _("Randomized together: %(titles)s.") if together else _("Randomized separately: %(titles)s.")
        done.append(text % {"titles": titles})
        return done[0]

    drafts.change(survey, user, set_draws, f"draws of form {place}")
    return done[0]


def draft_mark(draft: Draft) -> str:
    """Return a mark that changes with a draft's questions and forms."""
    return mark([draft["questions"], draft.get("draws", []), draft.get("forms", [])])


def forms_mark(draft: Draft) -> str:
    """Return a mark of a draft's forms and alphas only. Texts may change while a user moves questions."""
    alphas = [[question["key"], *map(question.get, FIELDS)] for question in draft["questions"]]
    return mark([alphas, draft.get("draws", []), draft.get("forms", [])])
