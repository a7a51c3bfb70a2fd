"""Process logs that keep the site's promise. They contain no IP address, user agent or query, nothing from a report,
and no time of a visit."""

import logging
import re
from typing import Any

from surveys.operation.faults import FAULTS

# URLs for reports: of API clients, and of the respondents' page, which does not name the survey.
INTAKE = re.compile(r"/api/v1/surveys/([-a-zA-Z0-9_]+)/reports|/respond/reports")
# The URL for both, encrypted, through a relay.
GATEWAY = "/.well-known/ohttp-gateway"
# URLs for signatures of invitations, of both.
SIGNING = re.compile(r"/api/v1/surveys/([-a-zA-Z0-9_]+)/signature|/respond/signature")


# The respondents' page. It is served for any rest of the path, because mail gateways and people change links. The rest
# may name the survey and the person.
QUESTIONS = re.compile(r"/+[sS]\b")
# Paths that may be logged: pages of staff, in plain parts shorter than a survey's link. Any other path could be a
# survey's or a result's, perhaps mistyped, and its line would reveal the time of a visit.
LOUD = re.compile(
    r"/|/(alive|healthz|status|metrics)|/(account|admin|surveys|lab|api/v1/studio)(/[-_a-zA-Z0-9][-_.a-zA-Z0-9]{0,18})*/?"
    r"|/api(/|/v1/[-a-z]+)?",
    re.ASCII,
)


class Discreet(logging.Filter):
    """Keep reports and visits out of the log; docs/deploy/nginx.conf has the same rule.

    A refused (4xx) or delayed (503) request of a respondent or reader is not logged, because its time would be the time
    of an answer. A fault of the site (5xx) is counted with the others of its minute, and logged with the kind of the
    error and the lines of code.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        request = getattr(record, "request", None)
        path, status = getattr(request, "path", "/"), getattr(record, "status_code", 500)
        if LOUD.fullmatch(path):
            return True
        if status >= 500 and status != 503:
            FAULTS.add("Intake failed" if INTAKE.fullmatch(path) else "Page failed", record.exc_info or NO_ERROR)
        return False


NO_ERROR = (None, None, None)


class Tasks(logging.Filter):
    """Count failed tasks with the other faults of their minute. While a database is away every sweep fails, and an
    error's message may quote a row."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno < logging.ERROR:
            return True
        FAULTS.add(
            f"Task {getattr(record, 'data', {}).get('name', 'of the worker')} failed", record.exc_info or NO_ERROR
        )
        return False


def settings(level: str = "INFO") -> dict[str, Any]:
    """Return Django's LOGGING without Django's handlers. One of those emails whole requests, and django.server logs
    every request."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {
            "discreet": {"()": "surveys.operation.logging.Discreet"},
            "tasks": {"()": "surveys.operation.logging.Tasks"},
        },
        "formatters": {"line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
        "handlers": {
            "console": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["discreet"]},
            "nowhere": {"class": "logging.NullHandler"},
        },
        "root": {"handlers": ["console"], "level": level},
        "loggers": {
            "django": {"handlers": [], "level": level, "propagate": True},
            "django.server": {"handlers": ["nowhere"], "propagate": False},
            # INFO would log the begin and end of a task every second.
            "celery": {"level": "WARNING"},
            "celery.app.trace": {"filters": ["tasks"]},
            # INFO would log every font of a PDF.
            "fontTools": {"level": "WARNING"},
            # WARNING quotes letters that no font has, perhaps from a name.
            "fpdf": {"level": "ERROR"},
            # Requests with other Host headers would fill the log.
            "django.security.DisallowedHost": {"handlers": ["nowhere"], "propagate": False},
        },
    }
