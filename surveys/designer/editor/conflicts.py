"""Conflicts: two users changed the same part. Nothing is stored, both versions are shown, and the user chooses one."""

from django.http import HttpRequest, HttpResponse, QueryDict
from django.urls import reverse

from surveys import drafts
from surveys.access import doer
from surveys.designer.editor.editors import Editor
from surveys.designer.editor.part_editor import part_context, versions
from surveys.designer.editor.responses import full_page
from surveys.drafts import Changed, history
from surveys.drafts.fields import Part, written
from surveys.drafts.normalize import normalize, normalized
from surveys.models import Survey
from surveys.rules.draft import Draft
from surveys.web.fragments import fragments, go, wants_fragments

CLASH = 409


def show(request: HttpRequest, survey: Survey, editor: Editor, form: QueryDict, theirs: Part | None) -> HttpResponse:
    """Show both versions above the unchanged form; nothing is stored."""
    clash = versions(editor, _mine(editor, form, theirs), theirs, normalized(survey.draft))
    context = {"survey": survey, "editor": editor, "clash": clash}
    if wants_fragments(request):
        return fragments(request, "designer/editor/clash.html", context, CLASH)
    if theirs is None:
        return full_page(request, survey, context | {"alone": True, "form": _sent(form)}, CLASH)
    survey.refresh_from_db()
    normalize(survey.draft)
    return full_page(request, survey, part_context(survey, survey.draft, editor, form=form) | context, CLASH)


def _sent(form: QueryDict) -> list[tuple[str, str]]:
    return [
        (name, str(value))
        for name in form
        if name not in ("csrfmiddlewaretoken", "again", "theirs")
        for value in form.getlist(name)
    ]


def choose(request: HttpRequest, survey: Survey, editor: Editor, form: QueryDict) -> HttpResponse:
    """Take the other version and put the user's own aside, to be restored later; or restore a removed part."""
    if "again" in form:
        return _again(request, survey, editor, form)
    there = []

    def aside(draft: Draft) -> str:
        theirs = _standing(editor, draft)
        mine, with_mine = _mine(editor, form, theirs), normalized(draft)
        _put(editor, with_mine, mine, theirs)
        history.put_aside(survey, doer(request), editor.aside(mine), with_mine, draft)
        there.append(theirs is not None)
        return ""

    drafts.change(survey, request.user, aside)
    return go(request, editor.url if any(there) else reverse("survey-questions", args=[survey.pk]))


def _again(request: HttpRequest, survey: Survey, editor: Editor, form: QueryDict) -> HttpResponse:
    """Stores one's own version of a part that was removed, also where it is there again by now."""
    keys = []

    def again(draft: Draft) -> str:
        theirs = _standing(editor, draft)
        mine = _mine(editor, form, theirs)
        keys.append(_put(editor, draft, mine, theirs))
        return editor.changed(mine)

    drafts.change(survey, request.user, again)
    return go(request, reverse("survey-question", args=[survey.pk, keys[0]]) if any(keys) else editor.url)


def _mine(editor: Editor, form: QueryDict, theirs: Part | None) -> Part:
    """The part as in the form. A removed part exists only there."""
    part = {"key": editor.name, "kind": form.get("kind", "")} if editor.what == "question" else {}
    base = part if theirs is None else theirs
    return written(base, editor.fields(base), form)


def _standing(editor: Editor, draft: Draft) -> Part | None:
    """The part in the present draft, None where it was removed."""
    try:
        return editor.find(draft)
    except Changed:
        return None


def _put(editor: Editor, draft: Draft, mine: Part, theirs: Part | None) -> str:
    """Put one's own version into the draft; the key of a question that is new there."""
    if theirs is None:
        return editor.again(draft, mine)
    editor.put(draft, mine)
    return ""
