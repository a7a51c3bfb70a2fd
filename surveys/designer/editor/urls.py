"""The builder's addresses, below /surveys/."""

from django.urls import path

from surveys.designer.editor import comments, pictures, question_bank, snapshots, undo, views

urlpatterns = [
    path("<int:number>/questions/", views.questions, name="survey-questions"),
    path("<int:number>/questions/<str:key>/", views.question, name="survey-question"),
    path("<int:number>/sections/<int:index>/", views.section, name="survey-section"),
    path("<int:number>/pictures/", pictures.change, name="survey-pictures"),
    path("<int:number>/undo/", undo.undo, name="survey-undo"),
    path("<int:number>/bank/", question_bank.listing, name="survey-bank"),
    path("<int:number>/comments/", comments.listing, name="survey-comments"),
    path("<int:number>/history/", snapshots.listing, name="survey-history"),
    path("<int:number>/history/<int:pk>/", snapshots.snapshot, name="survey-snapshot"),
    path("<int:number>/texts/", views.texts, name="survey-texts"),
]
