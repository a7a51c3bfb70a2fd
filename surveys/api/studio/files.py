"""A survey as a form of other programs (XLSForm): brought, and taken away."""

from typing import Any

from django.http import Http404, HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.parsers import BaseParser
from rest_framework.request import Request

from surveys.api.bodies import bytes_of, read
from surveys.api.idempotency import HEADER, made_once
from surveys.api.json_schema import schema
from surveys.api.openapi_operation import operation
from surveys.api.problems import Refusal
from surveys.api.reading import answer, of_today
from surveys.api.studio.documents import ChangedRemark, ImportDocument
from surveys.api.studio.guard import SURVEY, Studio, changing, json_answer, place
from surveys.api.studio.surveys import DOCUMENT, TAG, beginner, teller
from surveys.designer.studio import creation, export, import_remarks
from surveys.designer.xlsform import sandbox
from surveys.models import Role, Survey
from surveys.researcher.sheets.book import XLSX
from surveys.web.gate import DOCUMENTS

NAME = OpenApiParameter(
    "name", OpenApiTypes.STR, description="The file’s name, which is the title of a form that has none."
)
REMARK = place("remark", "Of the list of remarks.")
NO_LIST = "It was begun with no form, or somebody has dismissed the list."


class BytesParser(BaseParser):
    media_type = XLSX

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> bytes:
        return bytes_of(stream)


class FormsView(Studio):
    parser_classes = [BytesParser]

    @changing(
        "import_form",
        "Begin with an XLSForm",
        "A draft of yours with what can be asked of the form; what became of the rest is at its address /imported.",
        {201: (DOCUMENT, "The draft.")},
        tag=TAG,
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
            return json_answer(*made_once(request, user, make, teller(user)))
        except sandbox.Unreadable as refused:
            raise Refusal(422, "unreadable", str(refused)) from None


class FormView(Studio):
    @operation(
        "form_xlsx",
        "As an XLSForm",
        "For other programs. A draft that could not be opened has none.",
        {(200, XLSX): (OpenApiTypes.BINARY, "The form.")},
        tag=TAG,
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
    @operation(
        "import_remarks",
        "What became of the form that it was begun with",
        "Until somebody has dismissed it. Of a question that could be of another kind, put that into the draft.",
        {200: (schema(ImportDocument), "What is otherwise than in the form.")},
        tag=TAG,
        parameters=[SURVEY],
        refused=[403],
        known_by=["token", "session"],
    )
    def get(self, request: Request, survey: int) -> HttpResponse:
        return of_today(answer(request, _import_document(self.survey_for(request, survey, Role.DESIGNER))))

    @changing(
        "dismiss_import",
        "Dismiss the list",
        "For everybody, and for good.",
        {204: (None, "It is gone.")},
        tag=TAG,
        parameters=[SURVEY],
        refused=[403],
    )
    def delete(self, request: Request, survey: int) -> HttpResponse:
        if not import_remarks.dismiss(self.survey_for(request, survey, Role.DESIGNER)):
            raise Http404(NO_LIST)
        return HttpResponse(status=204)


class ImportRemarkView(Studio):
    @changing(
        "tick_import_remark",
        "Say that a remark is done with, or is not",
        "For everybody.",
        {200: (schema(ImportDocument), "The list.")},
        tag=TAG,
        parameters=[SURVEY, REMARK],
        refused=[403],
        body=schema(ChangedRemark),
    )
    def patch(self, request: Request, survey: int, remark: int) -> HttpResponse:
        stored, wanted = self.survey_for(request, survey, Role.DESIGNER), read(request, ChangedRemark)
        if not import_remarks.tick(stored, remark - 1, wanted["done"]):
            raise Http404("There is no such remark.")
        return json_answer(200, _import_document(stored))


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
