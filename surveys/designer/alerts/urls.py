"""The addresses of a survey's alerts, below /surveys/<number>/alerts/."""

from django.urls import path

from surveys.designer.alerts import views

urlpatterns = [
    path("", views.alerts, name="survey-alerts"),
    path("mail/", views.mail, name="survey-alerts-mail"),
    path("mail/confirm/", views.confirm, name="survey-alerts-confirm"),
    path("webhooks/", views.add, name="survey-webhooks"),
    path("webhooks/<int:webhook>/remove/", views.remove, name="survey-webhook-remove"),
    path("webhooks/<int:webhook>/test/", views.test, name="survey-webhook-test"),
    path("webhooks/<int:webhook>/again/<str:name>/", views.again, name="survey-webhook-again"),
]
