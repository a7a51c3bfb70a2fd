"""Open tasks and problems of a draft, in plain words and by field.

surveys/survey/definition has the rules, surveys/designer/studio/sentences.py their words. An empty field is `missing`:
a task, not a mistake.
"""

import re
from collections import defaultdict
from dataclasses import dataclass, field
from typing import NamedTuple

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from surveys.designer.studio import sentences
from surveys.drafts import protection
from surveys.drafts.columns import TAB
from surveys.drafts.fields import Part
from surveys.drafts.forms import forms_of, settings_of
from surveys.drafts.kinds import fields_of
from surveys.drafts.parts import SECTION_FIELDS, TEXTS
from surveys.figures.typed import doubt
from surveys.rules.draft import Draft
from surveys.rules.limits import QUESTIONS_MAX
from surveys.rules.refusals import RuleBreach
from surveys.survey import definition as definitions
from surveys.survey.definition.fields import QUESTION, SECTION
from surveys.survey.kinds import LISTS

PLACE = re.compile(r"(?:(questions|sections)\[(\d+)\]\.?)?([^\[\].]*)(?:\[(\d+)\])?.*", re.ASCII | re.DOTALL)

DRAW = re.compile(r"forms\[(\d+)\]\.draws\[(\d+)\]\.(alpha|mechanism|delta|sample|sizes)", re.ASCII)

LANGUAGES = ("language", "translations")
MISSING = {name: field for name, field in (SECTION | QUESTION).items() if field.missing}

# Choices that are still open.
TO_CHOOSE = ("condition_options",)


class FieldProblem(NamedTuple):
    """A problem of a field; "" is the whole question or section. `lines` are the affected lines, from 1."""

    field: str
    text: str
    missing: bool = False
    lines: tuple[int, ...] = ()

    @property
    def marked(self) -> str:
        """Return the numbers of the lines, from 1, for the page's script."""
        return " ".join(map(str, self.lines))


@dataclass
class Problems:
    texts: list[FieldProblem] = field(default_factory=list)
    languages: list[RuleBreach] = field(default_factory=list)
    undecided: list[RuleBreach] = field(default_factory=list)  # alphas, which the privacy page proposes
    questions: dict[int, list[FieldProblem]] = field(default_factory=lambda: defaultdict(list))
    sections: dict[int, list[FieldProblem]] = field(default_factory=lambda: defaultdict(list))

    def __bool__(self) -> bool:
        return bool(self.texts or self.languages or self.undecided or self.questions or self.sections)


def of(draft: Draft) -> Problems:
    """Return all problems of a draft that has the builder's shape."""
    problems = Problems()
    for refusal in definitions.refusals(draft):
        refusal = _at_question(draft, refusal)
        group, index, name, element = _read(refusal)
        if refusal.field.endswith("].alpha") and refusal.code == "missing":
            problems.undecided.append(refusal)
        elif group == "questions":
            question = draft["questions"][index]
            labels = {each.name: str(each.label) for each in fields_of(question)}
            problems.questions[index].append(_problem(refusal, question, name, element, labels))
        elif group == "sections":
            labels = {each.name: str(each.label) for each in SECTION_FIELDS}
            problems.sections[index].append(_problem(refusal, draft["sections"][index], name, element, labels))
        elif name in LANGUAGES:
            problems.languages.append(refusal)  # another page has them (surveys/designer/studio/languages.py)
        elif name != "questions":
            labels = {each.name: str(each.label) for each in TEXTS}
            problems.texts.append(_problem(refusal, draft, name, element, labels))
        else:
            problems.texts.append(_number(len(draft["questions"])))
    if protection.total(draft) is not None:  # an incomplete question gets its alpha later
        problems.undecided = [each for each in problems.undecided if not problems.questions.get(_read(each)[1])]
    return problems


def _at_question(draft: Draft, refusal: RuleBreach) -> RuleBreach:
    """Return the refusal. A draw of one question that its form shows is named as that question."""
    match = DRAW.fullmatch(refusal.field)
    if match is None:
        return refusal
    form, draw, name = int(match[1]), int(match[2]), match[3]
    keys = forms_of(draft)[form]["draws"][draw]["questions"]
    question = next(each for each in draft["questions"] if each["key"] == keys[0])
    if settings_of(draft, question) is None:
        return refusal
    place = draft["questions"].index(question)
    return refusal._replace(field=f"questions[{place}].{'size' if name == 'sizes' else name}")


def _number(count: int) -> FieldProblem:
    if count:
        return FieldProblem("", _("A survey has at most %(most)d questions.") % {"most": QUESTIONS_MAX})
    return FieldProblem("questions", _("Add a first question."), True)


def _read(refusal: RuleBreach) -> tuple[str, int, str, int | None]:
    match = PLACE.fullmatch(refusal.field)
    group, index, name, element = match.groups() if match else (None, None, "", None)
    return group or "", int(index or 0), name or "", None if element is None else int(element)


def _problem(refusal: RuleBreach, part: Part, name: str, element: int | None, labels: dict[str, str]) -> FieldProblem:
    value, rule = part.get(name), sentences.phrase(refusal)
    given = value[element] if isinstance(value, list) and element is not None else value
    question = doubt(given) if refusal.code == "number_format" else ""
    if element is not None and isinstance(given, str) and TAB in given:
        rule = _("has columns that fit no language of the survey")
    if sentences.is_about_routing(refusal):
        return FieldProblem(name, question or sentences.condition(refusal), refusal.code in TO_CHOOSE)
    if name == "questions":
        return FieldProblem("", _("Put at least one question into this section."), True)
    if refusal.code == "picture_alt":
        return FieldProblem(name, _("Say in words what the picture shows, for those who do not see it."), True)
    if name in MISSING and _too_little(value, MISSING[name].least):
        return FieldProblem(name, str(MISSING[name].missing), True)
    if name and name not in labels:
        return FieldProblem("", _("Its field “%(name)s” %(rule)s.") % {"name": sentences.label(name), "rule": rule})
    if element is not None:
        words = _("Line %(line)s: %(rule)s") if question else _("Line %(line)d %(rule)s.")
        return FieldProblem(name, words % {"line": element + 1, "rule": question or rule}, lines=(element + 1,))
    if question:
        return FieldProblem(name, question)
    label = labels.get(name, _("This question"))
    first, second = _repeated(name, value)
    same = _("; lines %(first)d and %(second)d are the same") % {"first": first, "second": second} if second else ""
    return FieldProblem(name, capfirst(f"{label} {rule}{same}."), lines=(second,) if second else ())


def _too_little(value: object, least: int) -> bool:
    """Return whether the value is empty, or a list with too few lines."""
    if isinstance(value, list):
        return len(value) < least
    return value is None or (isinstance(value, str) and not value.strip())


def _repeated(name: str, value: object) -> tuple[int, int]:
    """Return the numbers of the first two equal lines of a list, from 1; zeros if there are none."""
    if name not in LISTS or not isinstance(value, list):
        return 0, 0
    lines = [line.strip() if isinstance(line, str) else line for line in value]
    for i, line in enumerate(lines):
        if line in lines[:i]:
            return lines.index(line) + 1, i + 1
    return 0, 0
