"""Comparisons that a program chooses: of answers, with a value, with another survey."""

from functools import partial

from django import forms
from django.http import Http404, HttpResponse, QueryDict
from django.utils.translation import override
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ParseError
from rest_framework.request import Request

from surveys.api.document_views import document_views
from surveys.api.problems import Refusal
from surveys.api.research_view import ResearchView, as_file, of_release, of_today
from surveys.figures.typed import unmistakable
from surveys.models import Release
from surveys.researcher.analyses.comparisons import options
from surveys.researcher.analyses.comparisons.comparison import find
from surveys.researcher.analyses.comparisons.selection import ComparisonInput
from surveys.researcher.analyses.frame.derived import VARIABLE
from surveys.researcher.downloads import comparisons as files
from surveys.researcher.downloads.comparison_document import ComparisonsDocument, ValueComparisonDocument
from surveys.researcher.results.question import views as question
from surveys.researcher.results.question.released import of_release as released_question

_QUESTION = OpenApiParameter(
    "question",
    {"type": "string", "pattern": f"^{VARIABLE}$", "examples": ["by_bike"]},
    required=True,
    description="Its key; for an item of a grid with a dot and its place.",
)
_OPTION = OpenApiParameter("option", {"type": "integer", "minimum": 1}, description="The answer, from 1 on; else 1.")
_NUMBER = {"type": "string", "pattern": r"^-?[0-9]{1,9}(?:\.[0-9]{1,6})?$", "examples": ["12.5"]}
_COMPARED = [
    _QUESTION,
    OpenApiParameter(
        "pairs",
        {"type": "string", "pattern": "^(all|[1-9][0-9]{0,2})$"},
        description="“all”, or the place of the answer that others are compared with. Else all, and of more than "
        "twelve answers the first with those that follow it.",
    ),
    _OPTION,
    OpenApiParameter(
        "value",
        {"type": "string", "pattern": r"^(?:100|[0-9]{1,2}(?:\.[0-9]{1,6})?)$", "examples": ["12.5"]},
        description="With which the answer is compared, in percent.",
    ),
    OpenApiParameter(
        "other",
        {"type": "string", "pattern": "^[-a-zA-Z0-9_]+(/[1-9][0-9]{0,8})?$", "examples": ["travel/2"]},
        description="Another survey that asks the same, whose answers are compared with these: its slug, and with a "
        "slash the release, else the newest.",
    ),
]
_VALUE_PARAMETERS = [
    _QUESTION,
    _OPTION,
    OpenApiParameter("value", _NUMBER, required=True, description="A share in percent, or a mean in its unit."),
    OpenApiParameter("than", {"type": "string", "enum": ["more", "less"]}, description="What is asked; else more."),
    OpenApiParameter(
        "target",
        {"type": "string", "enum": ["population", "respondents"]},
        description="Else whom the results page is about at first: by invitation the respondents, of other surveys "
        "the population.",
    ),
]


def _compared(view: ResearchView, request: Request, release: Release, number: int | None, format: str) -> HttpResponse:
    query = _typed(request, _COMPARED)
    released = options.released_question(release, query["question"])
    assert released is not None, "a question was named"
    query["address"] = query.pop("other", "")
    search = partial(find, partial(view.visitor, request), release.survey, released)
    with override("en"):
        typed = ComparisonInput(_query(query), released.key, released.options, (), search)
        _refuse(typed, "comparison", {"address": "other"})
    name = f"comparisons-{release.number}-{released.key}.{format}"
    return of_today(as_file(request, files.comparisons(release, typed.choices()), files.MADE, format, name))


def _value_comparison(
    view: ResearchView, request: Request, release: Release, number: int | None, format: str
) -> HttpResponse:
    query = _typed(request, _VALUE_PARAMETERS)
    key = query["question"]
    released = released_question(release.survey.slug or "", release.number, key)
    with override("en"):
        typed = question.read(released, question.with_usual(_query(query), release.survey))
        _refuse(typed, "value_comparison", {})
    made = files.value_comparison_document(release, key, typed.choices())
    name = f"value-comparison-{release.number}-{key}.{format}"
    return of_release(as_file(request, made, files.VALUE_COMPARISON, format, name), release.survey, number)


def _typed(request: Request, parameters: list[OpenApiParameter]) -> dict[str, str]:
    """What stands in the address of these; ParseError where one that is needed is missing."""
    query = {each.name: request.query_params[each.name] for each in parameters if each.name in request.query_params}
    if missing := [each.name for each in parameters if each.required and not query.get(each.name)]:
        raise ParseError(f"“{missing[0]}” is missing.")
    return query


def _query(fields: dict[str, str]) -> QueryDict:
    made = QueryDict(mutable=True)
    made.update({name: unmistakable(text) for name, text in fields.items()})
    return made


def _refuse(typed: forms.Form, code: str, names: dict[str, str]) -> None:
    """404 for an answer that is not there, 422 with every rule that is broken."""
    if typed.is_valid():
        return
    if "option" in typed.errors:
        raise Http404("There is no such answer.")
    raise Refusal(422, code, " ".join(f"“{names.get(name, name)}”: {texts[0]}" for name, texts in typed.errors.items()))


COMPARISONS = document_views(
    "comparisons",
    ComparisonsDocument,
    "The comparisons.",
    document=(
        "Comparisons of your choice",
        "A question’s answers with each other, one of them with a value, and all with those of another survey: "
        "differences with intervals that hold at once for all of them, p-values alone and corrected.",
    ),
    table=(
        "Comparisons of your choice as CSV",
        "One row for each comparison and confidence; differences are fractions of 1.",
    ),
    respond=_compared,
    parameters=_COMPARED,
    refused=[422],
)


VALUE_COMPARISON = document_views(
    "value_comparison",
    ValueComparisonDocument,
    "The answer.",
    document=(
        "Whether a share is more, or less, than a value",
        "One answer, or a mean, and one value that was picked before looking: yes, no or unknown at each confidence, "
        "with the interval and the exact one-sided p-value where one is known.",
    ),
    table=(
        "A share against a value as CSV",
        "One row for each confidence; shares are fractions of 1, means in their unit.",
    ),
    respond=_value_comparison,
    parameters=_VALUE_PARAMETERS,
    refused=[422],
)
