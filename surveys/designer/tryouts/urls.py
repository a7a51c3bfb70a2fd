"""The addresses of test answers, below /surveys/<number>/tests/."""

from django.urls import path

from surveys.designer.tryouts import views

urlpatterns = [
    path("", views.page, name="survey-tests"),
    path("code.svg", views.code, name="survey-tests-code"),
    path("page/", views.asking, name="survey-tests-page"),
    path("page/definition", views.definition, name="survey-tests-definition"),
    path("page/reports", views.receive, name="survey-tests-reports"),
]
