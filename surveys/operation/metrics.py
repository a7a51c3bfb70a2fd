"""Figures for Prometheus, read from the database when asked, so that every web process tells the same.

Nothing about a single survey: its slug is its secret.
"""

from collections.abc import Iterable

from django.db.models import Count, Max, Q
from django.http import Http404, HttpRequest, HttpResponse
from prometheus_client import CollectorRegistry
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.registry import Collector

from surveys.access import may_read_metrics
from surveys.models import Release, Survey
from surveys.operation import heartbeat


def page(request: HttpRequest) -> HttpResponse:
    """The figures, for whoever sends METRICS_TOKEN; 404 otherwise, and where no token is set."""
    if not may_read_metrics(request.headers.get("Authorization", "")):
        raise Http404
    registry = CollectorRegistry()
    registry.register(Figures())
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)


class Figures(Collector):
    """All figures. Those about reports change with releases only, like everything that anybody sees of them."""

    def collect(self) -> Iterable[Metric]:
        newest = Release.objects.values("survey").annotate(n=Max("n"))
        total = sum(row["n"] for row in newest)
        yield GaugeMetricFamily("deniable_reports_released", "Reports in the newest releases of all surveys.", total)
        surveys = GaugeMetricFamily("deniable_surveys", "Surveys by state.", labels=["state"])
        for row in Survey.objects.values("state").annotate(n=Count("pk")).order_by("state"):
            surveys.add_metric([row["state"]], row["n"])
        yield surveys
        yield GaugeMetricFamily("deniable_surveys_failing", "Surveys whose work failed more than twice.", _failing())
        up = GaugeMetricFamily("deniable_status", "1 for the present status of the worker.", labels=["status"])
        for status in ("ok", "late", "behind"):
            up.add_metric([status], float(heartbeat.status() == status))
        yield up


def _failing() -> int:
    taking = Q(tally__attempts__gt=2)
    estimating = Q(release__document__isnull=True, release__attempts__gt=2)
    return Survey.objects.filter(taking | estimating).distinct().count()
