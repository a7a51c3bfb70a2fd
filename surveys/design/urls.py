"""The studio's addresses, below /surveys/."""

from django.urls import path

from surveys.design import changing, deleting, ending, listing, opening, overview, progress, sharing

urlpatterns = [
    path("", listing.page, name="surveys"),
    path("<int:number>/", overview.overview, name="survey"),
    path("<int:number>/open/", opening.opening, name="survey-open"),
    path("<int:number>/share/", sharing.share, name="survey-share"),
    path("<int:number>/share/code.svg", sharing.code, name="survey-code"),
    path("<int:number>/progress/", progress.progress, name="survey-progress"),
    path("<int:number>/progress/<slug:theme>-<slug:width>.svg", progress.picture, name="survey-progress-picture"),
    path("<int:number>/close/", ending.ending, name="survey-close"),
    path("<int:number>/settings/", changing.settings, name="survey-settings"),
    path("<int:number>/settings/end/", changing.end, name="survey-end"),
    path("<int:number>/settings/beginning/", changing.beginning, name="survey-beginning"),
    path("<int:number>/settings/publication/", changing.publication, name="survey-publication"),
    path("<int:number>/settings/archive/", changing.archive, name="survey-archive"),
    path("<int:number>/settings/version/", changing.version, name="survey-version"),
    path("<int:number>/delete/", deleting.deleting, name="survey-delete"),
]
