"""The peers of the intake: the same insert behind less and behind more code. Granian serves one at a time.

nothing an RSGI function that reads the body and answers
bare    a WSGI function that inserts a row of the same shape on a kept connection: no validation, no Django
view    a Django view behind the site's middlewares that validates with the same code and saves with the ORM
drf     the same behind a Django REST framework serializer
"""

import json
import os
import sqlite3
import threading
import uuid
from functools import lru_cache
from typing import Any

import django
import psycopg

os.environ["DJANGO_SETTINGS_MODULE"] = "benchmarks.intake_settings"
django.setup()

from django.conf import settings  # noqa: E402
from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.http import JsonResponse  # noqa: E402
from django.urls import path  # noqa: E402
from django.views.decorators.csrf import csrf_exempt  # noqa: E402
from rest_framework import serializers  # noqa: E402
from rest_framework.generics import CreateAPIView  # noqa: E402

from surveys.models import Report  # noqa: E402
from surveys.respondent.intake import replies  # noqa: E402

_threads = threading.local()
_opened = lru_cache(replies.opened)
_BARE = "INSERT INTO surveys_report (id, survey_id, packed) VALUES (%s, 1, %s) ON CONFLICT DO NOTHING"


async def nothing(scope: Any, proto: Any) -> None:
    await proto()
    proto.response_bytes(201, [("content-type", "application/json")], b"{}")


def bare(environ: dict[str, Any], start_response: Any) -> list[bytes]:
    environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"]))
    (_sqlite if settings.DATABASES["default"]["ENGINE"].endswith("sqlite3") else _postgresql)()
    start_response("201 Created", [("Content-Type", "application/json"), ("Content-Length", "2")])
    return [b"{}"]


def _postgresql() -> None:
    if not hasattr(_threads, "connection"):
        _threads.connection = psycopg.connect(os.environ["DATABASE_URL"], autocommit=True)
    _threads.connection.execute(_BARE, (uuid.uuid4(), b"abcdef"), prepare=True)


def _sqlite() -> None:
    if not hasattr(_threads, "connection"):
        database = settings.DATABASES["default"]
        _threads.connection = sqlite3.connect(database["NAME"], timeout=20, isolation_level=None)
        _threads.connection.executescript(database["OPTIONS"]["init_command"])
    _threads.connection.execute(_BARE.replace("%s", "?"), (uuid.uuid4().hex, b"abcdef"))


@csrf_exempt
def view(request: Any, slug: str) -> JsonResponse:
    row = replies.read(_opened(slug), request.body)
    if isinstance(row, replies.Reply):
        return JsonResponse(json.loads(row.body), status=row.status)
    Report.objects.create(id=row.report_id, survey_id=row.survey_id, packed=row.packed, form=row.form)
    return JsonResponse({"report_id": str(row.report_id)}, status=201)


class ReportSerializer(serializers.Serializer):
    report_id = serializers.UUIDField()
    digest = serializers.CharField()
    answers = serializers.DictField()
    form = serializers.IntegerField(default=0, min_value=0)

    def create(self, validated: dict[str, Any]) -> Report:
        opened, form = _opened(self.context["view"].kwargs["slug"]), validated["form"]
        packed = opened.layouts[form].pack(validated["answers"])
        return Report.objects.create(id=validated["report_id"], survey_id=opened.survey_id, packed=packed, form=form)

    def to_representation(self, report: Report) -> dict[str, Any]:
        return {"report_id": str(report.id)}


class ReportView(CreateAPIView):
    serializer_class = ReportSerializer
    queryset = Report.objects.all()


urlpatterns = [
    path("view/<slug:slug>/reports", view),
    path("drf/<slug:slug>/reports", ReportView.as_view()),
]
application = get_wsgi_application()
