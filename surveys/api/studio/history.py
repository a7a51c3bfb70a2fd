"""The API of a draft's history: the draft after each change, going back, and undoing your last change."""

from typing import Annotated, TypedDict

from django.http import Http404
from rest_framework.request import Request

from surveys import drafts
from surveys.api.documents import like
from surveys.api.listing import PARTS, absolute, in_parts
from surveys.api.problems import Refusal
from surveys.api.studio.drafts import DraftDocument, draft_document
from surveys.api.studio.fields import MARKED, TIME, WHOLE, Draft, Part
from surveys.api.studio.guard import Studio
from surveys.api.studio.operations import changes, number, reads
from surveys.api.studio.surveys import time
from surveys.designer.editor import snapshots
from surveys.drafts import history
from surveys.models import Revision, Snapshot, Survey

SNAPSHOT = number("snapshot", "Of the draft’s history.")
OVERTAKEN = "The draft has since changed there, so this change cannot be undone. Nothing was changed."


class Marked(TypedDict):
    mark: Annotated[str, "The mark of the draft that you read. 409 if someone else has changed it since.", MARKED]


class HistoryLine(TypedDict):
    """A change to a draft."""

    number: Annotated[int, "The number of the draft after the change.", like(31)]
    at: Annotated[str, TIME]
    username: Annotated[str | None, "Null for the draft before all changes.", like("ada")]
    what: Annotated[
        str, "A sentence, in the language of the user who made the change.", like("Changed the texts of the survey.")
    ]
    url: Annotated[str, like("https://survey.example.org/api/v1/studio/17/history/31")]


class HistoryPage(Part):
    """Part of a draft's history."""

    items: list[HistoryLine]


class OldDraft(HistoryLine):
    draft: Draft


class UndoDocument(TypedDict):
    step: Annotated[int | None, "The change’s number.", like(12)]
    what: Annotated[
        str | None,
        "A sentence, in the language in which the change was made.",
        like("Changed the texts of the survey."),
    ]


class UndoStep(TypedDict):
    step: Annotated[int, "The change’s number.", WHOLE | like(12)]


class HistoryView(Studio):
    @reads(
        "history",
        "Its draft’s history",
        "Every stored change, newest first; none for an opened survey.",
        "Part of the list.",
        parameters=PARTS,
    )
    def get(self, request: Request, survey: Survey) -> HistoryPage:
        rows = Snapshot.objects.filter(survey=survey if survey.is_draft else None)
        part: HistoryPage = in_parts(request, rows.defer("content").select_related("user"), _line)
        return part


class SnapshotView(Studio):
    @reads(
        "old_draft",
        "The draft after a change",
        "The draft, with a sentence about the change.",
        "The draft.",
        parameters=[SNAPSHOT],
    )
    def get(self, request: Request, survey: Survey, snapshot: int) -> OldDraft:
        row = _snapshot(survey, snapshot)
        return {**_line(row), "draft": row.content}


class ReturnView(Studio):
    @changes(
        "return_to_draft",
        "Go back to a change",
        "Restores the draft after that change. This is a change like others: you can undo it, and the history keeps "
        "the draft before it.",
        "The stored draft.",
        parameters=[SNAPSHOT],
        refused=[409],
    )
    def post(self, request: Request, survey: Survey, wanted: Marked, snapshot: int) -> DraftDocument:
        row = _snapshot(survey, snapshot)
        return draft_document(snapshots.go_back(survey, self.person(request), row, wanted["mark"]))


class UndoView(Studio):
    @reads(
        "undoable",
        "Your own last change",
        "The last change that you can undo, made through the API or in the studio.",
        "The change; null where there is none.",
    )
    def get(self, request: Request, survey: Survey) -> UndoDocument:
        step = history.last(survey, self.person(request)) if survey.is_draft else None
        return {"step": step.pk if step else None, "what": step.said if step else None}

    @changes(
        "undo",
        "Undo your change",
        "Undoes your change with this number. 409 if others have changed the same since: their changes are never "
        "overwritten. A repeated request gets 404.",
        "The stored draft.",
        refused=[409],
    )
    def post(self, request: Request, survey: Survey, wanted: UndoStep) -> DraftDocument:
        user = self.person(request)
        known = 0 < wanted["step"] < 10**18
        step = Revision.objects.filter(survey=survey, user=user, pk=wanted["step"]).first() if known else None
        if step is None:
            raise Http404("There is no such change of yours.")
        try:
            return draft_document(drafts.put_back(survey, user, step))
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
