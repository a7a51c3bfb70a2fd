"""Questions of one's own other surveys, by program."""

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ParseError
from rest_framework.request import Request

from surveys.api.bodies import read
from surveys.api.idempotency import HEADER, once
from surveys.api.json_schema import schema
from surveys.api.openapi_operation import operation
from surveys.api.problems import Refusal
from surveys.api.reading import answer, of_today, token_of
from surveys.api.studio.documents import AddedKey, AddedQuestion, BankDocument
from surveys.api.studio.guard import CHANGED, SURVEY, Studio, changing, json_answer
from surveys.api.studio.surveys import TAG
from surveys.designer.editor import question_bank
from surveys.drafts import Changed, NotDraft
from surveys.models import Role

WORDS = OpenApiParameter(
    "words",
    {"type": "string", "maxLength": question_bank.LONGEST, "default": ""},
    description="What the questions’ texts have.",
)


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
        words = _words(request)
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


def _words(request: Request) -> str:
    words: str = request.query_params.get("words", "")
    if len(words) > question_bank.LONGEST:
        raise ParseError(f"“words” has more than {question_bank.LONGEST} characters.")
    return words.strip()


def _sees_others(request: Request) -> bool:
    """A token for one survey reads no other."""
    token = token_of(request)
    return token is None or token.survey_id is None
