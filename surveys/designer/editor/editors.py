"""The three editors: of the survey's texts, a section's heading, and a question. The form's values replace the part's
values, unless another user has changed the same field since the form was shown (marks.py)."""

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from typing import NamedTuple, cast

from django.contrib.auth.models import AnonymousUser, User
from django.http import QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _

from surveys import drafts
from surveys.designer.editor.marks import Merge, merge
from surveys.designer.editor.problems import FieldProblem, Problems
from surveys.drafts import Changed, columns, forms, options, outline, protection
from surveys.drafts.columns import Columns
from surveys.drafts.fields import Part
from surveys.drafts.kinds import fields_of, title
from surveys.drafts.normalize import normalized
from surveys.drafts.parts import SECTION_FIELDS, TEXTS, heading_of, put_texts, texts_of
from surveys.models import Survey
from surveys.rules.draft import Draft, DraftSection, Question
from surveys.survey.definition.randomization import OWN
from surveys.survey.kinds.fields import Field

CHARACTERS_MAX = 100_000


class Clash(Changed):
    """A conflict. `theirs` is the present part, None if removed; `merge` is that part with the form's changes."""

    def __init__(self, theirs: Part | None, merge: Merge | None = None) -> None:
        super().__init__()
        self.theirs, self.merge = theirs, merge


class TooLong(ValueError):
    """The form is longer than anyone types."""


class Editor(NamedTuple):
    """An editor of one part. `name` is a question's key, a section's index or "texts". `find` raises Changed if the
    part is gone. `changed` is the message for a change, `aside` for a version set aside. `again` restores a removed
    part and returns its key, "" for a section."""

    what: str
    name: str
    url: str
    find: Callable[[Draft], Part]
    put: Callable[[Draft, Part], None]
    fields: Callable[[Part], Sequence[Field]]
    problems: Callable[[Draft, Problems], Sequence[FieldProblem]]
    changed: Callable[[Part], str]
    again: Callable[[Draft, Part], str]
    aside: Callable[[Part], str]


def texts(survey: Survey) -> Editor:
    return Editor(
        "texts",
        "texts",
        reverse("survey-texts", args=[survey.pk]),
        texts_of,
        put_texts,
        lambda part: TEXTS,
        lambda draft, found: [each for each in found.texts if each.field != "questions"],
        lambda part: _("Changed the texts of the survey."),
        lambda draft, part: "",
        lambda part: _("Your version of the texts was put aside."),
    )


def section(survey: Survey, index: int) -> Editor:
    def put(draft: Draft, part: Part) -> None:
        held = outline.section_of(draft, index)
        draft["sections"][index] = cast(DraftSection, {**part, "questions": held["questions"]})

    def again(draft: Draft, part: Part) -> str:
        outline.put_section(draft, cast(DraftSection, {**part, "questions": []}), index)
        return ""

    return Editor(
        "section",
        str(index),
        reverse("survey-section", args=[survey.pk, index]),
        lambda draft: heading_of(outline.section_of(draft, index)),
        put,
        lambda part: SECTION_FIELDS,
        lambda draft, found: found.sections.get(index, ()),
        lambda part: _("Changed the heading of section %(n)d.") % {"n": index + 1},
        again,
        lambda part: _("Your version of the section was put aside."),
    )


def question(survey: Survey, key: str) -> Editor:
    """Return the editor of a question. It leaves out the fields of randomization if the question is drawn with others
    or by several forms, and alpha, size and sample if the planner sets them. The privacy page has them."""
    draft = normalized(survey.draft)
    is_drawn = any(forms.settings_of(draft, each) is None for each in draft["questions"] if each["key"] == key)
    planned = protection.total(draft) is not None
    elsewhere = OWN if is_drawn else ("alpha", "size", "sample") if planned else ()

    def find(draft: Draft) -> Part:
        part = forms.part_of(draft, outline.question_of(draft, key))
        return part if protection.total(draft) is None else protection.left_to_designer(part)

    def put(draft: Draft, part: Part) -> None:
        stored = outline.question_of(draft, key)
        before = dict(stored)
        forms.put_part(draft, stored, part)
        options.follow(draft, before, stored)

    def problems(draft: Draft, every: Problems) -> Sequence[FieldProblem]:
        return every.questions.get([each["key"] for each in draft["questions"]].index(key), ())

    return Editor(
        "question",
        key,
        reverse("survey-question", args=[survey.pk, key]),
        find,
        put,
        lambda part: [field for field in fields_of(part) if field.name not in elsewhere],
        problems,
        lambda part: _("Changed “%(title)s”.") % {"title": title(part)},
        lambda draft, part: outline.insert(draft, cast(Question, {**part, "key": key})),
        lambda part: _("Your version of “%(title)s” was put aside.") % {"title": title(part)},
    )


def store(
    survey: Survey, user: User | AnonymousUser, editor: Editor, form: QueryDict, tables: Mapping[str, Columns]
) -> tuple[Survey, Sequence[Field]]:
    """Store the form, with translations from tables pasted into its lists. Return the survey, and the fields that
    others have changed since the form was shown. Raise Clash if another user has changed a field that the form changes,
    TooLong if the text is too long to be typed."""
    # Earlier submissions are not stored, only compared; the last one counts.
    every = (texts[-1:] if name == "unanswered" else texts for name, texts in form.lists())
    if sum(len(text) for texts in every for text in texts) > CHARACTERS_MAX:
        raise TooLong

    theirs: Sequence[Field] = ()

    def write(draft: Draft) -> str:
        nonlocal theirs
        try:
            stored = editor.find(draft)
        except Changed:
            raise Clash(None) from None
        made = merge(stored, editor.fields(stored), form)
        if made.both:
            raise Clash(dict(stored), made)
        theirs, before = made.theirs, deepcopy(draft) if tables else draft
        editor.put(draft, made.part)
        columns.put(before, draft, editor.name, tables)
        return editor.changed(made.part)

    return drafts.change(survey, user, write, visit=str(form.get("visit", ""))[:32]), theirs
