"""The API of a survey's evidence: its documents, and the facts that only its people know."""

from typing import Annotated, NotRequired, TypedDict

from django.db import transaction
from django.http import Http404, HttpResponse
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from surveys.api.documents import like
from surveys.api.listing import absolute
from surveys.api.openapi_operation import operation
from surveys.api.studio.guard import Studio, check
from surveys.api.studio.operations import SURVEY, changes, reads
from surveys.designer.evidence import catalog, facts
from surveys.designer.evidence.facts import Facts
from surveys.designer.evidence.inputs import DisclosureInput
from surveys.designer.evidence.views import save
from surveys.models import Disclosure, Role, Survey
from surveys.web.gate import DOCUMENTS

TAG = "Evidence"
_BYTES = {"type": "string", "format": "binary"}
_TYPES = sorted({"text/html", catalog.PDF, "application/zip", *(offer.media_type for offer in catalog.OFFERS)})
NAME = OpenApiParameter(
    "name", {"type": "string", "examples": ["statement.en.html"]}, OpenApiParameter.PATH, description="Of the list."
)
_LONGEST = {"maxLength": 2000}


class EvidenceFile(TypedDict):
    name: Annotated[str, like("statement.en.html")]
    url: Annotated[str, like("https://survey.example.org/api/v1/studio/17/evidence/statement.en.html")]


class EvidenceDocument(TypedDict):
    files: list[EvidenceFile]


class DisclosureDocument(TypedDict):
    """A field is empty until someone fills it in."""

    sponsor: Annotated[str, "Who pays for it.", like("")]
    conductor: Annotated[str, "Who carries it out and is responsible for it.", like("The University")]
    contact: Annotated[str, "Whom respondents can ask.", like("survey@example.org")]
    population: Annotated[str, "The population that the survey is about.", like("")]
    recruitment: Annotated[str, "How people are chosen and asked.", like("")]
    dates: Annotated[str, "When people are asked.", like("")]
    limitations: Annotated[str, "What the results cannot show.", like("")]
    licence: Annotated[str, "The terms under which others may use the data.", like("")]


class NewDisclosure(TypedDict):
    sponsor: NotRequired[Annotated[str, _LONGEST]]
    conductor: NotRequired[Annotated[str, _LONGEST]]
    contact: NotRequired[Annotated[str, _LONGEST | like("survey@example.org")]]
    population: NotRequired[Annotated[str, _LONGEST]]
    recruitment: NotRequired[Annotated[str, _LONGEST]]
    dates: NotRequired[Annotated[str, _LONGEST]]
    limitations: NotRequired[Annotated[str, _LONGEST]]
    licence: NotRequired[Annotated[str, _LONGEST]]


class EvidenceView(Studio):
    @reads(
        "evidence",
        "Its evidence",
        "Documents for the people who are asked, for ethics boards, data protection, journals and archives, each also "
        "as a file to sign or deposit.",
        "The documents.",
        tag=TAG,
        refused=[422],
    )
    def get(self, request: Request, survey: Survey) -> EvidenceDocument:
        names = _names(facts.of_survey(survey))
        return {
            "files": [{"name": name, "url": absolute("api-studio-evidence-file", survey.pk, name)} for name in names]
        }


class EvidenceFileView(Studio):
    @operation(
        "evidence_file",
        "One of its documents",
        "A survey that cannot be opened yet has none.",
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
    @reads(
        "disclosure",
        "Facts from its people",
        "Who carries it out and pays for it, whom people can ask, and whom the results describe. The documents "
        "contain these facts.",
        "The present state.",
        tag=TAG,
    )
    def get(self, request: Request, survey: Survey) -> DisclosureDocument:
        return _disclosure(survey)

    @changes(
        "disclose",
        "Change these facts",
        "Absent fields stay unchanged.",
        "The new state.",
        tag=TAG,
        refused=[422],
    )
    def patch(self, request: Request, survey: Survey, wanted: NewDisclosure) -> DisclosureDocument:
        with transaction.atomic():
            form = DisclosureInput(Disclosure.of(survey), {**_disclosure(survey), **wanted})
            check(form, "disclosure")
            save(survey, self.person(request), form)
        return _disclosure(survey)


def _names(own: Facts) -> list[str]:
    """Return the names of all documents: each paper as HTML and PDF, and the archive if there is a release."""
    return [*catalog.names(own), *catalog.signable(own), *([catalog.ARCHIVE] if own.release else [])]


def _disclosure(survey: Survey) -> DisclosureDocument:
    stored = Disclosure.of(survey)
    return {name: getattr(stored, name) for name in Disclosure.FIELDS}  # type: ignore[return-value]
