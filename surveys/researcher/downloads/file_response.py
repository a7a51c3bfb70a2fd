"""Responses with a stored file: whole, compressed, or a range of bytes (RFC 9110) to resume a broken download."""

import re
from collections.abc import Iterable

from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.utils.cache import get_conditional_response, patch_vary_headers

from surveys.audit import record_daily
from surveys.models import AuditEntry, Export, ExportFile, Release, Survey
from surveys.researcher.downloads import catalog, export_file

_RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})")


def find(release: Release, name: str) -> ExportFile | None:
    """Return a file that is ready; None without one."""
    ready = ExportFile.objects.filter(export__release=release, export__state=Export.State.READY, name=name)
    return ready.exclude(sha256="").first()


def send(request: HttpRequest, survey: Survey, file: ExportFile) -> HttpResponseBase:
    """Return the file: 200, 206 for a range, 304 or 416. The audit records who downloaded microdata on a day."""
    if request.user.is_authenticated:
        record_daily(request.user, AuditEntry.Action.MICRODATA_TAKEN, survey)
    wanted = _wanted(request, file)
    takes_gzip = "gzip" in request.headers.get("Accept-Encoding", "")
    packed = file.packed and "Range" not in request.headers and takes_gzip
    tag = tag_of(file, "-gzip" if packed else "")
    response: HttpResponseBase | None = get_conditional_response(request, etag=tag)
    if response is None and wanted == ():
        response = HttpResponse(status=416, headers={"Content-Range": f"bytes */{file.size}"})
    elif response is None:
        response = _body(file, catalog.content_type(file.name), wanted, packed)
    response["ETag"] = tag
    response["Accept-Ranges"] = "bytes"
    if file.packed:
        patch_vary_headers(response, ["Accept-Encoding"])
    return response


def tag_of(file: ExportFile, format: str = "") -> str:
    return f'"{file.sha256[:32]}{format}"'


def _body(file: ExportFile, content_type: str, wanted: tuple[int, ...] | None, packed: bool) -> HttpResponseBase:
    if wanted:
        start, stop = wanted
        response = StreamingHttpResponse(export_file.some(file, start, stop), status=206, content_type=content_type)
        response["Content-Range"] = f"bytes {start}-{stop - 1}/{file.size}"
        response["Content-Length"] = str(stop - start)
        return response
    pieces: Iterable[bytes] = export_file.parts(file) if packed else export_file.plain(file)
    response = StreamingHttpResponse(filter(None, pieces), content_type=content_type)
    response["Content-Length"] = str(file.stored if packed else file.size)
    if packed:
        response["Content-Encoding"] = "gzip"
    return response


def _wanted(request: HttpRequest, file: ExportFile) -> tuple[int, ...] | None:
    """Return the first byte and the byte after the last; () if the file has none of them, None for the whole file.
    Several ranges, and a range of another version, also give the whole file."""
    match = _RANGE.fullmatch(request.headers.get("Range", "").replace(" ", ""))
    if match is None or match[1] == match[2] == "" or request.method not in ("GET", "HEAD"):
        return None
    if request.headers.get("If-Range", tag_of(file)) != tag_of(file):
        return None
    if match[1] == "":  # the last bytes
        start, stop = max(file.size - int(match[2]), 0), file.size
    else:
        start, stop = int(match[1]), min(int(match[2] or file.size) + 1, file.size)
        if match[2] and int(match[2]) < start:
            return None
    return (start, stop) if start < stop else ()
