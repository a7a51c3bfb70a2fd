"""The API of a draft before it opens: as respondents would see it, with test answers, and in a trial run."""

import json
from typing import Annotated, Any, TypedDict, cast

from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ParseError
from rest_framework.request import Request

from surveys.api.bodies import ReportParser
from surveys.api.documents import HEX, like
from surveys.api.problems import Refusal
from surveys.api.studio.fields import TIME, Draft
from surveys.api.studio.guard import Studio
from surveys.api.studio.operations import changes, reads
from surveys.api.studio.surveys import time
from surveys.designer.privacy import survey_trial
from surveys.designer.studio.effort.hint import effort
from surveys.designer.studio.preview import preview
from surveys.designer.tryouts import storage
from surveys.drafts.normalize import normalized
from surveys.models import Survey, TryoutReport
from surveys.respondent.intake.replies import Reply
from surveys.survey import definition as definitions
from surveys.survey.definition.document import Definition

SEED = OpenApiParameter(
    "seed",
    {"type": "integer", "minimum": 0, "maximum": 10**9 - 1, "default": 1},
    description="The same seed gives the same people, another seed other people.",
)


class MinutesDocument(TypedDict):
    low: Annotated[int, "The minutes for the shortest form.", like(3)]
    high: Annotated[int, "The minutes for the longest form; equal to `low` without forms.", like(3)]
    rate: Annotated[int, "The reading speed, in words per minute.", like(228)]


class LevelDocument(TypedDict):
    years: Annotated[int, "Years of school, from 4 to 15.", like(9)]
    formula: Annotated[str, "The source of the formula.", like("Coleman & Liau 1975")]
    words: Annotated[int, "The number of words on which the level is based.", like(240)]
    longest: Annotated[str, "The longest sentence, where it is worth a look.", like("")]


class EffortDocument(TypedDict):
    """The effort of answering, by rules of thumb (docs/makers/drafts.md)."""

    minutes: Annotated[MinutesDocument | None, "Null for languages without spaces between words."]
    level: Annotated[LevelDocument | None, "Null without a formula for the language, and for fewer than 100 words."]


class PreviewDocument(TypedDict):
    """A draft as respondents would see it, as far as it is complete."""

    definition: Annotated[
        dict[str, Any] | None,
        "The definition, as in /api/v1/schema, with alpha 1 if none is chosen yet; null if nothing can be asked.",
        like(None),
    ]
    digest: Annotated[str | None, "SHA-256 of the definition’s canonical bytes; null without one.", HEX]
    incomplete: Annotated[list[str], "The questions that are left out, by text or place.", like(["Question 2"])]
    undecided: Annotated[int, "Questions without an alpha.", like(0)]
    effort: Annotated[EffortDocument | None, "Null if nothing can be asked."]


class NewTestAnswer(TypedDict):
    report: Annotated[
        Draft,
        "A report of the draft as /preview has it, with “test-” before its digest, as the studio’s own page sends it.",
        like(
            {
                "report_id": "0b9a7a2e-6c1e-4d0a-9d0c-0e6a2a8f7b11",
                "digest": "test-9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                "answers": {"by_bike": 0},
            }
        ),
    ]


class TestAnswerLine(TypedDict):
    """The part of a test answer about one question."""

    key: Annotated[str, like("by_bike")]
    question: Annotated[str, like("Do you go by bike?")]
    title: Annotated[str, "The items, if there may be several.", like("")]
    items: Annotated[list[str], like(["Yes"])]


class TestAnswer(TypedDict):
    """A designer's report for the draft. It is separate and never counted."""

    number: Annotated[int, like(3)]
    at: Annotated[str, "The minute in which it came.", TIME]
    report: Annotated[Draft, "The report as sent.", like({"answers": {"by_bike": 0}})]
    says: list[TestAnswerLine]


class TestAnswersDocument(TypedDict):
    items: Annotated[list[TestAnswer], "The newest first."]


class TrialRow(TypedDict):
    """An answer to a question, or a mean."""

    key: Annotated[str, "The question’s; of an item of a grid followed by a dot and its place.", like("by_bike")]
    option: Annotated[str, "For a mean: mean.", like("Yes")]
    invented: Annotated[float, "The share from which people were drawn, as a fraction of 1; a mean in its unit."]
    estimate: Annotated[float | None, "Unbiased, so possibly impossible; null where only the interval is known."]
    low: Annotated[float, "The interval that holds at once with those of all answers to the question."]
    high: float


class TrialDocument(TypedDict):
    """The results of invented people, with the real mechanisms and estimates. They are not results of the survey."""

    people: Annotated[int, "The number of invented people.", like(1000)]
    seed: Annotated[int, "The same seed gives the same people.", like(1)]
    items: list[TrialRow]


class PreviewView(Studio):
    @reads(
        "preview",
        "The draft as respondents would see it",
        "The complete part of a draft, as opening would freeze it.",
        "The preview.",
        draft=True,
        refused=[409],
    )
    def get(self, request: Request, survey: Survey) -> PreviewDocument:
        seen = preview(survey.draft)
        return {
            "definition": dict(seen.definition) if seen.definition else None,
            "digest": definitions.digest(seen.definition) if seen.definition else None,
            "incomplete": seen.incomplete,
            "undecided": seen.undecided,
            "effort": _effort(seen.definition) if seen.definition else None,
        }


class TestAnswersView(Studio):
    parser_classes = [ReportParser]

    @reads(
        "test_answers",
        "Test answers to a draft",
        "The designers’ test reports, also in words. They are separate from all reports, marked so that no survey "
        f"accepts them, and never counted. The newest {storage.MOST} are kept until it opens.",
        "The test answers.",
        draft=True,
        refused=[409],
    )
    def get(self, request: Request, survey: Survey) -> TestAnswersDocument:
        return _answers(survey)

    @changes(
        "send_test_answer",
        "Send a test answer",
        "A report for the previewed draft. The errors are the intake’s. A repeated report counts once. There is no "
        "Idempotency-Key, since its copy would outlive the draft.",
        "The test answer.",
        draft=True,
        status=201,
        refused=[409, 413, 422],
    )
    def post(self, request: Request, survey: Survey, wanted: NewTestAnswer) -> TestAnswer:
        row = storage.receive(survey, json.dumps(wanted["report"], separators=(",", ":")).encode())
        if isinstance(row, Reply):
            raise _refusal(row)
        return _document(row)

    @changes(
        "forget_test_answers",
        "Erase all test answers",
        "Erases all test answers to the draft.",
        "None.",
        draft=True,
        refused=[409],
    )
    def delete(self, request: Request, survey: Survey) -> TestAnswersDocument:
        storage.forget(survey)
        return _answers(survey)


class TrialView(Studio):
    @reads(
        "trial",
        "A trial run of the whole survey",
        "Invented people answer at random: as many as expected, or as a trial allows. Their answers go through the "
        "real mechanisms and estimates, and nothing is stored.",
        "Their results.",
        parameters=[SEED],
        refused=[422],
    )
    def get(self, request: Request, survey: Survey) -> TrialDocument:
        definition = definitions.build(normalized(survey.draft)) if survey.is_draft else survey.definition
        seed = _seed(request.query_params.get("seed", "1"))
        people, rows = survey_trial.rows(survey, definition, seed)
        return {"people": people, "seed": seed, "items": [cast(TrialRow, row._asdict()) for row in rows]}


def _effort(definition: Definition) -> EffortDocument:
    of = effort(definition)
    return {
        "minutes": of.minutes._asdict() if of.minutes else None,  # type: ignore[typeddict-item]
        "level": of.level._asdict() if of.level else None,  # type: ignore[typeddict-item]
    }


def _seed(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise ParseError("“seed” is a whole number of at most 9 digits.")
    return int(text)


def _answers(survey: Survey) -> TestAnswersDocument:
    return {"items": [_document(row) for row in storage.newest_first(survey)]}


def _document(row: TryoutReport) -> TestAnswer:
    return {
        "number": row.pk,
        "at": time(row.at) or "",
        "report": json.loads(row.body),
        "says": [
            {"key": line.key, "question": line.question, "title": line.reading.title, "items": line.reading.items}
            for line in storage.lines(row)
        ],
    }


def _refusal(reply: Reply) -> Refusal:
    """Return the intake's refusal of a report, with the field if the intake names one."""
    problem = json.loads(reply.body)
    field, rule = problem.get("field"), problem["detail"]
    name = problem["type"].rpartition("/")[2].replace("-", "_")
    return Refusal(reply.status, name, rule, [{"field": field, "code": name, "rule": rule}] if field else [])
