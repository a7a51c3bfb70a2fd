"""Extra requests of a question's form: another key or kind, usual steps or dates, the expected number of people, the
question's condition."""

from collections.abc import Callable
from typing import NamedTuple, cast

from django.http import HttpRequest, QueryDict
from django.utils import timezone
from django.utils.translation import gettext as _

from surveys import drafts
from surveys.designer.editor import bins, routing
from surveys.designer.editor.editors import Editor
from surveys.designer.editor.problems import FieldProblem
from surveys.drafts import arms, forms, options, outline, presets, protection, scales, spans
from surveys.drafts.fields import Part
from surveys.drafts.kinds import KINDS, changed
from surveys.drafts.normalize import is_key, keys
from surveys.models import Survey
from surveys.rules.draft import Draft, Question


class ExtraFieldsResult(NamedTuple):
    """The question's present key, the refused fields (not stored), and whether the form has changed."""

    key: str
    refused: list[FieldProblem] = []
    renewed: bool = False


def follow(request: HttpRequest, survey: Survey, editor: Editor, form: QueryDict) -> ExtraFieldsResult:
    """Carry out the form's other requests, once its fields are stored."""
    key, refused = editor.name, _expected(request, survey, form)
    kind = str(form.get("to_kind", ""))
    if "change_kind" in form and kind in KINDS:
        replace(request, survey, editor, lambda question: changed(question, kind))
        return ExtraFieldsResult(key, refused, True)
    if (what := form.get("scale")) in ("shares", "mean"):
        replace(request, survey, editor, lambda question: scales.convert(question, cast(scales.Wanted, what)))
        return ExtraFieldsResult(key, refused, True)
    if "fill_scale" in form and (preset := str(form.get("preset", ""))) in presets.PRESETS:
        drafts.change(survey, request.user, lambda draft: presets.fill(draft, key, preset))
        return ExtraFieldsResult(key, refused, True)
    if "fill_dates" in form and (preset := str(form.get("preset", ""))) in spans.PRESETS:
        today = timezone.localdate()
        drafts.change(survey, request.user, lambda draft: spans.fill(draft, key, preset, today))
        return ExtraFieldsResult(key, refused, True)
    if "route" in form:
        replace(request, survey, editor, lambda question: routing.route(question, str(form.get("decides", ""))))
        return ExtraFieldsResult(key, refused, True)
    if (left := form.get("unroute")) is not None:
        replace(request, survey, editor, lambda question: routing.unroute(question, left))
        return ExtraFieldsResult(key, refused, True)
    wished = form.get("key", key).strip()
    if wished == key:
        return ExtraFieldsResult(key, refused)
    try:
        drafts.change(survey, request.user, lambda draft: rename(draft, key, wished))
    except ValueError:
        rule = _("Take 1 to 40 of a-z, 0-9 and _, beginning with a letter. It is still “%(key)s”.")
        return ExtraFieldsResult(key, [*refused, FieldProblem("key", rule % {"key": key})])
    except KeyError:
        rule = _("Another question has this key. It is still “%(key)s”.")
        return ExtraFieldsResult(key, [*refused, FieldProblem("key", rule % {"key": key})])
    return ExtraFieldsResult(wished, refused, True)


def replace(request: HttpRequest, survey: Survey, editor: Editor, how: Callable[[Question], Part]) -> None:
    """Replace the part with `how(part)`."""

    def put(draft: Draft) -> str:
        other = how(cast(Question, dict(editor.find(draft))))
        editor.put(draft, other)
        return editor.changed(other)

    drafts.change(survey, request.user, put)


def rename(draft: Draft, key: str, wished: str) -> str:
    """Change a question's key everywhere in the draft: sections, forms, conditions, versions. Return a message. Raise
    ValueError for an invalid key, KeyError for an existing one."""
    if not is_key(wished):
        raise ValueError(wished)
    if wished in keys(draft):
        raise KeyError(wished)
    held = outline.question_of(draft, key)
    for rule in options.rules_about(draft, key):
        rule["question"] = wished
    held["key"] = wished
    forms.follow(draft, key, wished)
    protection.rename(draft, key, wished)
    arms.follow(draft, key, wished)
    for each in draft.get("sections", []):
        each["questions"] = [wished if name == key else name for name in each["questions"]]
    return _("Changed the key “%(key)s” to “%(other)s”.") % {"key": key, "other": wished}


def _expected(request: HttpRequest, survey: Survey, form: QueryDict) -> list[FieldProblem]:
    """Store the expected number of people. All questions of the survey share it."""
    if "expected_n" not in form:
        return []
    number = bins.people(form)
    if form.get("expected_n", "").strip() and number is None:
        return [FieldProblem("expected_n", _("Give a whole number from 1 to 1000000000, or leave it empty."))]
    if number != survey.expected_n:
        drafts.expect(survey, request.user, number)
        survey.refresh_from_db()
    return []
