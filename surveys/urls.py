"""The site by audience: respondents at /s/, researchers at /r/, designers at /surveys/, programs at /api/v1/."""

from django.contrib import admin
from django.templatetags.static import static
from django.urls import include, path, re_path
from django.views.decorators.http import require_safe
from django.views.generic import RedirectView, TemplateView

from surveys.check import views as check
from surveys.intake import views as intake
from surveys.operation import health, metrics
from surveys.research import codebook_page, downloads
from surveys.respond import views as respond
from surveys.results import views as results

handler400 = "surveys.api.problems.bad_request"

urlpatterns = [
    path("", require_safe(TemplateView.as_view(template_name="home.html")), name="home"),
    path("s/<slug:slug>/", respond.page, name="respond"),
    path("r/<slug:slug>/", results.page, name="results"),
    path("r/<slug:slug>/plots/<str:key>-<slug:theme>-<slug:width>.svg", results.plot, name="plot"),
    path("r/<slug:slug>/<int:number>/", results.page, name="release"),
    path("r/<slug:slug>/<int:number>/plots/<str:key>-<slug:theme>-<slug:width>.svg", results.plot, name="release-plot"),
    path("r/<slug:slug>/downloads/", downloads.page, name="downloads"),
    path("r/<slug:slug>/<int:number>/downloads/", downloads.page, name="release-downloads"),
    path("r/<slug:slug>/<int:number>/downloads/prepare", downloads.prepare, name="prepare-microdata"),
    path("r/<slug:slug>/<int:number>/downloads/<str:name>", downloads.file, name="release-download"),
    path("r/<slug:slug>/<int:number>/codebook/", codebook_page.page, name="release-codebook"),
    path("api/v1/surveys/<slug:slug>/reports", intake.view, name="reports"),
    path("api/", include("surveys.api.urls")),
    # Asked for by browsers that were told of no icon, or of none that they can show.
    path("favicon.ico", RedirectView.as_view(url=static("respond/icon.svg"), permanent=True)),
    re_path(r"^apple-touch-icon[^/]*\.png$", RedirectView.as_view(url=static("respond/icon.png"), permanent=True)),
    path("healthz", health.live, name="health"),
    path("metrics", metrics.page, name="metrics"),
    path("status", health.status, name="status"),
    path("lab/", include("surveys.lab.urls")),
    path("surveys/", include("surveys.design.urls")),
    path("account/", include("surveys.people.urls")),
    path("check/", check.page, name="check"),
    path("check/manifest.json", check.manifest_json, name="check-manifest"),
    path("check/log.json", check.log_json, name="check-log"),
    path("check/verify.py", check.verify_py, name="check-verify"),
    path("surveys/", include("surveys.builder.urls")),
    path("admin/", admin.site.urls),
]
