"""The log's addresses, below /check/log/."""

from django.urls import path, re_path

from surveys.log import tiles, views

urlpatterns = [
    path("checkpoint", views.checkpoint, name="log-checkpoint"),
    path("checkpoint/<int:size>", views.earlier_checkpoint, name="log-earlier-checkpoint"),
    path("policy", views.policy, name="log-policy"),
    re_path(
        rf"^tile/(?P<level>entries|[0-9]{{1,2}})/(?P<index>{tiles.PATH})(?:\.p/(?P<width>[1-9][0-9]{{0,2}}))?$",
        views.tile,
        name="log-tile",
    ),
    path("inclusion/<int:index>/<int:size>", views.inclusion, name="log-inclusion"),
    path("consistency/<int:before>/<int:size>", views.consistency, name="log-consistency"),
    path("cosignatures", views.cosign, name="log-cosignatures"),
]
