"""The randomized reports of a release as files: progress, request and download."""

from django.http import Http404, HttpResponse, HttpResponseBase, JsonResponse
from django.utils.cache import patch_cache_control, patch_vary_headers
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from surveys.api.file_documents import Microdata, MicrodataFile
from surveys.api.json_schema import schema
from surveys.api.listing import absolute
from surveys.api.openapi_operation import NUMBER, SLUG, operation
from surveys.api.problems import Refusal
from surveys.api.research_view import Asking, ResearchView, answer, of_today
from surveys.models import Export, Release
from surveys.researcher.downloads import catalog, file_response, requests

STATE = schema(Microdata)
_TYPES = sorted({*(kind.partition(";")[0] for kind in map(catalog.content_type, catalog.MICRODATA)), catalog.ZIP})
_BYTES = {"type": "string", "format": "binary"}
_RANGE = OpenApiParameter(
    "Range", OpenApiTypes.STR, OpenApiParameter.HEADER, description="One range of bytes, such as bytes=1000-: 206 then."
)
_IF_RANGE = OpenApiParameter(
    "If-Range", OpenApiTypes.STR, OpenApiParameter.HEADER, description="The ETag of what you have a part of."
)
_NAME = OpenApiParameter(
    "name",
    {"type": "string", "examples": ["microdata.parquet"]},
    OpenApiParameter.PATH,
    description="One of the files that the state names.",
)


class MicrodataView(Asking):
    @operation(
        "microdata",
        "The state of its microdata",
        "Whether files of the randomized reports were requested, and their URLs. For researchers, or for everyone "
        "if the survey's owner publishes microdata; a token needs the scope microdata.",
        {200: (STATE, "The state.")},
        tag="Microdata",
        parameters=[SLUG, NUMBER],
        refused=[403],
    )
    def get(self, request: Request, slug: str, number: int | None) -> HttpResponse:
        release = self.release_with_reports(request, slug, number)
        return of_today(answer(request, _state(release)))

    @operation(
        "prepare_microdata",
        "Request its microdata",
        "A worker makes the files, within minutes for a million reports. Read their state every few seconds. "
        "A second request changes nothing unless the first failed. For researchers, with a token only; if microdata "
        "are published, files are made without a request.",
        {
            200: (STATE, "The request exists, or the files are ready."),
            202: (STATE, "Requested."),
        },
        tag="Microdata",
        parameters=[SLUG, NUMBER],
        refused=[403, 409],
        conditional=False,
        known_by=["token"],
    )
    def post(self, request: Request, slug: str, number: int | None) -> HttpResponse:
        self.require_token(request)
        release = self.release_with_reports(request, slug, number, ask=True)
        before = _state(release)["state"]
        try:
            requests.ask(request.user, release)
        except requests.NotNewest:
            raise Refusal(409, "not_newest", "Files are made for the newest release only.") from None
        response = JsonResponse(_state(release), status=202 if before in ("none", Export.State.FAILED) else 200)
        patch_cache_control(response, no_store=True)
        return response


class MicrodataFileView(ResearchView):
    @operation(
        "microdata_file",
        "A file of its microdata",
        "Sent as stored, in constant memory. A broken download can continue with Range and If-Range.",
        {
            (status, kind): (_BYTES, sentence)
            for status, sentence in ((200, "The file."), (206, "The requested range."))
            for kind in _TYPES
        },
        tag="Microdata",
        parameters=[SLUG, NUMBER, _NAME, _RANGE, _IF_RANGE],
        refused=[403, 416],
    )
    def get(self, request: Request, slug: str, number: int | None, name: str) -> HttpResponseBase:
        release = self.release_with_reports(request, slug, number)
        file = file_response.find(release, name)
        if file is None:
            raise Http404
        response = file_response.send(request._request, release.survey, file)
        response["Content-Disposition"] = f'attachment; filename="{name}"'
        patch_cache_control(response, private=True, no_cache=True)
        patch_vary_headers(response, ["Authorization", "Cookie"])
        return response


def _state(release: Release) -> Microdata:
    export = Export.objects.filter(release=release).first()
    ready = export is not None and export.state == Export.State.READY
    return {
        "release": release.number,
        "state": export.state if export else "none",
        "reason": export.get_reason_display() if export and export.reason else None,
        "reports": release.n,
        "written": export.written if export else 0,
        "kept": export is not None and export.kept,
        "newest": release.is_newest(),
        "files": _files(release, export) if export and ready else [],
    }


def _files(release: Release, export: Export) -> list[MicrodataFile]:
    return [
        {
            "name": file.name,
            "media_type": catalog.content_type(file.name),
            "size": file.size,
            "sha256": file.sha256,
            "url": absolute("api-microdata-file", release.survey.slug, release.number, file.name),
        }
        for file in export.files.exclude(sha256="").order_by("name")
    ]
