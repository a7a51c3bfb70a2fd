"""The site's URLs: respondents at /s/, researchers at /r/, designers at /surveys/, the API at /api/v1/."""

from django.contrib import admin
from django.templatetags.static import static
from django.urls import include, path, re_path
from django.views.generic import RedirectView

from surveys.designer.tryouts import testers
from surveys.operation import health
from surveys.public.home import views as home
from surveys.researcher.analyses import links
from surveys.researcher.analyses.versions import presentation as versions
from surveys.researcher.analyses.waves import views as waves
from surveys.researcher.downloads import codebook_page, downloads, publication
from surveys.researcher.results import card_views, pictures
from surveys.researcher.results import views as results
from surveys.researcher.results.question import views as question
from surveys.researcher.workbook import views as workbook
from surveys.respondent.intake import signing
from surveys.respondent.intake import views as intake
from surveys.respondent.page import views as respond
from surveys.transparency.check import views as check
from surveys.transparency.log import views as log
from surveys.web import language, metrics

RESULTS = {"compare": versions.context, "state": links.state, "links": links.of_release}
QUESTION = {"state": links.state, "links": links.of_question}

handler400 = "surveys.api.problems.bad_request"
handler404 = "surveys.web.language.not_found"

urlpatterns = [
    path("", home.page, name="home"),
    path("s/", respond.page, name="respond"),
    path("s/<path:changed>", respond.page, name="respond-changed-link"),
    re_path(r"^(?:/*)[sS]\b", respond.page),
    path("respond/definition", respond.definition, name="respond-definition"),
    path("respond/invitations", respond.invitations, name="respond-invitations"),
    path("respond/reports", intake.view, name="respond-reports"),
    path("respond/signature", signing.view, name="respond-signature"),
    path("respond/<str:name>", respond.file, name="respond-file"),
    path("r/<slug:slug>/", results.page, RESULTS, name="results"),
    path("r/<slug:slug>/plots/<str:key>-<slug:theme>-<slug:width>.svg", pictures.plot, name="plot"),
    path("r/<slug:slug>/<int:number>/", results.page, RESULTS, name="release"),
    path(
        "r/<slug:slug>/<int:number>/plots/<str:key>-<slug:theme>-<slug:width>.svg", pictures.plot, name="release-plot"
    ),
    path("r/<slug:slug>/<int:number>/plots/<str:key>.<slug:format>", pictures.alone, name="release-picture"),
    path("r/<slug:slug>/<int:number>/cards/<str:key>.<slug:format>", card_views.picture, name="release-card"),
    path("r/<slug:slug>/<int:number>/dataset.json", publication.dataset, name="release-dataset"),
    path("r/<slug:slug>/questions/<str:key>/", question.page, QUESTION, name="question"),
    path("r/<slug:slug>/<int:number>/questions/<str:key>/", question.page, QUESTION, name="release-question"),
    path(
        "r/<slug:slug>/<int:number>/questions/<str:key>/<slug:figure>-<slug:theme>-<slug:width>.svg",
        question.picture,
        name="release-question-picture",
    ),
    path("r/<slug:slug>/downloads/", downloads.page, name="downloads"),
    path("r/<slug:slug>/<int:number>/downloads/", downloads.page, name="release-downloads"),
    path("r/<slug:slug>/<int:number>/downloads/prepare", downloads.prepare, name="prepare-microdata"),
    path("r/<slug:slug>/<int:number>/downloads/keep", downloads.keep, name="keep-microdata"),
    path("r/<slug:slug>/<int:number>/downloads/tables.xlsx", workbook.workbook, name="release-workbook"),
    path("r/<slug:slug>/<int:number>/downloads/<str:name>", downloads.file, name="release-download"),
    path("r/<slug:slug>/<int:number>/", include("surveys.researcher.analyses.urls")),
    path(
        "r/<slug:slug>/<int:number>/waves/<str:key>-<slug:theme>-<slug:width>.<slug:format>",
        waves.picture,
        name="release-waves-picture",
    ),
    path("r/<slug:slug>/<int:number>/log", log.release, name="release-log"),
    path("r/<slug:slug>/<int:number>/codebook/", codebook_page.page, name="release-codebook"),
    path("api/v1/surveys/<slug:slug>/reports", intake.view, name="reports"),
    path("api/v1/surveys/<slug:slug>/signature", signing.view, name="signature"),
    path("api/", include("surveys.api.urls")),
    # For browsers that request an icon unasked.
    path("favicon.ico", RedirectView.as_view(url=static("respond/icon.svg"), permanent=True)),
    re_path(r"^apple-touch-icon[^/]*\.png$", RedirectView.as_view(url=static("respond/icon.png"), permanent=True)),
    path("language/", language.page, name="language"),
    path("alive", health.alive, name="alive"),
    path("healthz", health.ready, name="health"),
    path("metrics", metrics.page, name="metrics"),
    path("status", health.status, name="status"),
    path("lab/", include("surveys.public.lab.urls")),
    path("surveys/", include("surveys.designer.urls")),
    path("try/<slug:link>/", testers.page, name="try"),
    path("try/<slug:link>/definition", testers.definition, name="try-definition"),
    path("try/<slug:link>/reports", testers.receive, name="try-reports"),
    path("account/", include("surveys.accounts.urls")),
    path("check/", check.page, name="check"),
    path("check/manifest.json", check.manifest_json, name="check-manifest"),
    path("check/release.json", check.release_json, name="check-release"),
    path("check/log/", include("surveys.transparency.log.urls")),
    path("check/head.json", check.head_json, name="check-head"),
    path("check/verify.py", check.verify_py, name="check-verify"),
    path("admin/", admin.site.urls),
]
