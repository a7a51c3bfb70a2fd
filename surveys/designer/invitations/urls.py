"""Addresses below a survey's invitations in the studio."""

from django.urls import path

from surveys.designer.invitations import groups, mail, views

urlpatterns = [
    path("", views.show, name="survey-invitations"),
    path("groups/", groups.groups, name="survey-groups"),
    path("new/", views.invite, name="survey-invite"),
    path("lost/", views.replace, name="survey-invitation-lost"),
    path("back/", views.take_back, name="survey-invitation-back"),
    path("mail/", mail.show, name="survey-invitations-mail"),
    path("mail/new/", mail.invite, name="survey-letters"),
    path("mail/reminder/", mail.remind, name="survey-reminder"),
    path("mail/stop/", mail.stop, name="survey-letters-stop"),
    path("mail/undeliverable/", mail.withdraw, name="survey-letters-undeliverable"),
    path("mail/forget/", mail.forget, name="survey-addresses-forget"),
]
