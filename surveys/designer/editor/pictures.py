"""Pictures in the builder. They have a form of their own, so that a chosen file is stored at once."""

from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from surveys import drafts
from surveys.access import doer, requires
from surveys.designer.editor import editors
from surveys.designer.editor.editors import Editor
from surveys.designer.editor.part_editor import part_context
from surveys.designer.editor.problems import FieldProblem
from surveys.designer.editor.responses import NOT_SAVED, full_page, gone
from surveys.drafts import Changed, NotDraft, history
from surveys.drafts.fields import Part
from surveys.drafts.kinds import title
from surveys.drafts.normalize import is_key, normalize
from surveys.drafts.pictures import NotPicture, reencoded
from surveys.models import Role, Survey
from surveys.rules.draft import Draft
from surveys.rules.limits import ALT_MAX
from surveys.rules.unchecked import Unchecked, as_list, as_object, words_of
from surveys.survey.definition.pictures import LOGO, PICTURE, PICTURES
from surveys.web.fragments import fragments, wants_fragments

FILES_MAX = 10  # files in a request: one of many pixels takes half a second of a processor


@require_POST
@requires(Role.DESIGNER)
def change(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Store chosen files or descriptions, or remove a picture. The POST names a question by its key; without a key the
    picture is the survey's logo."""
    normalize(survey.draft)
    key = request.POST.get("question", "")
    if key and not is_key(key):
        return gone(request, survey)
    editor = editors.question(survey, key) if key else editors.texts(survey)
    made, refused = _converted(request, LOGO if not key else PICTURE)

    def write(draft: Draft) -> str:
        part = editor.find(draft)
        name = PICTURE if key else LOGO
        changed = {**_with_picture(part, name, made.get("file"), request), **_with_options(part, made, request)}
        kept = {field: value for field, value in {**part, **changed}.items() if value is not None}
        editor.put(draft, kept)
        return _("Changed a picture of “%(title)s”.") % {"title": title(kept)} if key else _("Changed the logo.")

    try:
        survey = drafts.change(survey, request.user, write)  # each can be undone by itself
    except NotDraft:
        return gone(request, survey, NOT_SAVED)
    except Changed:
        return gone(request, survey)
    return _answer(request, survey, editor, refused)


def _converted(request: HttpRequest, what: str) -> tuple[dict[str, Unchecked], list[FieldProblem]]:
    """Return the converted files by field name, and the problems of the others."""
    made, refused = {}, []
    for place, (name, file) in enumerate(request.FILES.items()):
        assert isinstance(file, UploadedFile) and file.file is not None
        is_option = name != "file"
        try:
            if place >= FILES_MAX:
                raise NotPicture(_("must be chosen again: at most %(most)d are taken at a time") % {"most": FILES_MAX})
            made[name] = reencoded(file.file, PICTURES if is_option else what)
        except NotPicture as wrong:
            words = request.POST.get(name.replace("file", "words"), "")
            text = _("“%(words)s”: the file %(rule)s.") if is_option else _("The file %(rule)s.")
            refused.append(FieldProblem(PICTURES if is_option else what, text % {"words": words, "rule": wrong}))
    return made, refused


def _with_picture(part: Part, name: str, picture: Unchecked | None, request: HttpRequest) -> Part:
    """Return the survey's or the question's picture; None if it is removed."""
    if request.POST.get("remove") == "file":
        return {name: None}
    given = as_object(part.get(name))
    if picture is None and not given:
        return {}
    words, now = request.POST.get("alt"), given.get("alt", "")
    # The form sends these with every file. Unchanged ones are not stored, because another user may have changed them.
    alt = now if words is None or words == request.POST.get("alt-before") else words
    return {name: {**(picture or given), "alt": words_of(alt)[:ALT_MAX]}}


def _with_options(part: Part, made: dict[str, Unchecked], request: HttpRequest) -> Part:
    """Add pictures to a question's options, which are named by their texts. Raise Changed if an option is gone."""
    names = [name for name in [*made, request.POST.get("remove", "")] if name.startswith("file-")]
    if not names:
        return {}
    lines = [str(each) for each in as_list(part.get("options"))]
    pictures = [*as_list(part.get(PICTURES)), *[None] * len(lines)][: len(lines)]
    for name in names:
        words = request.POST.get(name.replace("file", "words"), "")
        places = [place for place, line in enumerate(lines) if line == words]
        if not places:
            raise Changed
        of_name = (place for place in places if name == f"file-{place}")
        pictures[next(of_name, places[0])] = made.get(name)
    return {PICTURES: pictures if any(pictures) else None}


def _answer(request: HttpRequest, survey: Survey, editor: Editor, refused: list[FieldProblem]) -> HttpResponse:
    if not (refused or wants_fragments(request)):
        return redirect(f"{editor.url}#c-{PICTURE if editor.what == 'question' else LOGO}")
    normalize(survey.draft)
    context = part_context(survey, survey.draft, editor, refused=refused) | {"survey": survey}
    if not wants_fragments(request):
        return full_page(request, survey, context, 422)
    context["filled"] = [each for each in context["everything"] if each.field.name in (PICTURE, PICTURES, LOGO)]
    context |= {"moved": (), "undoable": history.last(survey, doer(request))}
    return fragments(request, "designer/editor/saved.html", context)
