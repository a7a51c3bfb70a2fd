"""The builder's addresses, below /surveys/."""

from django.urls import path

from surveys.builder import undo, views

urlpatterns = [
    path("<int:number>/questions/", views.questions, name="survey-questions"),
    path("<int:number>/questions/<str:key>/", views.question, name="survey-question"),
    path("<int:number>/sections/<int:index>/", views.section, name="survey-section"),
    path("<int:number>/undo/", undo.undo, name="survey-undo"),
    path("<int:number>/texts/", views.texts, name="survey-texts"),
]
