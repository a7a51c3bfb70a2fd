"""The API of questions of your other surveys."""

from typing import Annotated, TypedDict

from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ParseError
from rest_framework.request import Request

from surveys.api.documents import like
from surveys.api.problems import Refusal
from surveys.api.research_view import token_of
from surveys.api.studio.fields import WHOLE, Draft
from surveys.api.studio.guard import CHANGED, Studio
from surveys.api.studio.operations import changes, reads
from surveys.designer.editor import question_bank
from surveys.drafts import Changed
from surveys.models import Survey

WORDS = OpenApiParameter(
    "words",
    {"type": "string", "maxLength": question_bank.LONGEST, "default": ""},
    description="Words in the questions’ texts.",
)


class BankEntry(TypedDict):
    """A question, with the newest of your surveys that contains it."""

    survey: Annotated[int, like(9)]
    title: Annotated[str, "The survey's title.", like("How people travel")]
    question: Annotated[Draft, like({"key": "by_bike", "kind": "yes_no", "text": "Do you go by bike?"})]


class BankDocument(TypedDict):
    items: list[BankEntry]
    more: Annotated[bool, "There are more than these: give words."]


class AddedQuestion(TypedDict):
    survey: Annotated[int, "The number of a survey whose draft you may see.", WHOLE | like(9)]
    key: Annotated[str, like("by_bike")]


class AddedKey(TypedDict):
    key: Annotated[str, "The question's key in this draft.", like("by_bike")]


class BankView(Studio):
    @reads(
        "question_bank",
        "Questions of your other surveys",
        f"Each different question once, newest surveys first: {question_bank.SHOWN} at most. A token for one survey "
        "gets none.",
        "The questions.",
        draft=True,
        parameters=[WORDS],
        refused=[409],
    )
    def get(self, request: Request, survey: Survey) -> BankDocument:
        words = _words(request)
        every = question_bank.entries(self.person(request), survey, words) if _sees_others(request) else []
        items: list[BankEntry] = [
            {"survey": each.survey.pk, "title": each.survey.title, "question": dict(each.question)}
            for each in every[: question_bank.SHOWN]
        ]
        return {"items": items, "more": len(every) > question_bank.SHOWN}

    @changes(
        "take_question",
        "Copy a question",
        "Adds it at the end of the draft, in the draft’s language if it was translated, without its condition.",
        "The question's key in the draft.",
        status=201,
        keyed=True,
        refused=[409, 422],
    )
    def post(self, request: Request, survey: Survey, wanted: AddedQuestion) -> AddedKey:
        known = wanted["survey"] if _sees_others(request) and 0 < wanted["survey"] < 10**18 else 0
        try:
            return {"key": question_bank.take(self.person(request), survey, known, wanted["key"])}
        except Changed:
            gone = "There is no such question in a survey of yours, or no room for it."
            raise Refusal(409, "changed", f"{CHANGED} {gone}") from None


def _words(request: Request) -> str:
    words: str = request.query_params.get("words", "")
    if len(words) > question_bank.LONGEST:
        raise ParseError(f"“words” has more than {question_bank.LONGEST} characters.")
    return words.strip()


def _sees_others(request: Request) -> bool:
    """Return whether the token may read other surveys: a token for one survey may not."""
    token = token_of(request)
    return token is None or token.survey_id is None
