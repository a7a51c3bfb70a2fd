"""The API for surveys as XLSForms: import and export."""

from typing import Annotated, Any, TypedDict

from django.http import Http404, HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.parsers import BaseParser
from rest_framework.request import Request

from surveys.api.bodies import bytes_of
from surveys.api.documents import like
from surveys.api.idempotency import HEADER, create_once
from surveys.api.json_schema import schema
from surveys.api.openapi_operation import operation
from surveys.api.problems import Refusal
from surveys.api.studio.fields import Draft
from surveys.api.studio.guard import Studio
from surveys.api.studio.operations import STUDIO, SURVEY, changes, changing, json_answer, number, reads
from surveys.api.studio.surveys import StudioSurvey, beginner, teller
from surveys.designer.studio import creation, export, import_remarks
from surveys.designer.xlsform import sandbox
from surveys.models import Role, Survey
from surveys.researcher.sheets.book import XLSX
from surveys.web.gate import DOCUMENTS

NAME = OpenApiParameter(
    "name", OpenApiTypes.STR, description="The file’s name, which is the title of a form that has none."
)
REMARK = number("remark", "Of the list of remarks.")
NO_LIST = "It was begun without a form, or someone has dismissed the list."


class BytesParser(BaseParser):
    media_type = XLSX

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> bytes:
        return bytes_of(stream)


class ImportRemark(TypedDict):
    number: Annotated[int, "Its place in the list, from 1 on.", like(1)]
    group: Annotated[str, "“left out”, “changed”, “said” or “choose”.", like("left out")]
    text: Annotated[str, like("Free text cannot be asked privately.")]
    names: Annotated[list[str], "The names of questions in the form.", like(["comments"])]
    questions: Annotated[list[str], "Keys of the questions that it is about, as long as they are unedited.", like([])]
    done: Annotated[bool, "Whether someone has ticked it off."]


class ImportDecision(TypedDict):
    """A question that could have another kind."""

    now: Annotated[Draft, "The question in the draft.", like({"key": "age", "kind": "histogram"})]
    other: Annotated[Draft, "The question with the other kind.", like({"key": "age", "kind": "mean"})]


class ChangedRemark(TypedDict):
    done: Annotated[bool, "Whether it is done."]


class ImportDocument(TypedDict):
    remarks: list[ImportRemark]
    decisions: list[ImportDecision]


class XlsformsView(Studio):
    parser_classes = [BytesParser]

    @changing(
        "import_form",
        "Import an XLSForm",
        "Creates your draft with the form’s questions that can be asked. /imported lists what happened to the rest.",
        {201: (schema(StudioSurvey), "The draft.")},
        tag=STUDIO,
        parameters=[NAME, HEADER],
        refused=[403, 410, 413, 422],
        body={"type": "string", "format": "binary"},
        media_type=XLSX,
    )
    def post(self, request: Request) -> HttpResponse:
        user = beginner(self, request)
        data, name = request.data, request.query_params.get("name", "")

        def make() -> int:
            return creation.from_xlsform(user, data if isinstance(data, bytes) else b"", name).pk

        try:
            return json_answer(201, create_once(request, user, make, teller(user)))
        except sandbox.Unreadable as refused:
            raise Refusal(422, "unreadable", str(refused)) from None


class XlsformView(Studio):
    @operation(
        "form_xlsx",
        "As an XLSForm",
        "The survey as an XLSForm for other programs. A draft that cannot be opened yet has none.",
        {(200, XLSX): (OpenApiTypes.BINARY, "The form.")},
        tag=STUDIO,
        parameters=[SURVEY],
        refused=[403, 422, 503],
        conditional=False,
        known_by=["token", "session"],
    )
    def get(self, request: Request, survey: int) -> HttpResponse:
        stored = self.survey_for(request, survey, Role.DESIGNER)
        with DOCUMENTS.turn(request.user.pk):
            return export.xlsform(stored)


class ImportView(Studio):
    @reads(
        "import_remarks",
        "The result of the import",
        "The list exists until someone dismisses it. To give a question the other kind, change the draft.",
        "The differences from the form.",
    )
    def get(self, request: Request, survey: Survey) -> ImportDocument:
        return _import_document(survey)

    @changes("dismiss_import", "Dismiss the list", "For everyone, and for good.", "Dismissed.", status=204)
    def delete(self, request: Request, survey: Survey) -> None:
        if not import_remarks.dismiss(survey):
            raise Http404(NO_LIST)


class ImportRemarkView(Studio):
    @changes(
        "tick_import_remark",
        "Mark a remark as done or open",
        "For everyone.",
        "The list.",
        parameters=[REMARK],
    )
    def patch(self, request: Request, survey: Survey, wanted: ChangedRemark, remark: int) -> ImportDocument:
        if not import_remarks.tick(survey, remark - 1, wanted["done"]):
            raise Http404("There is no such remark.")
        return _import_document(survey)


def _import_document(survey: Survey) -> ImportDocument:
    notes = import_remarks.load(survey)
    if notes is None:
        raise Http404(NO_LIST)
    remarks, decisions = notes
    return {
        "remarks": [
            {
                "number": line.place + 1,
                "group": line.remark.group,
                "text": line.remark.text,
                "names": [name for name, _key in line.names],
                "questions": list(dict.fromkeys(key for _name, key in line.names if key)),
                "done": line.remark.done,
            }
            for line in import_remarks.listed(survey, remarks)
        ],
        "decisions": [{"now": dict(each.now), "other": dict(each.other)} for each in decisions],
    }
