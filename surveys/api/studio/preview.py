"""A draft looked at before it opens, by program: as it would be asked, with test answers, and in a trial run."""

import json
from typing import cast

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ParseError
from rest_framework.request import Request

from surveys.api.bodies import ReportParser, read
from surveys.api.json_schema import schema
from surveys.api.openapi_operation import operation
from surveys.api.problems import Refusal
from surveys.api.reading import answer, of_today
from surveys.api.studio.guard import SURVEY, Studio, changing, json_answer
from surveys.api.studio.preview_documents import (
    EffortDocument,
    NewTestAnswer,
    PreviewDocument,
    TestAnswer,
    TestAnswersDocument,
    TrialDocument,
    TrialRow,
)
from surveys.api.studio.surveys import TAG, time
from surveys.designer.privacy import survey_trial
from surveys.designer.studio.effort.hint import effort
from surveys.designer.studio.preview import preview
from surveys.designer.tryouts import storage
from surveys.drafts import NotDraft
from surveys.drafts.normalize import normalized
from surveys.models import Role, Survey, TryoutReport
from surveys.respondent.intake.replies import Reply
from surveys.survey import definition as definitions
from surveys.survey.definition.document import Definition

SEED = OpenApiParameter(
    "seed",
    {"type": "integer", "minimum": 0, "maximum": 10**9 - 1, "default": 1},
    description="Other people come from another seed, the same from the same.",
)
ANSWERS = schema(TestAnswersDocument)


class PreviewView(Studio):
    @operation(
        "preview",
        "As respondents would be asked",
        "What of a draft can be asked already, as opening would freeze it.",
        {200: (schema(PreviewDocument), "The preview.")},
        tag=TAG,
        parameters=[SURVEY],
        refused=[403, 409],
        known_by=["token", "session"],
    )
    def get(self, request: Request, survey: int) -> HttpResponse:
        shown = preview(_draft(self.survey_for(request, survey, Role.DESIGNER)).draft)
        document: PreviewDocument = {
            "definition": dict(shown.definition) if shown.definition else None,
            "digest": definitions.digest(shown.definition) if shown.definition else None,
            "incomplete": shown.incomplete,
            "undecided": shown.undecided,
            "effort": _effort(shown.definition) if shown.definition else None,
        }
        return of_today(answer(request, document))


class TestAnswersView(Studio):
    parser_classes = [ReportParser]

    @operation(
        "test_answers",
        "Test answers to a draft",
        "Reports of its designers’ own, with what they say in words. They are kept apart from all reports, marked so "
        f"that no survey takes them, and never counted; the newest {storage.MOST} are kept until it opens.",
        {200: (ANSWERS, "The test answers.")},
        tag=TAG,
        parameters=[SURVEY],
        refused=[403, 409],
        known_by=["token", "session"],
    )
    def get(self, request: Request, survey: int) -> HttpResponse:
        stored = _draft(self.survey_for(request, survey, Role.DESIGNER))
        return of_today(answer(request, _answers(stored)))

    @changing(
        "send_test_answer",
        "Send a test answer",
        "A report of the draft as it is previewed. The refusals are the intake’s. The same sent again is one. No key "
        "is needed: with it a copy would outlive the draft.",
        {201: (schema(TestAnswer), "The test answer, kept apart.")},
        tag=TAG,
        parameters=[SURVEY],
        refused=[403, 409, 413, 422],
        body=schema(NewTestAnswer),
    )
    def post(self, request: Request, survey: int) -> HttpResponse:
        stored, wanted = self.survey_for(request, survey, Role.DESIGNER), read(request, NewTestAnswer)
        body = json.dumps(wanted["report"], separators=(",", ":")).encode()
        row = storage.receive(_draft(stored), body)
        if isinstance(row, Reply):
            raise _refusal(row)
        return json_answer(201, _document(row))

    @changing(
        "forget_test_answers",
        "Erase all test answers",
        "Of the draft.",
        {200: (ANSWERS, "None.")},
        tag=TAG,
        parameters=[SURVEY],
        refused=[403, 409],
    )
    def delete(self, request: Request, survey: int) -> HttpResponse:
        stored = _draft(self.survey_for(request, survey, Role.DESIGNER))
        storage.forget(stored)
        return json_answer(200, _answers(stored))


class TrialView(Studio):
    @operation(
        "trial",
        "A trial run of the whole survey",
        "Invented people answer by chance, as many as are expected or a trial takes; their answers go through the real "
        "mechanisms and estimates, and nothing is stored.",
        {200: (schema(TrialDocument), "What came of them.")},
        tag=TAG,
        parameters=[SURVEY, SEED],
        refused=[403, 422],
        known_by=["token", "session"],
    )
    def get(self, request: Request, survey: int) -> HttpResponse:
        stored = self.survey_for(request, survey, Role.DESIGNER)
        definition = definitions.build(normalized(stored.draft)) if stored.is_draft else stored.definition
        seed = _seed(request.query_params.get("seed", "1"))
        people, rows = survey_trial.rows(stored, definition, seed)
        items = [cast(TrialRow, row._asdict()) for row in rows]
        document: TrialDocument = {"people": people, "seed": seed, "items": items}
        return of_today(answer(request, document))


def _effort(definition: Definition) -> EffortDocument:
    of = effort(definition)
    return {
        "minutes": of.minutes._asdict() if of.minutes else None,  # type: ignore[typeddict-item]
        "level": of.level._asdict() if of.level else None,  # type: ignore[typeddict-item]
    }


def _draft(survey: Survey) -> Survey:
    if not survey.is_draft:
        raise NotDraft
    return survey


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
    """What the intake says against a report, with the field where it names one."""
    problem = json.loads(reply.body)
    field, rule = problem.get("field"), problem["detail"]
    name = problem["type"].rpartition("/")[2].replace("-", "_")
    return Refusal(reply.status, name, rule, [{"field": field, "code": name, "rule": rule}] if field else [])
