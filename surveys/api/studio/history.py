"""A draft's history by program: how each change left it, going back to it, and undoing one's own last change."""

from django.http import Http404, HttpResponse
from rest_framework.request import Request

from surveys.api.bodies import read
from surveys.api.json_schema import schema
from surveys.api.listing import PARTS, absolute, in_parts
from surveys.api.openapi_operation import operation
from surveys.api.problems import Refusal
from surveys.api.reading import answer, of_today
from surveys.api.studio.documents import HistoryLine, HistoryPage, Marked, OldDraft, UndoDocument, UndoStep
from surveys.api.studio.drafts import DRAFT_DOCUMENT, draft_document
from surveys.api.studio.guard import SURVEY, Studio, changing, json_answer, place
from surveys.api.studio.surveys import TAG, time
from surveys.designer.editor import snapshots, undo
from surveys.drafts import history
from surveys.models import Revision, Role, Snapshot, Survey

SNAPSHOT = place("snapshot", "Of the draft’s history.")
OVERTAKEN = "What this change left does not stand any more, so it cannot be undone. Nothing was changed."


class HistoryView(Studio):
    @operation(
        "history",
        "Its draft’s history",
        "Every change that is kept, the newest first; none of an opened survey.",
        {200: (schema(HistoryPage), "A part of them.")},
        tag=TAG,
        parameters=[SURVEY, *PARTS],
        refused=[403],
        known_by=["token", "session"],
    )
    def get(self, request: Request, survey: int) -> HttpResponse:
        stored = self.survey_for(request, survey, Role.DESIGNER)
        rows = Snapshot.objects.filter(survey=stored if stored.is_draft else None)
        part = in_parts(request, rows.defer("content").select_related("user"), _line)
        return of_today(answer(request, part))


class SnapshotView(Studio):
    @operation(
        "old_draft",
        "The draft as it stood then",
        "With what is said of the change that left it so.",
        {200: (schema(OldDraft), "The draft.")},
        tag=TAG,
        parameters=[SURVEY, SNAPSHOT],
        refused=[403],
        known_by=["token", "session"],
    )
    def get(self, request: Request, survey: int, snapshot: int) -> HttpResponse:
        row = _snapshot(self.survey_for(request, survey, Role.DESIGNER), snapshot)
        return of_today(answer(request, {**_line(row), "draft": row.content}))


class ReturnView(Studio):
    @changing(
        "return_to_draft",
        "Go back to it",
        "The draft is again as it stood then. That is a change like others: it can be undone, and the history keeps "
        "what was there before.",
        {200: (DRAFT_DOCUMENT, "The draft as it is stored.")},
        tag=TAG,
        parameters=[SURVEY, SNAPSHOT],
        refused=[403, 409],
        body=schema(Marked),
    )
    def post(self, request: Request, survey: int, snapshot: int) -> HttpResponse:
        stored, wanted = self.survey_for(request, survey, Role.DESIGNER), read(request, Marked)
        row = _snapshot(stored, snapshot)
        return json_answer(200, draft_document(snapshots.go_back(stored, self.person(request), row, wanted["mark"])))


class UndoView(Studio):
    @operation(
        "undoable",
        "Your own last change",
        "That can be undone, whether it was made by program or in the studio.",
        {200: (schema(UndoDocument), "The change; null where there is none.")},
        tag=TAG,
        parameters=[SURVEY],
        refused=[403],
        known_by=["token", "session"],
    )
    def get(self, request: Request, survey: int) -> HttpResponse:
        stored = self.survey_for(request, survey, Role.DESIGNER)
        step = history.last(stored, self.person(request)) if stored.is_draft else None
        return of_today(answer(request, {"step": step.pk if step else None, "what": step.said if step else None}))

    @changing(
        "undo",
        "Undo a change of yours",
        "By its number. 409 where others have changed the same since; nothing of theirs is overwritten. Sent again, it "
        "is not found: it was undone.",
        {200: (DRAFT_DOCUMENT, "The draft as it is stored.")},
        tag=TAG,
        parameters=[SURVEY],
        refused=[403, 409],
        body=schema(UndoStep),
    )
    def post(self, request: Request, survey: int) -> HttpResponse:
        stored, wanted = self.survey_for(request, survey, Role.DESIGNER), read(request, UndoStep)
        user = self.person(request)
        known = 0 < wanted["step"] < 10**18
        step = Revision.objects.filter(survey=stored, user=user, pk=wanted["step"]).first() if known else None
        if step is None:
            raise Http404("There is no such change of yours.")
        try:
            return json_answer(200, draft_document(undo.put_back(stored, user, step)))
        except Revision.DoesNotExist:
            raise Http404("There is no such change of yours.") from None
        except history.Overtaken:
            raise Refusal(409, "overtaken", OVERTAKEN) from None


def _snapshot(survey: Survey, number: int) -> Snapshot:
    row = Snapshot.objects.filter(survey=survey, pk=number).select_related("user").first()
    if row is None or not survey.is_draft:
        raise Http404("There is no such draft in its history.")
    return row


def _line(row: Snapshot) -> HistoryLine:
    return {
        "number": row.pk,
        "at": time(row.at) or "",
        "username": row.user.get_username() if row.user else None,
        "what": snapshots.what(row),
        "url": absolute("api-studio-snapshot", row.survey_id, row.pk),
    }
