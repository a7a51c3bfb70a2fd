"""The addresses of a survey's alphas, below /surveys/<number>/alpha/."""

from django.urls import path

from surveys.designer.privacy import context, survey_trial, views

urlpatterns = [
    path("", views.alpha, name="survey-alpha"),
    path("trial/", survey_trial.trial, name="survey-trial"),
    path("trial/all/<str:key>-<slug:theme>-<slug:width>.svg", survey_trial.plot, name="survey-trial-plot"),
    path("trial/<str:key>-<slug:theme>-<slug:width>.svg", context.trial_plot, name="survey-alpha-trial-plot"),
]
