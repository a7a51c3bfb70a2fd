"""The metadata of a release: schema.org's Dataset as JSON-LD, with the published files."""

from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.translation import override
from django.views.decorators.http import require_safe

from ldp.forms.definition import groups
from ldp.question import Drawn
from surveys.access import downloadable_release
from surveys.figures import numerals
from surveys.models import ExportFile, Release, Survey
from surveys.operation import optional
from surveys.researcher.downloads import catalog
from surveys.researcher.results import citation
from surveys.rules.context import Context
from surveys.survey import kinds
from surveys.survey.definition import markup

TYPE = "application/ld+json"


@require_safe
def dataset(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Return the metadata to anyone who may see part of the release. It lists the same published files for every
    reader."""
    survey, release = downloadable_release(request.user, slug, number)
    if release is None:
        raise Http404
    with override("en"):
        content = json_ld(survey, release)
    response = JsonResponse(content, json_dumps_params={"ensure_ascii": False, "indent": 1}, content_type=TYPE)
    patch_cache_control(response, private=True, no_cache=True)
    return response


def json_ld(survey: Survey, release: Release) -> Context:
    """Return the metadata. English must be the active language."""
    address = citation.address(survey, release)
    return {
        "@context": "https://schema.org/",
        "@type": "Dataset",
        "@id": address,
        "url": address,
        "name": survey.title,
        "description": _description(survey, release),
        "inLanguage": survey.definition.get("language", "en"),
        "identifier": [f"sha256:{survey.digest}", f"sha256:{release.digest}"],
        "version": str(release.number),
        "datePublished": release.day.isoformat(),
        "isAccessibleForFree": True,
        "creditText": citation.text(survey, release),
        "measurementTechnique": "Survey under local differential privacy: answers were randomized in the browser",
        "variableMeasured": [_variable(question) for question in survey.questions],
        "distribution": _files(survey, release),
    }


def _description(survey: Survey, release: Release) -> str:
    introduction = " ".join(markup.plain(survey.definition, survey.definition.get("introduction", "")).split())
    of_all = f"{numerals.count(release.n)} reports, each randomized in the respondent's browser so that all of its "
    of_all += f"answers together satisfy local differential privacy with α = {survey.alpha_total}."
    if "forms" in survey.definition:
        of_all += (
            f" Each is about one of {len(survey.definition['forms'])} forms of the questionnaire, drawn by chance."
        )
    if named := groups(survey.definition):
        of_all += f" Each is from one of {len(named)} groups of invited people."
    return f"{introduction} {of_all}".strip()


def _variable(question: Drawn) -> Context:
    words = {"@type": "PropertyValue", "name": question["key"], "description": question["text"]}
    unit = {"unitText": question["unit"]} if question.get("unit") else {}
    items = kinds.of(question).items(question)
    about = f"kind {question['kind']}, mechanism {question['mechanism']}, "
    about += "; ".join(_strength(each) for each in question.get("asked", [question]))
    return words | unit | {"measurementTechnique": about + (f", {len(items)} items" if items else "")}


def _strength(drawn: Mapping[str, Any]) -> str:
    """Return the alpha of a draw, with the form's number as on pages if there are several forms."""
    text = f"α = {drawn['alpha']}" + (f" in form {drawn['form'] + 1}" if "weight" in drawn else "")
    return text + (" for all questions that were randomized together" if drawn.get("joint") else "")


def _files(survey: Survey, release: Release) -> list[Context]:
    """Return the public files. Files that need a role are left out."""
    names = [name for name in catalog.DESCRIBED if optional.installed(name)] if survey.results_public else []
    files: list[Context] = [_file(survey, release, name) for name in names]
    if survey.microdata_public:
        made = ExportFile.objects.filter(export__release=release, export__state="ready").exclude(sha256="")
        files += [
            _file(survey, release, file.name) | {"contentSize": f"{file.size} B", "sha256": file.sha256}
            for file in made.order_by("name")
        ]
    return files


def _file(survey: Survey, release: Release, name: str) -> Context:
    site = citation.address(survey, release).partition("/r/")[0]
    return {
        "@type": "DataDownload",
        "name": name,
        "encodingFormat": catalog.content_type(name).partition(";")[0],
        "contentUrl": site + reverse("release-download", args=[survey.slug, release.number, name]),
    }
