"""Figures for Prometheus, read from the database when asked, so that every web process tells the same.

Nothing about a single survey: its slug is its secret.
"""

import hmac
from collections.abc import Iterable

from django.conf import settings
from django.db.models import Count, Sum
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from prometheus_client import CollectorRegistry
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.registry import Collector

from surveys.models import Heartbeat, Survey, Tally


def page(request: HttpRequest) -> HttpResponse:
    """The figures, for whoever sends METRICS_TOKEN; 404 otherwise, and where no token is set."""
    expected = f"Bearer {settings.METRICS_TOKEN}"
    given = request.headers.get("Authorization", "")
    if not settings.METRICS_TOKEN or not hmac.compare_digest(given.encode(), expected.encode()):
        raise Http404
    registry = CollectorRegistry()
    registry.register(Figures())
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)


class Figures(Collector):
    def collect(self) -> Iterable[Metric]:
        counted = Tally.objects.aggregate(n=Sum("n"), moved=Sum("moved"))
        yield CounterMetricFamily("deniable_reports_counted", "Reports counted so far.", counted["n"] or 0)
        yield CounterMetricFamily("deniable_reports_moved", "Reports moved into blocks so far.", counted["moved"] or 0)
        surveys = GaugeMetricFamily("deniable_surveys", "Surveys by state.", labels=["state"])
        for row in Survey.objects.values("state").annotate(n=Count("pk")).order_by("state"):
            surveys.add_metric([row["state"]], row["n"])
        yield surveys
        failing = Tally.objects.filter(attempts__gt=2).count()
        yield GaugeMetricFamily("deniable_surveys_failing", "Surveys whose work failed more than twice.", failing)
        yield from self._heartbeat()

    def _heartbeat(self) -> Iterable[Metric]:
        beat, now = Heartbeat.objects.first(), timezone.now()
        if beat is None:
            return
        since = (now - beat.backlog_since).total_seconds() if beat.backlog_since else 0
        age = (now - beat.swept_at).total_seconds()
        yield GaugeMetricFamily("deniable_backlog_reports", "Reports that waited at the last sweep.", beat.backlog)
        yield GaugeMetricFamily("deniable_backlog_seconds", "Seconds since when some have always waited.", since)
        yield GaugeMetricFamily("deniable_sweep_age_seconds", "Seconds since the last sweep of the worker.", age)
