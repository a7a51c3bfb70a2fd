"""Context of the builder's pages: the draft's outline, its open tasks, and the form of one part."""

from collections.abc import Sequence
from typing import NamedTuple

from django.http import QueryDict
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from ldp.mechanisms import FITTING
from surveys.designer.editor import comments, problems, routing
from surveys.designer.editor.problems import FieldProblem, Problems
from surveys.designer.privacy.precision import precision
from surveys.drafts import forms, outline, protection
from surveys.drafts.fields import Part, sent, text_of
from surveys.drafts.kinds import KINDS, name_of
from surveys.drafts.ready import READY
from surveys.figures import numerals
from surveys.figures.sentences import comma_separated
from surveys.models import Survey
from surveys.rules.context import Context
from surveys.rules.draft import Draft, DraftSection
from surveys.survey.kinds.fields import Field
from surveys.survey.mechanisms import MECHANISMS

TASKS_SHOWN = 12


class OutlineLine(NamedTuple):
    """A row of the outline: a question, or a section's heading. Actions identify the row by `name`. `forms` lists the
    numbers, from 1, of the forms that ask the question; it is empty if everyone is asked. The planner's draws leave
    `alpha` and `forms` empty."""

    name: str
    url: str
    label: str
    is_section: bool
    problems: Sequence[FieldProblem]
    current: bool
    ordinal: int = 0
    kind: Promise | str = ""
    alpha: str = ""
    forms: str = ""
    comments: int = 0

    @property
    def wrong(self) -> bool:
        return any(not each.missing for each in self.problems)


class Control(NamedTuple):
    """A field of the form with its value and messages."""

    field: Field
    text: str
    problems: Sequence[FieldProblem]
    choices: Sequence[tuple[str, str]] = ()

    @property
    def wrong(self) -> bool:
        return any(not each.missing for each in self.problems)


def lines(survey: Survey, draft: Draft, problems: Problems, current: str) -> list[OutlineLine]:
    listed, ordinal, index, written = [], 0, 0, comments.open_on(survey)
    for row in outline.rows(draft):
        if row.section is not None:
            listed.append(section_line(survey, row.section, index, problems, current))
            index += 1
        else:
            line = question_line(survey, draft, ordinal, problems, current)
            listed.append(line._replace(comments=written.get(line.name, 0)))
            ordinal += 1
    return listed


def question_line(survey: Survey, draft: Draft, i: int, problems: Problems, current: str) -> OutlineLine:
    question = draft["questions"][i]
    key, draws = question["key"], forms.draws_with(draft, question["key"])
    alphas = dict.fromkeys(first_words(each.get("alpha"), 12) for each in [*draws, *([] if draws else [question])])
    listed, is_planned = forms.forms_of(draft), protection.total(draft) is not None
    places = [place for place, form in enumerate(listed, 1) if key in forms.keys_of(form)]
    return OutlineLine(
        key,
        reverse("survey-question", args=[survey.pk, key]),
        first_words(question.get("text")) or _("No text yet"),
        False,
        problems.questions.get(i, ()),
        key == current,
        i + 1,
        name_of(question),
        *(
            ("", "")
            if is_planned
            else (comma_separated(map(numerals.localized, alphas)) or "–", comma_separated(map(str, places)))
        ),
    )


def section_line(survey: Survey, section: DraftSection, i: int, problems: Problems, current: str) -> OutlineLine:
    url = reverse("survey-section", args=[survey.pk, i])
    label = first_words(section.get("title")) or _("Untitled section")
    return OutlineLine(str(i), url, label, True, problems.sections.get(i, ()), current == str(i))


def first_words(value: object, most: int = 120) -> str:
    text = value.strip() if isinstance(value, str) else "" if value is None else str(value)
    return text if len(text) <= most else text[: most - 1] + "…"


def tasks(survey: Survey, problems: Problems, listed: Sequence[OutlineLine]) -> list[dict[str, str]]:
    """Return links to the places that need work, in the survey's order."""
    links = []
    if problems.languages or any(each.field != "questions" for each in problems.texts):
        links.append({"url": reverse("survey-texts", args=[survey.pk]), "label": _("Texts and languages")})
    if problems.undecided:
        links.append({"url": reverse("survey-alpha", args=[survey.pk]), "label": _("People and protection")})
    if any(each.field == "questions" for each in problems.texts):
        links.append({"url": reverse("survey-questions", args=[survey.pk]) + "#add", "label": _("a first question")})
    for line in listed:
        if line.problems:
            label = (
                _("section “%(title)s”") % {"title": line.label}
                if line.is_section
                else _("question %(n)d") % {"n": line.ordinal}
            )
            links.append({"url": line.url, "label": label})
    return links


def controls(
    fields: Sequence[Field], part: Part, sentences: Sequence[FieldProblem], form: QueryDict | None
) -> list[Control]:
    """Return the form's fields with their values: the sent ones if the form is shown again, else the stored ones."""
    made = []
    for field in fields:
        text = text_of(field, part.get(field.name))
        if form is not None and (field.name in form or field.widget == "flag"):
            text = sent(field, form)
        about = [each for each in sentences if each.field == field.name]
        made.append(Control(field, text, about, select_options(field, part, text)))
    return made


def select_options(field: Field, part: Part, text: str) -> list[tuple[str, str]]:
    """Return a choice's options. The present value is added if it is no option."""
    if field.widget == "right":
        return (routing.exclusive_options if field.name == "exclusive" else routing.right_answers)(part, text)
    if field.widget != "choice":
        return []
    if field.choices:
        given = [(value, str(words)) for value, words in field.choices]
        return given if text in dict(given) else [*given, (text, text)]
    kind = part.get("kind")
    names = FITTING.get(kind, ()) if isinstance(kind, str) else ()
    listed = [("", _("Automatic: the most precise")), *((name, MECHANISMS[name].name) for name in names)]
    return listed if text in dict(listed) else [*listed, (text, MECHANISMS[text].name if text in MECHANISMS else text)]


class ChangedVersion(NamedTuple):
    label: Promise | str
    mine: str
    theirs: str


def differences(fields: Sequence[Field], mine: Part, theirs: Part, draft: Draft) -> list[ChangedVersion]:
    """Return the fields in which two versions of a part differ."""
    return [
        ChangedVersion(each.label, _read(each, mine, draft), _read(each, theirs, draft))
        for each in fields
        if text_of(each, mine.get(each.name)) != text_of(each, theirs.get(each.name))
    ]


def _read(field: Field, part: Part, draft: Draft) -> str:
    """Return a field's value in the form's words."""
    text = text_of(field, part.get(field.name))
    if field.widget == "flag":
        return _("Yes") if text else _("No")
    if field.widget == "condition":
        return routing.in_words(draft, part) or text
    return dict(select_options(field, part, text)).get(text, text) if text else ""


def context(survey: Survey, draft: Draft, current: str) -> Context:
    """Return the context of every page of the builder. `current` is a question's key, a section's index or "texts"."""
    every = problems.of(draft)
    listed = lines(survey, draft, every, current)
    to_do = tasks(survey, every, listed)
    return {
        "problems": every,
        "lines": listed,
        "tasks": to_do,
        "more_tasks": max(len(to_do) - TASKS_SHOWN, 0),
        "all_kinds": KINDS.items(),
        "ready_made": READY.items(),
        "count": len(draft["questions"]),
        "precision": precision(survey),
    }
