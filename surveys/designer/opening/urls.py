"""The address of opening, below /surveys/<number>/open/."""

from django.urls import path

from surveys.designer.opening import views

urlpatterns = [path("", views.opening, name="survey-open")]
