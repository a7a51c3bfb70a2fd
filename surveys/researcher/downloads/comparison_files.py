"""Comparisons that an address chooses, as CSV and JSON for whoever sees the results."""

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from surveys.researcher.analyses.comparisons.options import released_question
from surveys.researcher.analyses.comparisons.views import form_of
from surveys.researcher.downloads import comparisons
from surveys.researcher.results import responses
from surveys.researcher.results.question.released import of_release
from surveys.researcher.results.question.views import read, with_usual


@require_safe
def comparison(request: HttpRequest, slug: str, number: int, format: str) -> HttpResponse:
    """What the page of comparisons compares; 400 with what is wrong with the address."""
    release = responses.release_of(request, slug, number)
    released = released_question(release, request.GET.get("question"))
    if released is None:
        raise Http404
    typed = form_of(request, release.survey, released)
    if not typed.is_valid():
        return _refused(typed)
    made = comparisons.comparisons(release, typed.choices())
    return responses.file(request, made, comparisons.MADE, format, f"comparisons-{number}-{released.key}.{format}")


@require_safe
def value_comparison(request: HttpRequest, slug: str, number: int, key: str, format: str) -> HttpResponse:
    """An answer against a value, as the question's page has it; 400 with what is wrong with the address."""
    release = responses.release_of(request, slug, number)
    typed = read(of_release(slug, number, key), with_usual(request.GET, release.survey))
    if not typed.is_valid():
        return _refused(typed)
    if typed.choices().value is None:
        return responses.refused("value: name a value.")
    made = comparisons.value_comparison_document(release, key, typed.choices())
    return responses.file(
        request, made, comparisons.VALUE_COMPARISON, format, f"value-comparison-{number}-{key}.{format}"
    )


def _refused(typed: forms.Form) -> HttpResponse:
    return responses.refused("".join(f"{name}: {texts[0]}\n" for name, texts in typed.errors.items()))
