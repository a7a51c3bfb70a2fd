"""The URLs below /api/: the API, and the page that explains it."""

from django.urls import include, path, re_path, register_converter
from django.urls.converters import StringConverter

from surveys.api import (
    counted,
    derived,
    invitations,
    listing,
    microdata,
    page,
    release_files,
    views,
    workbook,
)
from surveys.researcher.analyses.frame.derived import VARIABLE
from surveys.researcher.analyses.registry import ANALYSES


class ReleaseNumber:
    """The number of a release, or “latest” for the newest, which becomes None."""

    regex = "latest|[1-9][0-9]{0,8}"

    def to_python(self, text: str) -> int | None:
        return None if text == "latest" else int(text)

    def to_url(self, number: int | str | None) -> str:
        return "latest" if number is None else str(number)


class Variable(StringConverter):
    """The key of a variable: a question's key. For an item or option a dot and its place follow."""

    regex = VARIABLE


register_converter(ReleaseNumber, "release")
register_converter(Variable, "variable")

SURVEY = "v1/surveys/<slug:slug>"
RELEASE = f"{SURVEY}/releases/<release:number>"

urlpatterns = [
    path("", page.page, name="api"),
    path("programs/<str:name>", page.program, name="api-program"),
    path("v1/schema", views.DescriptionView.as_view(), name="schema"),
    path("v1/draft-schema", views.DraftSchemaView.as_view(), name="draft-schema"),
    path("v1/surveys", listing.SurveysView.as_view(), name="api-surveys"),
    path(SURVEY, listing.SurveyView.as_view(), name="api-survey"),
    path(f"{SURVEY}/definition", views.DefinitionView.as_view(), name="definition"),
    path(f"{SURVEY}/estimates", release_files.NEWEST_ESTIMATES, name="estimates"),
    path(f"{SURVEY}/estimates.csv", release_files.NEWEST_ESTIMATES_CSV, name="estimates-csv"),
    path(f"{SURVEY}/invitations", invitations.InvitationsView.as_view(), name="api-invitations"),
    path(f"{SURVEY}/invitations/emails", invitations.EmailsView.as_view(), name="api-emails"),
    path(f"{SURVEY}/invitations/reminders", invitations.RemindersView.as_view(), name="api-reminders"),
    path(f"{SURVEY}/invitations/replacements", invitations.ReplacementsView.as_view(), name="api-replacements"),
    path(f"{SURVEY}/invitations/revocations", invitations.RevocationsView.as_view(), name="api-revocations"),
    path(f"{SURVEY}/invitations/bounces", invitations.BouncesView.as_view(), name="api-bounces"),
    path(f"{SURVEY}/releases", listing.ReleasesView.as_view(), name="api-releases"),
    path(RELEASE, listing.ReleaseView.as_view(), name="api-release"),
    path(f"{RELEASE}/estimates", release_files.ESTIMATES, name="release-estimates"),
    path(f"{RELEASE}/estimates.csv", release_files.ESTIMATES_CSV, name="release-estimates-csv"),
    path(f"{RELEASE}/shares.csv", release_files.SHARES_CSV, name="api-shares-csv"),
    path(f"{RELEASE}/tables.xlsx", workbook.WorkbookView.as_view(), name="api-workbook"),
    path(f"{RELEASE}/covariances", release_files.COVARIANCES, name="api-covariances"),
    path(f"{RELEASE}/covariances.csv", release_files.COVARIANCES_CSV, name="api-covariances-csv"),
    path(f"{RELEASE}/readings", release_files.READINGS, name="api-readings"),
    path(f"{RELEASE}/readings.csv", release_files.READINGS_CSV, name="api-readings-csv"),
    path(f"{RELEASE}/pairs", release_files.PAIRS, name="api-pairs"),
    path(f"{RELEASE}/pairs.csv", release_files.PAIRS_CSV, name="api-pairs-csv"),
    path(f"{RELEASE}/trend", release_files.TREND, name="api-trend"),
    path(f"{RELEASE}/trend.csv", release_files.TREND_CSV, name="api-trend-csv"),
    path(f"{RELEASE}/forged", release_files.FORGED, name="api-forged"),
    path(f"{RELEASE}/forged.csv", release_files.FORGED_CSV, name="api-forged-csv"),
    path(f"{RELEASE}/codebook", release_files.CODEBOOK, name="api-codebook"),
    *(
        pattern
        for each in ANALYSES.values()
        for pattern in (counted.patterns(each, RELEASE) if each.counted else derived.patterns(each, RELEASE))
    ),
    path(f"{RELEASE}/microdata", microdata.MicrodataView.as_view(), name="api-microdata"),
    path(f"{RELEASE}/microdata/<str:name>", microdata.MicrodataFileView.as_view(), name="api-microdata-file"),
    path("", include("surveys.api.studio.urls")),
    re_path(r"^v1/", views.NothingView.as_view(), name="api-nothing"),
]
