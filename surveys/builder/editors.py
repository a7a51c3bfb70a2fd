"""The three editors: of the survey's texts, of a section's heading, of a question. Each says where its part stands, and
what there is to know about it."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _

from surveys.builder import editing
from surveys.builder.deeds import title
from surveys.builder.editing import Place
from surveys.builder.fields import Part
from surveys.builder.problems import Problem, Problems
from surveys.builder.shaped import Draft
from surveys.builder.undo import Step
from surveys.models import Survey


class Editor(NamedTuple):
    """`name` is what is edited: a question's key, a section's index, "texts". `step` puts a version back, where the
    part was removed (True) as a new one."""

    what: str
    name: str
    url: str
    place: Place
    problems: Callable[[Draft, Problems], Sequence[Problem]]
    step: Callable[[Part, bool], Step]


def texts(survey: Survey) -> Editor:
    return Editor(
        "texts",
        "texts",
        reverse("survey-texts", args=[survey.pk]),
        editing.texts(),
        lambda draft, found: [each for each in found.texts if each.field != "questions"],
        lambda part, gone: {"said": _("Your version of the texts was put aside."), "texts": part},
    )


def section(survey: Survey, index: int) -> Editor:
    def step(part: Part, gone: bool) -> Step:
        said = _("Your version of the section was put aside.")
        if gone:
            return {"said": said, "section": part | {"questions": []}, "at": index}
        return {"said": said, "heading": part, "at": index}

    return Editor(
        "section",
        str(index),
        reverse("survey-section", args=[survey.pk, index]),
        editing.section(index),
        lambda draft, found: found.sections.get(index, ()),
        step,
    )


def question(survey: Survey, key: str) -> Editor:
    def problems(draft: Draft, found: Problems) -> Sequence[Problem]:
        return found.questions.get([each["key"] for each in draft["questions"]].index(key), ())

    def step(part: Part, gone: bool) -> Step:
        said = _("Your version of “%(title)s” was put aside.") % {"title": title(part)}
        return {"said": said, "was": part | {"key": key}}

    return Editor(
        "question",
        key,
        reverse("survey-question", args=[survey.pk, key]),
        editing.question(key),
        problems,
        step,
    )
