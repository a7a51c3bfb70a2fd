"""The addresses of programs, below /api/: the API itself, and the page that says how to use it."""

from django.urls import include, path, re_path, register_converter
from django.urls.converters import StringConverter
from django.views.generic import RedirectView

from surveys.api import (
    analyses,
    comparisons,
    corrected,
    estimates,
    invitations,
    known,
    listing,
    microdata,
    page,
    rows,
    views,
    waves,
    weighted,
    workbook,
)
from surveys.api.document_views import patterns


class ReleaseNumber:
    """The number of a release, or “latest” for the newest, which views are given as None."""

    regex = "latest|[1-9][0-9]{0,8}"

    def to_python(self, text: str) -> int | None:
        return None if text == "latest" else int(text)

    def to_url(self, number: int | str | None) -> str:
        return "latest" if number is None else str(number)


class Variable(StringConverter):
    """What can be crossed: a question's key, for an item or option with a dot and its place."""

    regex = analyses.VARIABLE


register_converter(ReleaseNumber, "release")
register_converter(Variable, "variable")

SURVEY = "v1/surveys/<slug:slug>"
RELEASE = f"{SURVEY}/releases/<release:number>"
CROSSING = f"{RELEASE}/crossings/<variable:first>/<variable:second>"

urlpatterns = [
    path("", page.page, name="api"),
    path("programs/<str:name>", page.program, name="api-program"),
    path("docs/", RedirectView.as_view(pattern_name="api", permanent=True), name="api-docs"),
    path("v1/schema", views.DescriptionView.as_view(), name="schema"),
    path("v1/draft-schema", views.DraftSchemaView.as_view(), name="draft-schema"),
    path("v1/surveys", listing.SurveysView.as_view(), name="api-surveys"),
    path(SURVEY, listing.SurveyView.as_view(), name="api-survey"),
    path(f"{SURVEY}/definition", views.DefinitionView.as_view(), name="definition"),
    path(f"{SURVEY}/estimates", estimates.EstimatesView.as_view(), name="estimates"),
    path(f"{SURVEY}/estimates.csv", estimates.EstimatesCsvView.as_view(), name="estimates-csv"),
    path(f"{SURVEY}/invitations", invitations.InvitationsView.as_view(), name="api-invitations"),
    path(f"{SURVEY}/invitations/emails", invitations.EmailsView.as_view(), name="api-emails"),
    path(f"{SURVEY}/invitations/reminders", invitations.RemindersView.as_view(), name="api-reminders"),
    path(f"{SURVEY}/invitations/replacements", invitations.ReplacementsView.as_view(), name="api-replacements"),
    path(f"{SURVEY}/invitations/revocations", invitations.RevocationsView.as_view(), name="api-revocations"),
    path(f"{SURVEY}/invitations/bounces", invitations.BouncesView.as_view(), name="api-bounces"),
    path(f"{SURVEY}/releases", listing.ReleasesView.as_view(), name="api-releases"),
    path(RELEASE, listing.ReleaseView.as_view(), name="api-release"),
    path(f"{RELEASE}/estimates", estimates.ReleaseEstimatesView.as_view(), name="release-estimates"),
    path(f"{RELEASE}/estimates.csv", estimates.ReleaseEstimatesCsvView.as_view(), name="release-estimates-csv"),
    path(f"{RELEASE}/shares.csv", estimates.SharesCsvView.as_view(), name="api-shares-csv"),
    path(f"{RELEASE}/tables.xlsx", workbook.WorkbookView.as_view(), name="api-workbook"),
    path(f"{RELEASE}/covariances", estimates.CovariancesView.as_view(), name="api-covariances"),
    path(f"{RELEASE}/covariances.csv", estimates.CovariancesCsvView.as_view(), name="api-covariances-csv"),
    path(f"{RELEASE}/readings", rows.ReadingsView.as_view(), name="api-readings"),
    path(f"{RELEASE}/readings.csv", rows.ReadingsCsvView.as_view(), name="api-readings-csv"),
    path(f"{RELEASE}/contrasts", rows.ContrastsView.as_view(), name="api-contrasts"),
    path(f"{RELEASE}/contrasts.csv", rows.ContrastsCsvView.as_view(), name="api-contrasts-csv"),
    path(f"{RELEASE}/trend", rows.TrendView.as_view(), name="api-trend"),
    path(f"{RELEASE}/trend.csv", rows.TrendCsvView.as_view(), name="api-trend-csv"),
    path(f"{RELEASE}/forged", rows.ForgedView.as_view(), name="api-forged"),
    path(f"{RELEASE}/forged.csv", rows.ForgedCsvView.as_view(), name="api-forged-csv"),
    *patterns(f"{RELEASE}/comparisons", "comparisons", comparisons.COMPARISONS),
    *patterns(f"{RELEASE}/against", "against", comparisons.AGAINST),
    path(f"{RELEASE}/codebook", estimates.CodebookView.as_view(), name="api-codebook"),
    *analyses.urlpatterns(RELEASE),
    *patterns(f"{CROSSING}/weighted", "weighted", weighted.WEIGHTED),
    *patterns(f"{CROSSING}/corrected", "corrected", corrected.CORRECTED),
    *patterns(f"{RELEASE}/known", "known", known.KNOWN),
    *patterns(f"{RELEASE}/waves", "waves", waves.WAVES),
    path(f"{RELEASE}/microdata", microdata.MicrodataView.as_view(), name="api-microdata"),
    path(f"{RELEASE}/microdata/<str:name>", microdata.MicrodataFileView.as_view(), name="api-microdata-file"),
    path("", include("surveys.api.studio.urls")),
    re_path(r"^v1/", views.NothingView.as_view(), name="api-nothing"),
]
