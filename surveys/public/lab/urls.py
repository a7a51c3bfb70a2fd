"""The lab's addresses, below /lab/."""

from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.urls import path

# Scipy takes a second to load, which every command would spend that reads the site's addresses: the rooms are opened
# by their first visitor.


def page(request: HttpRequest, **options: Any) -> HttpResponseBase:
    from surveys.public.lab import views

    return views.page(request, **options)


def mathematics(request: HttpRequest) -> HttpResponseBase:
    from surveys.public.lab import formulas

    return formulas.page(request)


def picture(request: HttpRequest, **options: Any) -> HttpResponseBase:
    from surveys.public.lab import views

    return views.picture(request, **options)


def numbers(request: HttpRequest, **options: Any) -> HttpResponseBase:
    from surveys.public.lab import views

    return views.numbers(request, **options)


urlpatterns = [
    path("", page, {"name": "lab"}, name="lab"),
    path("mean/", page, {"name": "lab-mean"}, name="lab-mean"),
    path("tests/", page, {"name": "lab-tests"}, name="lab-tests"),
    path("quantiles/", page, {"name": "lab-quantiles"}, name="lab-quantiles"),
    path("noise/", page, {"name": "lab-noise"}, name="lab-noise"),
    path("together/", page, {"name": "lab-together"}, name="lab-together"),
    path("forms/", page, {"name": "lab-forms"}, name="lab-forms"),
    path("limits/", page, {"name": "lab-limits"}, name="lab-limits"),
    path("mathematics/", mathematics, name="lab-mathematics"),
    path("figures/<slug:figure>-<slug:theme>-<slug:width>.svg", picture, name="lab-figure"),
    path("figures/<slug:figure>.csv", numbers, name="lab-numbers"),
]
