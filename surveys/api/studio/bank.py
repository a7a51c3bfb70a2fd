"""Questions of one's own earlier surveys, and what designers write to each other, by program."""

from django.http import Http404, HttpResponse
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from surveys.api.bodies import read
from surveys.api.idempotency import HEADER, once
from surveys.api.json_schema import schema
from surveys.api.openapi_operation import operation
from surveys.api.problems import Refusal
from surveys.api.reading import answer, of_today, token_of
from surveys.api.studio.documents import (
    AddedKey,
    AddedQuestion,
    BankDocument,
    ChangedComment,
    CommentLine,
    CommentsDocument,
    NewComment,
)
from surveys.api.studio.guard import CHANGED, SURVEY, Studio, changing, json_answer, place
from surveys.api.studio.surveys import TAG, time
from surveys.builder import comments, question_bank
from surveys.drafts import Changed, NotDraft
from surveys.models import Comment, Role

WORDS = OpenApiParameter(
    "words",
    {"type": "string", "maxLength": question_bank.LONGEST, "default": ""},
    description="What the questions’ texts have.",
)
COMMENT = place("comment", "Of the list of comments.")


class BankView(Studio):
    @operation(
        "question_bank",
        "Questions of your other surveys",
        f"Every different one once, of the newest surveys first: {question_bank.SHOWN} at most; none with a token for "
        "one survey.",
        {200: (schema(BankDocument), "The questions.")},
        tag=TAG,
        parameters=[SURVEY, WORDS],
        refused=[403, 409],
        known_by=["token", "session"],
    )
    def get(self, request: Request, survey: int) -> HttpResponse:
        stored = self.survey_for(request, survey, Role.DESIGNER)
        if not stored.is_draft:
            raise NotDraft
        words = request.query_params.get("words", "").strip()[: question_bank.LONGEST]
        every = question_bank.entries(self.person(request), stored, words) if _sees_others(request) else []
        items = [
            {"survey": each.survey.pk, "title": each.survey.title, "question": each.question}
            for each in every[: question_bank.SHOWN]
        ]
        return of_today(answer(request, {"items": items, "more": len(every) > question_bank.SHOWN}))

    @changing(
        "take_question",
        "Take one over",
        "At the end of the draft, in its language where it was translated, without a condition on whom it is asked.",
        {201: (schema(AddedKey), "The key that it has here.")},
        tag=TAG,
        parameters=[SURVEY, HEADER],
        refused=[403, 409, 422],
        body=schema(AddedQuestion),
    )
    def post(self, request: Request, survey: int) -> HttpResponse:
        stored, wanted = self.survey_for(request, survey, Role.DESIGNER), read(request, AddedQuestion)
        user, number = self.person(request), wanted["survey"]

        def make() -> tuple[int, AddedKey]:
            known = number if _sees_others(request) and 0 < number < 10**18 else 0
            return 201, {"key": question_bank.take(user, stored, known, wanted["key"])}

        try:
            return json_answer(*once(request, user, make))
        except Changed:
            gone = "There is no such question in a survey of yours, or no room for it."
            raise Refusal(409, "changed", f"{CHANGED} {gone}") from None


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
        refused=[403, 409, 422],
        body=schema(NewComment),
    )
    def post(self, request: Request, survey: int) -> HttpResponse:
        stored, wanted = self.survey_for(request, survey, Role.DESIGNER), read(request, NewComment)
        user = self.person(request)

        def make() -> tuple[int, CommentLine]:
            return 201, _line(comments.add(stored, user, wanted.get("question", ""), wanted["text"].strip()))

        try:
            return json_answer(*once(request, user, make))
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


def _sees_others(request: Request) -> bool:
    """A token for one survey reads no other."""
    token = token_of(request)
    return token is None or token.survey_id is None


def _line(row: Comment) -> CommentLine:
    return {
        "number": row.pk,
        "question": row.question,
        "username": row.user.get_username() if row.user else None,
        "at": time(row.at) or "",
        "text": row.text,
        "done": row.done,
    }
