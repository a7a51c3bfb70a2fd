"""The page of a release's codebook."""

import functools
import json
from typing import cast

from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.cache import patch_cache_control
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from ldp.question import Drawn, channels
from surveys.access import downloadable_release
from surveys.figures import numerals
from surveys.models import Release
from surveys.researcher.downloads import codebook
from surveys.researcher.results import efficiency, response_cache
from surveys.rules.context import Context
from surveys.survey.definition import markup, pictures
from surveys.survey.definition.document import Definition
from surveys.survey.definition.languages import language_of
from surveys.web.tabs import ResultsReader, reader_of

AT_ONCE = 12  # columns and values beyond these are collapsed


@require_safe
def page(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    survey, release = downloadable_release(request.user, slug, number)
    if release is None:
        raise Http404
    response = response_cache.respond(
        request, _page(release.pk, reader_of(request, survey), get_language() or ""), "text/html; charset=utf-8"
    )
    patch_cache_control(response, private=True, no_cache=True)
    return response


@functools.lru_cache(maxsize=16)
def _page(pk: int, reader: ResultsReader, language: str) -> response_cache.Content:
    release = Release.objects.select_related("survey").get(pk=pk)
    book = codebook.of_release(release)
    context = {"survey": release.survey, "release": release, "n": numerals.count(release.n), "rows": book["rows"]}
    context["intervals"] = book["intervals"]
    definition = release.survey.definition
    context |= {
        "questions": [
            _question(question, i)
            | {
                "marked_note": markup.html(definition, question["note"]),
                "picture": _picture(definition, question["key"]),
            }
            for i, question in enumerate(book["questions"], 1)
        ]
    }
    context["forms"] = [_form(form) for form in book.get("forms", [])]
    context["groups"] = [group | {"n": numerals.count(group["n"])} for group in book.get("groups", [])]
    context["efficiency"] = efficiency.of_survey(response_cache.document(release))
    context |= reader.context(release.survey)
    return response_cache.content(render_to_string("researcher/downloads/codebook.html", context).encode())


def _picture(definition: Definition, key: str) -> str:
    """Return the alternative text of the question's picture; empty without one."""
    picture = pictures.of_question(definition, key)
    return pictures.alt(picture, language_of(definition)) if picture else ""


def _form(entry: Context) -> Context:
    shown = {"number": entry["form"] + 1, "reports": numerals.count(entry["n"])}
    return entry | shown | {"draws": [draw | {"integers": json.dumps(draw["table"])} for draw in entry["draws"]]}


def _of_form(method: Context) -> Context:
    """Return the number of the method's form as on pages, if forms differ."""
    return {"number": method["form"] + 1} if "form" in method else {}


def _question(entry: Context, number: int) -> Context:
    microdata, estimation, drawn = entry["microdata"], entry["estimation"], channels(cast(Drawn, entry))
    return {
        "number": number,
        "question": entry,
        "columns": microdata["columns"],
        "columns_folded": len(microdata["columns"]) > AT_ONCE,
        "values": microdata["values"],
        "values_folded": len(microdata["values"]) > AT_ONCE,
        "quantity": microdata["quantity"],
        "span": (microdata["low"], microdata["high"]),
        "drawn": microdata["drawn"],
        "fewer": len({each["table"].get("sample") for each in drawn}) > 1,
        "estimation": estimation,
        "methods": [
            method | {name: f"{method[name]:.6g}" for name in "ab"} | _of_form(method)
            for method in estimation["methods"]
        ],
        "alpha": " / ".join(each["alpha"] for each in drawn),
        "integers": [json.dumps(each["table"], separators=(", ", ": ")) for each in drawn],
    }
