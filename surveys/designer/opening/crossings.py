"""Sentences on the questions that cannot be crossed: the wished pairs, the forms, the means."""

from collections.abc import Sequence

from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ldp.inference.variables import variables
from surveys.designer.privacy.questions import forms_of
from surveys.designer.privacy.studio_question import PlannedForm, StudioQuestion
from surveys.rules.enumeration import all_of, quoted, with_commas

# The most named forms, named questions of a form, and letters of a title.
FORMS_NAMED, QUESTIONS_NAMED, LETTERS = 5, 3, 40


def uncrossed(questions: Sequence[StudioQuestion], wishes: Sequence[tuple[str, str]]) -> list[str]:
    """Return sentences on which questions can be crossed. `wishes` has the keys of pairs that the designer wants to
    cross."""
    forms, means, routed = forms_of(questions), _means(questions), _routed(questions)
    if len(forms) < 2:
        others = [each for each in questions if each not in routed]
        left = [each for each in means if each in others]
        general = [] if routed and len(others) - len(left) < 2 else [_without_forms(others, left, bool(routed))]
        return [*general, *_of_routed(routed), *_of_means(means)]
    by_key = {question.key: question for question in questions}
    pairs = [(by_key.get(first), by_key.get(second)) for first, second in wishes]
    apart = [_apart(one, other) for one, other in pairs if one and other and _in_two_forms(one, other)]
    text = _of_overlapping() if any(question.several for question in questions) else _of_parts()
    return [*dict.fromkeys(apart), text % {"groups": _groups(forms)}, *_of_routed(routed), *_of_means(means)]


def _of_overlapping() -> str:
    return _("Two questions of forms can be crossed where one form asks both: %(groups)s.")


def _of_parts() -> str:
    return _(
        "Questions in different forms cannot be crossed, since no one is asked both: %(groups)s. Questions within a "
        "form, and questions for everyone, can."
    )


def _without_forms(questions: Sequence[StudioQuestion], means: Sequence[StudioQuestion], others: bool) -> str:
    """Return a sentence on crossing the questions for everyone. `others`: the survey has more questions."""
    if len(questions) - len(means) < 2:
        return _("There are no two questions that could be crossed.")
    if means or others:
        return _("All other questions can be crossed with each other: everyone is asked all of them.")
    return _("All questions can be crossed with each other: everyone is asked all of them.")


def _routed(questions: Sequence[StudioQuestion]) -> list[StudioQuestion]:
    return [each for each in questions if each.built and "asked_if" in each.built and variables([each.built])]


def _of_routed(questions: Sequence[StudioQuestion]) -> list[str]:
    """Return a sentence on the questions that only some people are asked; [] if there are none."""
    if not questions:
        return []
    text = ngettext(
        "%(names)s is crossed among the people who are asked it, if reports show who they are.",
        "%(names)s are crossed among the people who are asked them, if reports show who they are.",
        len(questions),
    )
    return [text % {"names": _named(questions)}]


def _means(questions: Sequence[StudioQuestion]) -> list[StudioQuestion]:
    """Return the questions that cannot be crossed with any other."""
    return [question for question in questions if question.built and not variables([question.built])]


def _of_means(means: Sequence[StudioQuestion]) -> list[str]:
    """Return a sentence on the means, which have no answers to cross (NotCrossed); [] if there are none."""
    if not means:
        return []
    text = ngettext(
        "%(names)s cannot be crossed with anything, since only its average is asked for.",
        "%(names)s cannot be crossed with anything, since only their averages are asked for.",
        len(means),
    )
    return [text % {"names": _named(means)}]


def _in_two_forms(one: StudioQuestion, other: StudioQuestion) -> bool:
    return bool(one.forms and other.forms and not set(one.places) & set(other.places))


def _apart(one: StudioQuestion, other: StudioQuestion) -> str:
    text = _("You want to cross %(first)s with %(second)s. They are in different forms, so they cannot be crossed.")
    return text % {"first": _name(one), "second": _name(other)}


def _groups(forms: Sequence[PlannedForm]) -> str:
    named = "; ".join(_group(form) for form in forms[:FORMS_NAMED])
    more = len(forms) - FORMS_NAMED
    if more <= 0:
        return named
    text = ngettext("%(named)s; and %(n)d more form", "%(named)s; and %(n)d more forms", more)
    return text % {"named": named, "n": more}


def _group(form: PlannedForm) -> str:
    return _("form %(n)d with %(names)s") % {"n": form.place, "names": _named(form.members)}


def _named(questions: Sequence[StudioQuestion]) -> str:
    names = [_short(each) for each in questions]
    more = len(questions) - QUESTIONS_NAMED
    if more <= 0:
        return all_of(names)
    text = ngettext("%(named)s and %(n)d more question", "%(named)s and %(n)d more questions", more)
    return text % {"named": with_commas(names[:QUESTIONS_NAMED]), "n": more}


def _name(question: StudioQuestion) -> str:
    return quoted(_short(question))


def _short(question: StudioQuestion) -> str:
    return Truncator(question.text or question.key).chars(LETTERS)
