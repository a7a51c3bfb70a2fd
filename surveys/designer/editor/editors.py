"""The three editors: of the survey's texts, of a section's heading, of a question. Each says where its part stands, and
what there is to know about it."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _

from surveys.designer.editor.problems import Problem, Problems
from surveys.drafts import outline, storage
from surveys.drafts.fields import Part
from surveys.drafts.kinds import title
from surveys.drafts.storage import Place
from surveys.models import Survey
from surveys.rules.unchecked import Draft
from surveys.survey.definition.forms import joint_keys


class Editor(NamedTuple):
    """`name` is what is edited: a question's key, a section's index, "texts". `again` puts a version where the part was
    removed, and returns its key where it has one; `aside` says that a version was put aside."""

    what: str
    name: str
    url: str
    place: Place
    problems: Callable[[Draft, Problems], Sequence[Problem]]
    again: Callable[[Draft, Part], str]
    aside: Callable[[Part], str]


def texts(survey: Survey) -> Editor:
    return Editor(
        "texts",
        "texts",
        reverse("survey-texts", args=[survey.pk]),
        storage.texts(),
        lambda draft, found: [each for each in found.texts if each.field != "questions"],
        lambda draft, part: "",
        lambda part: _("Your version of the texts was put aside."),
    )


def section(survey: Survey, index: int) -> Editor:
    def again(draft: Draft, part: Part) -> str:
        outline.put_section(draft, part | {"questions": []}, index)
        return ""

    return Editor(
        "section",
        str(index),
        reverse("survey-section", args=[survey.pk, index]),
        storage.section(index),
        lambda draft, found: found.sections.get(index, ()),
        again,
        lambda part: _("Your version of the section was put aside."),
    )


def question(survey: Survey, key: str) -> Editor:
    def problems(draft: Draft, every: Problems) -> Sequence[Problem]:
        return every.questions.get([each["key"] for each in draft["questions"]].index(key), ())

    def aside(part: Part) -> str:
        return _("Your version of “%(title)s” was put aside.") % {"title": title(part)}

    return Editor(
        "question",
        key,
        reverse("survey-question", args=[survey.pk, key]),
        storage.question(key, key in joint_keys(survey.draft.get("forms"))),
        problems,
        lambda draft, part: outline.insert(draft, part | {"key": key}),
        aside,
    )
