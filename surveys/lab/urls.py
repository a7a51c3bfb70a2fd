"""The lab's addresses, below /lab/."""

from django.urls import path

from surveys.lab import formulas, views

urlpatterns = [
    path("", views.page, {"name": "lab"}, name="lab"),
    path("mean/", views.page, {"name": "lab-mean"}, name="lab-mean"),
    path("tests/", views.page, {"name": "lab-tests"}, name="lab-tests"),
    path("quantiles/", views.page, {"name": "lab-quantiles"}, name="lab-quantiles"),
    path("noise/", views.page, {"name": "lab-noise"}, name="lab-noise"),
    path("together/", views.page, {"name": "lab-together"}, name="lab-together"),
    path("limits/", views.page, {"name": "lab-limits"}, name="lab-limits"),
    path("mathematics/", formulas.page, name="lab-mathematics"),
    path("figures/<slug:figure>-<slug:theme>-<slug:width>.svg", views.picture, name="lab-figure"),
    path("figures/<slug:figure>.csv", views.numbers_of, name="lab-numbers"),
]
