"""The lab's URLs, below /lab/."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.urls import path
from django.utils.module_loading import import_string


def lazily(name: str) -> Callable[..., HttpResponseBase]:
    """Return a view whose module loads at the first visit. scipy takes a second, which every command would spend."""

    def view(request: HttpRequest, **options: Any) -> HttpResponseBase:
        response: HttpResponseBase = import_string(name)(request, **options)
        return response

    return view


page = lazily("surveys.public.lab.views.page")
urlpatterns = [
    path("", page, {"name": "lab"}, name="lab"),
    path("mean/", page, {"name": "lab-mean"}, name="lab-mean"),
    path("tests/", page, {"name": "lab-tests"}, name="lab-tests"),
    path("quantiles/", page, {"name": "lab-quantiles"}, name="lab-quantiles"),
    path("noise/", page, {"name": "lab-noise"}, name="lab-noise"),
    path("together/", page, {"name": "lab-together"}, name="lab-together"),
    path("forms/", page, {"name": "lab-forms"}, name="lab-forms"),
    path("limits/", page, {"name": "lab-limits"}, name="lab-limits"),
    path("mathematics/", lazily("surveys.public.lab.formulas.page"), name="lab-mathematics"),
    path(
        "figures/<slug:figure>-<slug:theme>-<slug:width>.svg",
        lazily("surveys.public.lab.views.picture"),
        name="lab-figure",
    ),
    path("figures/<slug:figure>.csv", lazily("surveys.public.lab.views.numbers"), name="lab-numbers"),
]
