"""Metrics for Prometheus. They are read from the database and Redis at each request, so that all web processes agree.

They name no survey, because its slug is its secret.
"""

from collections.abc import Iterable, Iterator, Mapping

from django.db.models import Count, Max, Q
from django.http import Http404, HttpRequest, HttpResponse
from prometheus_client import CollectorRegistry
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.registry import Collector

from surveys.access import may_read_metrics
from surveys.models import Release, Survey
from surveys.operation import counts, gauges, heartbeat
from surveys.operation.health import DATABASE


def page(request: HttpRequest) -> HttpResponse:
    """Return the metrics for a request with METRICS_TOKEN. Raise Http404 for other requests, or if no token is set."""
    if not may_read_metrics(request.headers.get("Authorization", "")):
        raise Http404
    registry = CollectorRegistry()
    registry.register(Figures())
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)


class Figures(Collector):
    """All metrics. Metrics on reports change only with releases."""

    def collect(self) -> Iterable[Metric]:
        alive = DATABASE.answers()
        yield GaugeMetricFamily("deniable_database", "1 where the database answers within a second.", float(alive))
        yield _by("deniable_status", "1 for the present status of the worker.", "status", _status())
        yield from _counted()
        yield from _of_the_machine()
        yield from _mail()
        if alive:
            yield from _stored()


def _stored() -> Iterator[Metric]:
    newest = Release.objects.values("survey").annotate(n=Max("n"))
    total = sum(row["n"] for row in newest)
    yield GaugeMetricFamily("deniable_reports_released", "Reports in the newest releases of all surveys.", total)
    states = Survey.objects.values_list("state").annotate(n=Count("pk")).order_by("state")
    yield _by("deniable_surveys", "Surveys by state.", "state", dict(states))
    missing = gauges.backup_missing(Survey.first_opened())
    yield GaugeMetricFamily("deniable_backup_missing", "1 if no backup was made in time.", float(missing))
    yield GaugeMetricFamily("deniable_surveys_failing", "Surveys whose work failed more than twice.", _failing())


def _counted() -> Iterator[Metric]:
    """Yield counts. Counts of people are in hundreds, written on the hour (surveys/operation/counts.py)."""
    known = counts.read()
    for kind, what in (("reports", "Answers to reports"), ("signatures", "Answers to requests for signatures")):
        family = CounterMetricFamily(f"deniable_{kind}", f"{what}, in hundreds, as of the hour.", labels=["outcome"])
        for outcome in ("accepted", "refused", "later", "failed"):
            family.add_metric([outcome], known.get(f"{kind} {outcome}", 0))
        yield family
    slow = CounterMetricFamily(
        "deniable_slow", "Both kinds of answers slower than so many seconds.", labels=["seconds"]
    )
    for seconds in counts.SLOW:
        slow.add_metric([str(seconds)], known.get(f"slower {seconds}", 0))
    yield slow
    starts = CounterMetricFamily("deniable_starts", "Processes that were started.", labels=["part"])
    for part in ("intake", "pages", "worker", "schedule"):
        starts.add_metric([part], known.get(f"start {part}", 0))
    yield starts
    minutes = known.get("fault minute", 0)
    yield CounterMetricFamily("deniable_fault_minutes", "Minutes of a process with faults in its log.", minutes)


def _of_the_machine() -> Iterator[Metric]:
    waiting = {queue: counts.waiting(queue) for queue in ("celery", "estimates")}
    yield _by("deniable_queue", "The order of magnitude of the tasks that wait: 0, 10, 100.", "queue", waiting)
    for name, what, value in (
        ("disk_free_ratio", "Free share of the disk with DATA_DIR.", gauges.disk_free()),
        ("memory_available_ratio", "Available share of this machine's memory.", gauges.memory_available()),
        ("certificate_days", "Days until the certificate at SITE_URL ends.", gauges.certificate_days()),
        ("backup_days", "Days since the last backup by install.sh.", gauges.backup_days()),
        ("backup_failed", "1 if the last backup failed.", float(gauges.backup_failed())),
    ):
        if value is not None:
            yield GaugeMetricFamily(f"deniable_{name}", what, value)


def _mail() -> Iterator[Metric]:
    """Yield levels of the email queue, from the machine that sends invitations (worker/mail.py)."""
    for name, what in (
        ("mail_waiting", "The order of magnitude of the emails that wait."),
        ("mail_failing", "1 where the mail server took nothing, several times."),
    ):
        if (level := counts.level(name)) is not None:
            yield GaugeMetricFamily(f"deniable_{name}", what, level)


def _status() -> dict[str, float]:
    present = heartbeat.status()
    return {status: float(status == present) for status in ("ok", "late", "behind")}


def _by(name: str, what: str, label: str, values: Mapping[str, float | None]) -> Metric:
    family = GaugeMetricFamily(name, what, labels=[label])
    for key, value in values.items():
        if value is not None:
            family.add_metric([key], value)
    return family


def _failing() -> int:
    taking = Q(tally__attempts__gt=2)
    estimating = Q(release__document__isnull=True, release__attempts__gt=2)
    return Survey.objects.filter(taking | estimating).distinct().count()
