"""The addresses of a survey's alphas, below /surveys/<number>/alpha/."""

from django.urls import path

from surveys.designer.privacy import context, views

urlpatterns = [
    path("", views.alpha, name="survey-alpha"),
    path("trial/<str:key>-<slug:theme>-<slug:width>.svg", context.trial_plot, name="survey-alpha-trial-plot"),
]
