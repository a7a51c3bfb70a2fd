"""A survey's evidence by program: its documents, and what only its people know."""

from django.db import transaction
from django.http import Http404, HttpResponse
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from surveys.api.bodies import read
from surveys.api.json_schema import schema
from surveys.api.listing import absolute
from surveys.api.openapi_operation import operation
from surveys.api.reading import answer, of_today
from surveys.api.studio.documents import DisclosureDocument, EvidenceDocument, NewDisclosure
from surveys.api.studio.guard import SURVEY, Studio, changing, check, json_answer
from surveys.designer.evidence import catalog, facts
from surveys.designer.evidence.facts import Facts
from surveys.designer.evidence.forms import DisclosureForm
from surveys.designer.evidence.views import save
from surveys.models import Disclosure, Role, Survey
from surveys.web.gate import DOCUMENTS

TAG = "Evidence"
_BYTES = {"type": "string", "format": "binary"}
_TYPES = sorted({"text/html", catalog.PDF, "application/zip", *(offer.media_type for offer in catalog.OFFERS)})
NAME = OpenApiParameter(
    "name", {"type": "string", "examples": ["statement.en.html"]}, OpenApiParameter.PATH, description="Of the list."
)


class EvidenceView(Studio):
    @operation(
        "evidence",
        "Its evidence",
        "Documents for the people who are asked, for ethics boards, data protection, journals and archives, each also "
        "as a file to sign or deposit.",
        {200: (schema(EvidenceDocument), "The documents that there are.")},
        tag=TAG,
        parameters=[SURVEY],
        refused=[403, 422],
        known_by=["token", "session"],
    )
    def get(self, request: Request, survey: int) -> HttpResponse:
        stored = self.survey_for(request, survey, Role.DESIGNER)
        files = [
            {"name": name, "url": absolute("api-studio-evidence-file", stored.pk, name)}
            for name in _names(facts.of_survey(stored))
        ]
        return of_today(answer(request, {"files": files}))


class EvidenceFileView(Studio):
    @operation(
        "evidence_file",
        "One of its documents",
        "Of a survey that could not be opened there is none.",
        {(200, kind): (_BYTES, "The document.") for kind in _TYPES},
        tag=TAG,
        parameters=[SURVEY, NAME],
        refused=[403, 422, 503],
        conditional=False,
        known_by=["token", "session"],
    )
    def get(self, request: Request, survey: int, name: str) -> HttpResponse:
        stored = self.survey_for(request, survey, Role.DESIGNER)
        with DOCUMENTS.turn(request.user.pk):
            file = catalog.file(facts.of_survey(stored), name)
        if file is None:
            raise Http404("There is no such document.")
        response = HttpResponse(file.content, content_type=file.media_type)
        response["Content-Disposition"] = f'attachment; filename="{file.name}"'
        response["Cache-Control"] = "no-store"
        return response


class DisclosureView(Studio):
    @operation(
        "disclosure",
        "What only its people know",
        "Who carries it out and pays, whom people can ask, about whom the results speak. The documents have it.",
        {200: (schema(DisclosureDocument), "As it stands.")},
        tag=TAG,
        parameters=[SURVEY],
        refused=[403],
        known_by=["token", "session"],
    )
    def get(self, request: Request, survey: int) -> HttpResponse:
        return of_today(answer(request, _disclosure(self.survey_for(request, survey, Role.DESIGNER))))

    @changing(
        "disclose",
        "Say what only you know",
        "What is absent stays as it is.",
        {200: (schema(DisclosureDocument), "As it stands now.")},
        tag=TAG,
        parameters=[SURVEY],
        refused=[403, 422],
        body=schema(NewDisclosure),
    )
    def patch(self, request: Request, survey: int) -> HttpResponse:
        stored, wanted = self.survey_for(request, survey, Role.DESIGNER), read(request, NewDisclosure)
        with transaction.atomic():
            form = DisclosureForm(Disclosure.of(stored), {**_disclosure(stored), **wanted})
            check(form, "disclosure")
            save(stored, self.person(request), form)
        return json_answer(200, _disclosure(stored))


def _names(own: Facts) -> list[str]:
    """All of them, each paper as HTML and as PDF, and the archive where there is a release."""
    return [*catalog.names(own), *catalog.signable(own), *([catalog.ARCHIVE] if own.release else [])]


def _disclosure(survey: Survey) -> DisclosureDocument:
    stored = Disclosure.of(survey)
    return {name: getattr(stored, name) for name in Disclosure.FIELDS}  # type: ignore[return-value]
