"""Addresses below a survey's invitations in the studio."""

from django.urls import path

from surveys.design.invitations import views

urlpatterns = [
    path("", views.show, name="survey-invitations"),
    path("new/", views.invite, name="survey-invite"),
    path("lost/", views.replace, name="survey-invitation-lost"),
    path("back/", views.take_back, name="survey-invitation-back"),
]
