"""The addresses of a survey's evidence, below /surveys/<number>/evidence/."""

from django.urls import path

from surveys.designer.evidence import views

urlpatterns = [
    path("", views.page, name="survey-evidence"),
    path("disclosure/", views.disclose, name="survey-disclosure"),
    path("<str:name>", views.file, name="survey-evidence-file"),
]
