"""The studio's addresses, below /surveys/."""

from django.urls import path

from surveys.design import alpha, alpha_tried, listing, overview, preview

urlpatterns = [
    path("", listing.page, name="surveys"),
    path("<int:number>/", overview.overview, name="survey"),
    path("<int:number>/alpha/", alpha.alpha, name="survey-alpha"),
    path(
        "<int:number>/alpha/trial/<str:key>-<slug:theme>-<slug:width>.svg",
        alpha_tried.trial_plot,
        name="survey-alpha-trial-plot",
    ),
    path("<int:number>/preview/", preview.page, name="survey-preview"),
    path("<int:number>/preview/definition", preview.definition, name="survey-preview-definition"),
]
