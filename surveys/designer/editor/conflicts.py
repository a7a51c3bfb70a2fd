"""Conflicts: two users changed the same field. Nothing is stored; the user sees both versions and chooses one."""

from django.http import HttpRequest, HttpResponse, QueryDict
from django.urls import reverse

from surveys import drafts
from surveys.access import doer
from surveys.designer.editor.editors import Clash, Editor
from surveys.designer.editor.marks import Merge, merge
from surveys.designer.editor.part_editor import part_context, versions
from surveys.designer.editor.responses import full_page
from surveys.drafts import Changed, history
from surveys.drafts.fields import Part, written
from surveys.drafts.normalize import normalize, normalized
from surveys.models import Survey
from surveys.rules.draft import Draft
from surveys.web.fragments import fragments, go, wants_fragments

CLASH = 409


def show(request: HttpRequest, survey: Survey, editor: Editor, form: QueryDict, clash: Clash) -> HttpResponse:
    """Show both versions above the unchanged form; nothing is stored."""
    context = {"survey": survey, "editor": editor, "clash": versions(clash, normalized(survey.draft))}
    if wants_fragments(request):
        return fragments(request, "designer/editor/clash.html", context, CLASH)
    if clash.theirs is None:
        return full_page(request, survey, context | {"alone": True, "form": _sent(form)}, CLASH)
    survey.refresh_from_db()
    normalize(survey.draft)
    context |= {"mark": " ".join(form.getlist("mark"))}
    return full_page(request, survey, part_context(survey, survey.draft, editor, form=form) | context, CLASH)


def _sent(form: QueryDict) -> list[tuple[str, str]]:
    return [
        (name, str(value))
        for name in form
        if name not in ("csrfmiddlewaretoken", "again", "theirs")
        for value in form.getlist(name)
    ]


def choose(request: HttpRequest, survey: Survey, editor: Editor, form: QueryDict) -> HttpResponse:
    """Resolve a conflict. Take the others' version of the fields that both changed and set the user's version aside, or
    restore a removed part."""
    if "again" in form:
        return _again(request, survey, editor, form)
    there = []

    def aside(draft: Draft) -> str:
        theirs = _standing(editor, draft)
        there.append(theirs is not None)
        if theirs is not None:
            made = merge(theirs, editor.fields(theirs), form)
            editor.put(draft, _restored(made, theirs))
        mine, with_mine = made.part if theirs is not None else _mine(editor, form), normalized(draft)
        _put(editor, with_mine, mine, theirs)
        history.put_aside(survey, doer(request), editor.aside(mine), with_mine, draft)
        return editor.changed(mine)

    drafts.change(survey, request.user, aside)
    return go(request, editor.url if any(there) else reverse("survey-questions", args=[survey.pk]))


def _again(request: HttpRequest, survey: Survey, editor: Editor, form: QueryDict) -> HttpResponse:
    """Store the user's version of a removed part, even if the part exists again by now."""
    keys = []

    def again(draft: Draft) -> str:
        theirs = _standing(editor, draft)
        mine = _mine(editor, form) if theirs is None else merge(theirs, editor.fields(theirs), form).part
        keys.append(_put(editor, draft, mine, theirs))
        return editor.changed(mine)

    drafts.change(survey, request.user, again)
    return go(request, reverse("survey-question", args=[survey.pk, keys[0]]) if any(keys) else editor.url)


def _mine(editor: Editor, form: QueryDict) -> Part:
    """Return a removed part from the form, which alone has it."""
    part = {"key": editor.name, "kind": form.get("kind", "")} if editor.what == "question" else {}
    return written(part, editor.fields(part), form)


def _restored(made: Merge, theirs: Part) -> Part:
    """Return the merged part with the others' version of the fields that both changed."""
    names = {field.name for field in made.both}
    return {name: value for name, value in made.part.items() if name not in names} | {
        name: value for name, value in theirs.items() if name in names
    }


def _standing(editor: Editor, draft: Draft) -> Part | None:
    """Return the part in the present draft; None if it was removed."""
    try:
        return editor.find(draft)
    except Changed:
        return None


def _put(editor: Editor, draft: Draft, mine: Part, theirs: Part | None) -> str:
    """Put the user's version into the draft. Return the key of a question that is new there, else ""."""
    if theirs is None:
        return editor.again(draft, mine)
    editor.put(draft, mine)
    return ""
