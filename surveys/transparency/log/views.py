"""The log at its stable URLs (C2SP tlog-tiles), proofs, and the endpoint for witnesses."""

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from surveys.access import downloadable_release
from surveys.models import Commitment, LogEntry
from surveys.transparency.log import cosignatures, entries, keys, tiles, tree
from surveys.transparency.log.note import MalformedNote

NOTE_MOST = 16_384  # bytes
FOR_EVER = "public, max-age=31536000, immutable"


def _text(body: str) -> HttpResponse:
    response = HttpResponse(body, content_type="text/plain; charset=utf-8")
    response["Cache-Control"] = "no-cache"
    return response


@require_safe
def checkpoint(request: HttpRequest) -> HttpResponse:
    """Return the newest checkpoint with its cosignatures; 503 if this machine lacks the key in the log."""
    newest = cosignatures.newest()
    if newest is None:
        raise Http404("The log is empty.")
    return _signed(newest.size)


@require_safe
def earlier_checkpoint(request: HttpRequest, size: int) -> HttpResponse:
    """Return the checkpoint for this number of entries with its cosignatures, for a witness that is behind."""
    return _signed(size)


def _signed(size: int) -> HttpResponse:
    of_size, key = cosignatures.of_size(size), keys.current()
    if of_size is None:
        raise Http404("The log was never so large.")
    if key is None:
        return HttpResponse("The key that the log names is not here.\n", status=503, content_type="text/plain")
    lines = [each.line for each in cosignatures.witnessed() if each.size == size]
    return _text(f"{of_size}\n{key.sign(str(of_size))}{''.join(lines)}")


@require_safe
def policy(request: HttpRequest) -> HttpResponse:
    """Return the log's key, each witness with its last signed size, and the quorum."""
    named = entries.newest("key")
    if named is None:
        raise Http404("The log is empty.")
    witnesses = [f"witness {each.witness} {each.size or 0}" for each in cosignatures.witnessed()]
    return _text("\n".join([f"log {named['key']}", *witnesses, f"quorum {settings.LOG_QUORUM}", ""]))


@require_safe
def tile(request: HttpRequest, level: str, place: str) -> HttpResponse:
    """Return a tile of hashes or of entries."""
    body = tiles.tile(level, place)
    if body is None:
        raise Http404("There is no such tile, or the tree is not as large.")
    response = HttpResponse(body, content_type="application/octet-stream")
    response["Cache-Control"] = FOR_EVER
    return response


@require_safe
def inclusion(request: HttpRequest, index: int, size: int) -> HttpResponse:
    """Return the proof that an entry is in the tree of this size."""
    if not index < size:
        raise Http404("The tree is smaller.")
    return _proof(_tree(size).inclusion(index))


@require_safe
def consistency(request: HttpRequest, before: int, size: int) -> HttpResponse:
    """Return the proof that the tree of `before` entries begins the tree of `size`."""
    if not 0 < before <= size:
        raise Http404("There is no such proof.")
    return _proof(_tree(size).consistency(before))


def _tree(size: int) -> tree.Tree:
    if size > tree.size():
        raise Http404("The tree is smaller.")
    return tree.Tree(size)


def _proof(hashes: list[bytes]) -> HttpResponse:
    return _text("".join(f"{each.hex()}\n" for each in hashes))


@csrf_exempt
@require_POST
def cosign(request: HttpRequest) -> HttpResponse:
    """Store a checkpoint's cosignatures by witnesses in the settings, and ignore others."""
    if len(request.body) > NOTE_MOST:
        return HttpResponse("A note has at most 16,384 bytes.\n", status=413, content_type="text/plain")
    try:
        kept = cosignatures.receive(request.body)
    except MalformedNote as malformed:
        return HttpResponse(f"{malformed}\n", status=422, content_type="text/plain")
    return _text(f"{kept}\n")


@require_safe
def release(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Return four lines: a release's place in the log, its commitment's nonce, its digest, and its number of reports.
    Only users who may see the release get them. Place and nonce are empty until the release's day is over."""
    survey, released = downloadable_release(request.user, slug, number)
    if released is None:
        raise Http404
    row = LogEntry.objects.filter(survey=survey.pk, release=number).first()
    nonce = Commitment.objects.get(release=released).nonce if row else ""
    response = _text(f"{row.number if row else ''}\n{nonce}\n{released.digest}\n{released.n}\n")
    response["Cache-Control"] = "private, no-cache"
    return response
