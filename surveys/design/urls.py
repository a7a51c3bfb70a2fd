"""The studio's addresses, below /surveys/."""

from django.urls import path

from surveys.design import listing, overview

urlpatterns = [
    path("", listing.page, name="surveys"),
    path("<int:number>/", overview.overview, name="survey"),
]
