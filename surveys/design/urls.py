"""The studio's addresses, below /surveys/."""

from django.urls import path

from surveys.design import beginning, imported, listing, log, overview, people, preview, taking

urlpatterns = [
    path("", listing.page, name="surveys"),
    path("new/", beginning.page, name="survey-new"),
    path("<int:number>/", overview.overview, name="survey"),
    path("<int:number>/people/", people.people, name="people"),
    path("<int:number>/people/<int:member>/", people.member, name="member"),
    path("<int:number>/people/invitations/<int:invitation>/", people.revoke, name="revoke-invitation"),
    path("<int:number>/log/", log.log, name="log"),
    path("<int:number>/imported/", imported.page, name="survey-imported"),
    path("<int:number>/imported.txt", imported.text, name="survey-imported-text"),
    path("<int:number>/files/", taking.page, name="survey-files"),
    path("<int:number>/export.json", taking.as_json, name="survey-json"),
    path("<int:number>/export.xlsx", taking.as_xlsform, name="survey-xlsform"),
    path("<int:number>/copy/", taking.copy, name="survey-copy"),
    path("<int:number>/preview/", preview.page, name="survey-preview"),
    path("<int:number>/preview/definition", preview.definition, name="survey-preview-definition"),
]
