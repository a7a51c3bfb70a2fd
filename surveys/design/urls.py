"""The studio's addresses, below /surveys/."""

from django.urls import path

from surveys.design import listing, log, overview, people, preview

urlpatterns = [
    path("", listing.page, name="surveys"),
    path("<int:number>/", overview.overview, name="survey"),
    path("<int:number>/people/", people.people, name="people"),
    path("<int:number>/people/<int:member>/", people.member, name="member"),
    path("<int:number>/people/invitations/<int:invitation>/", people.revoke, name="revoke-invitation"),
    path("<int:number>/log/", log.log, name="log"),
    path("<int:number>/preview/", preview.page, name="survey-preview"),
    path("<int:number>/preview/definition", preview.definition, name="survey-preview-definition"),
]
