"""The addresses of trying a draft, below /surveys/<number>/try/."""

from django.urls import path

from surveys.designer.privacy import survey_trial
from surveys.designer.tryouts import views

urlpatterns = [
    path("", views.page, name="survey-try"),
    path("link/", views.link, name="survey-try-link"),
    path("code.svg", views.code, name="survey-try-code"),
    path("page/", views.asking, name="survey-try-page"),
    path("page/definition", views.definition, name="survey-try-definition"),
    path("page/reports", views.receive, name="survey-try-reports"),
    path("trial/<str:key>-<slug:theme>-<slug:width>.svg", survey_trial.plot, name="survey-trial-plot"),
]
