"""The API of the designers' comments on a survey."""

from typing import Annotated, NotRequired, TypedDict

from django.http import Http404
from rest_framework.request import Request

from surveys.api.documents import like
from surveys.api.idempotency import HEADER, create_once
from surveys.api.problems import Refusal
from surveys.api.studio.fields import TIME
from surveys.api.studio.guard import Studio
from surveys.api.studio.operations import changes, number, reads
from surveys.api.studio.surveys import time
from surveys.designer.editor import comments
from surveys.models import Comment, Survey

COMMENT = number("comment", "Of the list of comments.")


class NewComment(TypedDict):
    text: Annotated[str, like("Do we need this one?")]
    question: NotRequired[Annotated[str, "A question’s key; absent: on the whole survey.", like("by_bike")]]


class CommentLine(TypedDict):
    number: Annotated[int, "The number in the URL that settles it.", like(5)]
    question: Annotated[str, "A question’s key; empty: on the whole survey.", like("by_bike")]
    username: Annotated[str | None, "Null once the account is deleted.", like("ada")]
    at: Annotated[str, TIME]
    text: Annotated[str, like("Do we need this one?")]
    done: Annotated[bool, "Whether the comment is done."]


class CommentsDocument(TypedDict):
    items: list[CommentLine]


class ChangedComment(TypedDict):
    done: bool


class CommentsView(Studio):
    @reads(
        "comments",
        "Its designers’ comments",
        "Comments on the survey and its questions, oldest first.",
        "The comments.",
    )
    def get(self, request: Request, survey: Survey) -> CommentsDocument:
        rows = Comment.objects.filter(survey=survey).select_related("user").order_by("pk")
        return {"items": [_line(row) for row in rows]}

    @changes(
        "write_comment",
        "Write a comment",
        f"Of at most {comments.LONGEST} characters. A survey has at most {comments.MOST}.",
        "The comment.",
        status=201,
        parameters=[HEADER],
        refused=[409, 410, 422],
    )
    def post(self, request: Request, survey: Survey, wanted: NewComment) -> CommentLine:
        user = self.person(request)

        def make() -> int:
            return comments.add(survey, user, wanted.get("question", ""), wanted["text"].strip()).pk

        def tell(number: int) -> CommentLine | None:
            row = Comment.objects.filter(survey=survey, pk=number).select_related("user").first()
            return None if row is None else _line(row)

        try:
            return create_once(request, user, make, tell)
        except comments.CommentRefused as refused:
            raise Refusal(422, "comment", str(refused)) from None


class CommentView(Studio):
    @changes(
        "settle_comment",
        "Mark a comment as done or open",
        "For everyone.",
        "The comment.",
        parameters=[COMMENT],
    )
    def patch(self, request: Request, survey: Survey, wanted: ChangedComment, comment: int) -> CommentLine:
        rows = Comment.objects.filter(survey=survey, pk=comment)
        rows.update(done=wanted["done"])
        row = rows.select_related("user").first()
        if row is None:
            raise Http404("There is no such comment.")
        return _line(row)


def _line(row: Comment) -> CommentLine:
    return {
        "number": row.pk,
        "question": row.question,
        "username": row.user.get_username() if row.user else None,
        "at": time(row.at) or "",
        "text": row.text,
        "done": row.done,
    }
