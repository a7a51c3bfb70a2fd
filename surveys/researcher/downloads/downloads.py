"""The page of a release's downloads, and its files."""

from contextlib import suppress
from itertools import chain

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.views.decorators.http import require_POST, require_safe

from surveys.access import downloadable_release, may_ask_for_microdata, may_see_results, may_take_microdata
from surveys.figures import numerals
from surveys.models import Export, Release, Survey
from surveys.operation import optional
from surveys.researcher.downloads import bundle, catalog, file_response, labels, microdata_columns, requests
from surveys.researcher.results import citation, response_cache
from surveys.researcher.sheets import tables
from surveys.rules.context import Context
from surveys.web.fragments import HEADER, fragments, wants_fragments
from surveys.web.language import with_language

ABOUT_RESULTS = catalog.ESTIMATES.keys() | catalog.STREAMED.keys()


@require_safe
def page(request: HttpRequest, slug: str, number: int | None = None) -> HttpResponse:
    """Show the files of the newest release, or of the release with this number."""
    survey, release = downloadable_release(request.user, slug, number)
    context: Context = {"survey": survey, "release": release, "results": may_see_results(request.user, survey)}
    if release is not None:
        context |= _listed(release) | {"allowed": may_take_microdata(request.user, survey)}
        context |= {"may_ask": may_ask_for_microdata(request.user, survey)}
        context |= {"citation": citation.text(survey, release), "bibtex": citation.bibtex(survey, release)}
        context |= _microdata(survey, release)
    if wants_fragments(request) and context.get("allowed"):
        return fragments(request, "researcher/downloads/microdata.html", context)
    response = render(request, "researcher/downloads/downloads.html", context)
    patch_vary_headers(response, [HEADER])
    patch_cache_control(response, private=True, no_cache=True)
    return response


def _listed(release: Release) -> Context:
    """Return the recommended first file, and the others in groups."""
    others = dict(catalog.ESTIMATES)
    shares = others.pop(catalog.SHARES)
    return {
        "shares": _file(release, shares),
        "estimates": [_file(release, offer) for name, offer in others.items() if optional.installed(name)],
        "missing_estimates": [name for name in catalog.ESTIMATES if not optional.installed(name)],
        "columns": _file(release, catalog.COLUMNS),
        "language_query": with_language(""),
        "covariances": [_file(release, offer) for offer in catalog.COVARIANCES.values()],
        "readings": [_file(release, offer) for offer in catalog.ROWS.values()],
        "codebook": _file(release, catalog.CODEBOOK),
        "scripts": [_file(release, offer) for offer in catalog.SCRIPTS.values()],
    }


def _file(release: Release, offer: catalog.Offer) -> Context:
    """Return a file's entry on the page. Its size is unknown if it is sent while it is computed."""
    size = {"size": len(offer.make(release).plain)} if offer.make else {}
    return {"name": offer.name, "purpose": offer.purpose} | size


def _microdata(survey: Survey, release: Release) -> Context:
    """Return the export of the release, if one was requested, and whether one can be requested. Only the newest release
    has reports for an export."""
    export = Export.objects.filter(release=release).first()
    context: Context = {"export": export, "newest": release.is_newest(), "n": numerals.count(release.n)}
    context["kept"] = export is not None and export.kept and export.state == Export.State.READY
    context["waits"] = export is not None and export.state in (Export.State.ASKED, Export.State.WORKING)
    context["written"] = numerals.count(export.written) if export else ""
    if export is not None and export.state == Export.State.READY:
        sizes = {file.name: file for file in export.files.exclude(sha256="")}
        context["microdata"] = [
            {"name": name, "purpose": offer.purpose, "size": sizes[name].size, "sha256": sizes[name].sha256}
            for name, offer in catalog.MICRODATA.items()
            if name in sizes
        ]
        whole = sizes[bundle.name(release)]
        context["everything"] = {"name": whole.name, "purpose": catalog.EVERYTHING, "size": whole.size}
        context |= _left_out(survey, release, {name for name in catalog.MICRODATA if name not in sizes})
    return context


def _left_out(survey: Survey, release: Release, names: set[str]) -> Context:
    """Return why files were not made: too many numbers, missing packages, or an error."""
    numbers = release.n * len(microdata_columns.of_definition(survey.definition))
    too_large = {name for name in names if numbers > labels.HELD_MAX and name.endswith((".sav", ".dta"))}
    failed = {name for name in names - too_large if optional.installed(name)}
    missing = sorted(names - too_large - failed)
    return {"too_large": bool(too_large), "missing_microdata": missing, "failed_microdata": sorted(failed)}


@require_POST
@login_required
def prepare(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Request the files with the newest release's reports, also again after an error."""
    survey, release = downloadable_release(request.user, slug, number)
    doer = request.user
    if release is None or not isinstance(doer, User) or not may_ask_for_microdata(doer, survey):
        raise Http404
    with suppress(requests.NotNewest):
        requests.ask(doer, release)
        if request.POST.get("keep") == "yes":
            requests.keep(doer, release, True)
    return redirect("release-downloads", slug, number)


@require_POST
@login_required
def keep(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Keep the files of a release, or stop keeping them. Files that are not kept are deleted after newer releases."""
    survey, release = downloadable_release(request.user, slug, number)
    doer, wanted = request.user, request.POST.get("to")
    if release is None or not isinstance(doer, User) or not may_ask_for_microdata(doer, survey):
        raise Http404
    if wanted not in ("yes", "no"):
        raise Http404
    requests.keep(doer, release, wanted == "yes")
    return redirect("release-downloads", slug, number)


# Files ----------------------------------------------------------------------------------------------------------------


@require_safe
def file(request: HttpRequest, slug: str, number: int, name: str) -> HttpResponseBase:
    """Return a file of a release by its name."""
    survey, release = downloadable_release(request.user, slug, number)
    if release is None or (name in ABOUT_RESULTS and not may_see_results(request.user, survey)):
        raise Http404
    if name in catalog.MICRODATA or name == bundle.name(release):
        response: HttpResponseBase = _stored(request, survey, release, name)
    elif name in catalog.STREAMED:
        bom = [tables.BOM] if name.endswith(".csv") else []
        lines = chain(bom, (line.encode() for line in catalog.lines(release, name)))
        response = StreamingHttpResponse(lines, content_type=catalog.content_type(name))
    elif content := catalog.generated(release, name):
        response = response_cache.respond(request, content, catalog.content_type(name))
    else:
        raise Http404
    response["Content-Disposition"] = f'attachment; filename="{_called(survey, release, name)}"'
    patch_cache_control(response, private=True, no_cache=True)
    return response


def _called(survey: Survey, release: Release, name: str) -> str:
    """Return the name for saving the file. Scripts and archives keep their names."""
    if name in catalog.SCRIPTS:
        return name
    return f"deniable-{survey.slug}-{release.number}.zip" if name.endswith(".zip") else name


def _stored(request: HttpRequest, survey: Survey, release: Release, name: str) -> HttpResponseBase:
    """Return a file that a worker made."""
    stored = file_response.find(release, name) if may_take_microdata(request.user, survey) else None
    if stored is None:
        raise Http404
    return file_response.send(request, survey, stored)
