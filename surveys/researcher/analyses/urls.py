"""The URLs of each analysis, below those of a release."""

from collections.abc import Iterator
from typing import Any

from django.urls import URLPattern, path

from surveys.researcher.analyses.frame import derived, views
from surveys.researcher.analyses.frame.counted import Counted
from surveys.researcher.analyses.frame.derived import Derived
from surveys.researcher.analyses.registry import ANALYSES


def _counted(analysis: Counted[Any]) -> Iterator[URLPattern]:
    name, listing = analysis.name, analysis.paths.listing
    page = "/".join([analysis.paths.page, *(f"<str:{field}>" for field in analysis.fields)])
    known = {"analysis": analysis}
    yield path(f"{listing}/", views.listing, known, name=f"release-{analysis.plural}")
    yield path(f"{listing}/ask", views.ask, known, name=f"ask-{name}")
    yield path(f"{page}/", views.page, known, name=f"release-{name}")
    if analysis.picture_path:
        yield path(f"{page}/{analysis.picture_path}", views.picture, known, name=f"release-{name}-picture")
    yield path(f"{page}/{name}.<slug:format>", views.file, known, name=f"release-{name}-file")


def _derived(analysis: Derived) -> Iterator[URLPattern]:
    if analysis.path:
        yield path(f"{analysis.path}/", analysis.page, name=analysis.page_name or f"release-{analysis.name}")
    form, name = f"{analysis.file_path}.<slug:format>", f"release-{analysis.name}-file"
    yield path(form, derived.file, {"analysis": analysis}, name=name)


urlpatterns = [
    pattern
    for analysis in ANALYSES.values()
    for pattern in (_counted(analysis) if analysis.counted else _derived(analysis))
]
