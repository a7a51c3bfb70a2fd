"""A question's versions in its form, with a button that adds one or the reason against it."""

from typing import NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _

from surveys.drafts import arms, forms
from surveys.drafts.kinds import title
from surveys.drafts.outline import deciding
from surveys.models import Survey
from surveys.rules.context import Context
from surveys.rules.draft import Draft, Question
from surveys.survey.definition.arms import FIELD


class VersionLink(NamedTuple):
    """A version of a question. `form` is its form's number from 1; 0 for no form."""

    title: str
    url: str
    form: int
    current: bool


def context(survey: Survey, draft: Draft, question: Question) -> Context:
    """Return the context of designer/editor/arms.html: a question's versions, and the effect of another version or the
    reason against it."""
    hindered = arms.hindrance(draft, question["key"])
    return {
        "versions": [_version(survey, draft, each, question) for each in arms.versions(draft, question["key"])],
        "is_one": FIELD in question or bool(arms.versions(draft, question["key"])),
        "how": "" if hindered else _how(draft, question),
        "hindered": _hindered(question, hindered) if hindered else "",
    }


def _version(survey: Survey, draft: Draft, version: Question, current: Question) -> VersionLink:
    url = reverse("survey-question", args=[survey.pk, version["key"]])
    return VersionLink(title(version), url, _place(draft, version["key"]), version["key"] == current["key"])


def _place(draft: Draft, key: str) -> int:
    return next((place for place, form in enumerate(forms.forms_of(draft), 1) if key in forms.keys_of(form)), 0)


def _how(draft: Draft, question: Question) -> str:
    """Return a sentence on how adding a version changes the survey's forms."""
    own, count = _place(draft, question["key"]), len(forms.forms_of(draft))
    if own:
        text = _(
            "The copy goes into a new form, drawn as often as form %(n)d. People who draw the new form are asked no "
            "other form."
        )
        return text % {"n": own}
    if count:
        text = _(
            "The survey has %(n)d forms. Each version moves into a new form, and only people who draw one of these "
            "are asked."
        )
        return text % {"n": count}
    return _("The survey gets two forms, each for half of the people. All respondents are asked the other questions.")


def _hindered(question: Question, other: Question) -> str:
    words = {"title": title(other)}
    if other["key"] in deciding(question):
        text = _(
            "Whether this question is asked depends on “%(title)s”, which is in a form: first ask everyone that "
            "question."
        )
        return text % words
    return _("Whether “%(title)s” is asked depends on this question, so it can have only one version.") % words
