"""Logs that keep the site's promise: no client address, no user agent, no query, nothing of a report, no moment of a
visit."""

import logging
import re
from typing import Any

from surveys.operation.faults import FAULTS

# Where reports are sent: by programs, and by the respondents' page, which names the survey in no address.
INTAKE = re.compile(r"/api/v1/surveys/([-a-zA-Z0-9_]+)/reports|/respond/reports")
# Where both come sealed, through a relay.
GATEWAY = "/.well-known/ohttp-gateway"
# Where invitations are signed for, by both in the same way.
SIGNING = re.compile(r"/api/v1/surveys/([-a-zA-Z0-9_]+)/signature|/respond/signature")


# The respondents' page, which is served whatever mail gateways and people made of the rest of its link: where that came
# into the address, it names the survey and the person.
QUESTIONS = re.compile(r"/+[sS]\b")
# What may leave a line: pages of staff, in plain parts that are shorter than a survey's link. Any other path could be
# that of a survey or of results, or somebody's try to write one, and its line would tell when somebody came.
LOUD = re.compile(
    r"/|/(alive|healthz|status|metrics)|/(account|admin|surveys|lab|api/v1/studio)(/[-_a-zA-Z0-9][-_.a-zA-Z0-9]{0,18})*/?"
    r"|/api(/|/v1/[-a-z]+)?",
    re.ASCII,
)


class Discreet(logging.Filter):
    """Keeps reports and visits out of the log; docs/deploy/nginx.conf has the same rule.

    A refused request (4xx) of a respondent or a reader, or one who is to come again (503), leaves no line at all: its
    time would be the time somebody answered. A fault of the site (5xx) that one of them meets is counted with the
    others of its minute, and leaves the kind of the error and the lines of code it passed through.
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
    """Counts what Celery says of a task that failed with the other faults of its minute: while a database is away every
    sweep fails, and the message of an error may quote a row."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno < logging.ERROR:
            return True
        FAULTS.add(
            f"Task {getattr(record, 'data', {}).get('name', 'of the worker')} failed", record.exc_info or NO_ERROR
        )
        return False


def settings(level: str = "INFO") -> dict[str, Any]:
    """Django's LOGGING. Every handler of Django's own is replaced: one of them mails whole requests, and
    django.server writes a line with the client's request for each of them."""
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
            # That each task begins and ends it would say every second.
            "celery": {"level": "WARNING"},
            "celery.app.trace": {"filters": ["tasks"]},
            # It tells of every font that a PDF takes glyphs of.
            "fontTools": {"level": "WARNING"},
            # It quotes letters that no font has, which may be of somebody's name.
            "fpdf": {"level": "ERROR"},
            # Whoever comes by another name would fill the log with it.
            "django.security.DisallowedHost": {"handlers": ["nowhere"], "propagate": False},
        },
    }
