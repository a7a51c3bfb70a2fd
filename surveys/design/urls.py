"""The studio's addresses, below /surveys/."""

from django.urls import path

from surveys.design import listing, overview, preview

urlpatterns = [
    path("", listing.page, name="surveys"),
    path("<int:number>/", overview.overview, name="survey"),
    path("<int:number>/preview/", preview.page, name="survey-preview"),
    path("<int:number>/preview/definition", preview.definition, name="survey-preview-definition"),
]
