"""The log's URLs, below /check/log/."""

from django.urls import path

from surveys.transparency.log import views

urlpatterns = [
    path("checkpoint", views.checkpoint, name="log-checkpoint"),
    path("checkpoint/<int:size>", views.earlier_checkpoint, name="log-earlier-checkpoint"),
    path("policy", views.policy, name="log-policy"),
    path("tile/<str:level>/<path:place>", views.tile, name="log-tile"),
    path("inclusion/<int:index>/<int:size>", views.inclusion, name="log-inclusion"),
    path("consistency/<int:before>/<int:size>", views.consistency, name="log-consistency"),
    path("cosignatures", views.cosign, name="log-cosignatures"),
]
