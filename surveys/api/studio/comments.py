"""What a survey's designers write to each other, by program."""

from django.http import Http404, HttpResponse
from rest_framework.request import Request

from surveys.api.bodies import read
from surveys.api.idempotency import HEADER, made_once
from surveys.api.json_schema import schema
from surveys.api.openapi_operation import operation
from surveys.api.problems import Refusal
from surveys.api.reading import answer, of_today
from surveys.api.studio.documents import ChangedComment, CommentLine, CommentsDocument, NewComment
from surveys.api.studio.guard import SURVEY, Studio, changing, json_answer, place
from surveys.api.studio.surveys import TAG, time
from surveys.designer.editor import comments
from surveys.models import Comment, Role

COMMENT = place("comment", "Of the list of comments.")


class CommentsView(Studio):
    @operation(
        "comments",
        "What its designers write to each other",
        "On it and on its questions, the oldest first.",
        {200: (schema(CommentsDocument), "The comments.")},
        tag=TAG,
        parameters=[SURVEY],
        refused=[403],
        known_by=["token", "session"],
    )
    def get(self, request: Request, survey: int) -> HttpResponse:
        stored = self.survey_for(request, survey, Role.DESIGNER)
        rows = Comment.objects.filter(survey=stored).select_related("user").order_by("pk")
        return of_today(answer(request, {"items": [_line(row) for row in rows]}))

    @changing(
        "write_comment",
        "Write a comment",
        f"Of at most {comments.LONGEST} characters. A survey has at most {comments.MOST}.",
        {201: (schema(CommentLine), "The comment.")},
        tag=TAG,
        parameters=[SURVEY, HEADER],
        refused=[403, 409, 410, 422],
        body=schema(NewComment),
    )
    def post(self, request: Request, survey: int) -> HttpResponse:
        stored, wanted = self.survey_for(request, survey, Role.DESIGNER), read(request, NewComment)
        user = self.person(request)

        def make() -> int:
            return comments.add(stored, user, wanted.get("question", ""), wanted["text"].strip()).pk

        def tell(number: int) -> CommentLine | None:
            row = Comment.objects.filter(survey=stored, pk=number).select_related("user").first()
            return None if row is None else _line(row)

        try:
            return json_answer(*made_once(request, user, make, tell))
        except comments.CommentRefused as refused:
            raise Refusal(422, "comment", str(refused)) from None


class CommentView(Studio):
    @changing(
        "settle_comment",
        "Say that a comment is done with, or is not",
        "For everybody.",
        {200: (schema(CommentLine), "The comment.")},
        tag=TAG,
        parameters=[SURVEY, COMMENT],
        refused=[403],
        body=schema(ChangedComment),
    )
    def patch(self, request: Request, survey: int, comment: int) -> HttpResponse:
        stored, wanted = self.survey_for(request, survey, Role.DESIGNER), read(request, ChangedComment)
        rows = Comment.objects.filter(survey=stored, pk=comment)
        rows.update(done=wanted["done"])
        row = rows.select_related("user").first()
        if row is None:
            raise Http404("There is no such comment.")
        return json_answer(200, _line(row))


def _line(row: Comment) -> CommentLine:
    return {
        "number": row.pk,
        "question": row.question,
        "username": row.user.get_username() if row.user else None,
        "at": time(row.at) or "",
        "text": row.text,
        "done": row.done,
    }
