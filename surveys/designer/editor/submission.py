"""Submitted forms of the builder: store them, and carry out their extra requests."""

from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse, QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys.access import doer
from surveys.designer.editor import bins, conflicts, extra_fields, routing
from surveys.designer.editor.editors import Clash, Editor, TooLong, store
from surveys.designer.editor.marks import carried
from surveys.designer.editor.part_editor import part_context
from surveys.designer.editor.problems import FieldProblem
from surveys.designer.editor.responses import full_page
from surveys.drafts import Changed, columns, history, presence
from surveys.drafts.columns import Columns
from surveys.drafts.normalize import normalized
from surveys.drafts.parts import known
from surveys.models import Survey
from surveys.rules.draft import Draft
from surveys.survey.kinds import LISTS
from surveys.survey.kinds.fields import Field
from surveys.web.fragments import fragments, go, wants_fragments

UNREAD = gettext_lazy(
    "These columns fit no languages of the survey. Let the first row name them, such as en and de, or paste one column."
)


def save(request: HttpRequest, survey: Survey, editor: Editor) -> HttpResponse:
    draft = normalized(survey.draft)
    form, refused = bins.filled(routing.carried(draft, request.POST), draft, editor.name)
    if "theirs" in form or "again" in form:
        return conflicts.choose(request, survey, editor, form)
    try:
        form, tables, unread = _parted(draft, editor, form)
        survey, theirs = store(survey, request.user, editor, form, tables)
        refused = [*refused, *unread]
    except TooLong:
        return HttpResponse(_("This is too long to be stored."), status=413, content_type="text/plain")
    except Clash as clash:
        return conflicts.show(request, survey, editor, form, clash)
    address, renewed = editor.url, "drop" in form
    if renewed:
        extra_fields.replace(request, survey, editor, lambda part: known(part, editor.fields(part)))
    elif editor.what == "question":
        done = extra_fields.follow(request, survey, editor, form)
        refused, renewed = [*refused, *done.refused], done.renewed
        address = reverse("survey-question", args=[survey.pk, done.key])
    if renewed or not (wants_fragments(request) or refused):
        return go(request, address)
    return _saved(request, survey, editor, form, refused, theirs, set(tables))


def _parted(draft: Draft, editor: Editor, form: QueryDict) -> tuple[QueryDict, dict[str, Columns], list[FieldProblem]]:
    """Return the form with lines in the survey's own language only, the columns of tables in its lists, and problems.
    A table that fits no languages stays as typed."""
    names = [name for name in LISTS if columns.TAB in form.get(name, "")] if editor.what == "question" else []
    read = {name: columns.read(str(form[name]), draft) for name in names}
    tables = {name: table for name, table in read.items() if table}
    if tables:
        form = form.copy()
        for name, table in tables.items():
            form[name] = "\n".join(table.own)
    return form, tables, [FieldProblem(name, str(UNREAD)) for name in read if name not in tables]


def _saved(
    request: HttpRequest,
    survey: Survey,
    editor: Editor,
    form: QueryDict,
    refused: list[FieldProblem],
    theirs: Sequence[Field],
    renewed: set[str],
) -> HttpResponse:
    """Show the stored part with messages. Refused fields stay as typed."""
    try:
        moved = routing.moved(editor.find(survey.draft), form)
        if moved:  # the form names an option by its former position
            form = form.copy()
            for name in moved:
                del form[name]
        context = part_context(survey, survey.draft, editor, form=form, refused=refused) | {"survey": survey}
    except Changed:
        return go(request, reverse("survey-questions", args=[survey.pk]))
    if wants_fragments(request):
        renewed |= {"edges"} if "fill" in form else set()
        renewed |= {"pictures"} if "options" in form else set()
        context["filled"] = [each for each in (*context["controls"], *context["folded"]) if each.field.name in renewed]
        context |= {"mark": carried(context["mark"], theirs, form), "theirs": [field.label for field in theirs]}
        context |= presence.others(survey, doer(request))
        context |= {"moved": moved, "undoable": history.last(survey, doer(request))}
        return fragments(request, "designer/editor/saved.html", context)
    return full_page(request, survey, context, 422)
