"""Logs that keep the site's promise: no client address, no user agent, no query, nothing of a report."""

import logging
import re
import traceback
from types import TracebackType
from typing import Any

INTAKE = re.compile(r"/api/v1/surveys/([-a-zA-Z0-9_]+)/reports")


# The addresses of respondents and of results: a line would tell when somebody answered or read.
QUIET = re.compile(r"/(s|r|api/v1/surveys)/")


class Discreet(logging.Filter):
    """Keeps reports out of the log.

    A refused request (4xx) of a respondent or a reader leaves no line at all: its time would be the time somebody
    answered. A fault of the site (5xx) on an intake path leaves the kind of the error and the lines of code it passed
    through, without its message: a database's message quotes the row it could not store.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        request = getattr(record, "request", None)
        path, refused = getattr(request, "path", ""), getattr(record, "status_code", 500) < 500
        if refused and QUIET.match(path):
            return False
        if not INTAKE.fullmatch(path):
            return True
        record.msg, record.args = "Intake failed%s", (trail(record.exc_info),)
        record.exc_info = record.exc_text = None
        return True


Error = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


def trail(error: Error | None) -> str:
    """The error's kind and where it passed, one place a line; empty without an error."""
    if not error or error[0] is None:
        return ""
    places = [f"\n  {f.filename}:{f.lineno} in {f.name}" for f in traceback.extract_tb(error[2])]
    return f": {error[0].__qualname__}{''.join(places)}"


def settings(level: str = "INFO") -> dict[str, Any]:
    """Django's LOGGING. Every handler of Django's own is replaced: one of them mails whole requests, and
    django.server writes a line with the client's request for each of them."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {"discreet": {"()": "surveys.operation.logs.Discreet"}},
        "formatters": {"line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
        "handlers": {
            "console": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["discreet"]},
            "nowhere": {"class": "logging.NullHandler"},
        },
        "root": {"handlers": ["console"], "level": level},
        "loggers": {
            "django": {"handlers": [], "level": level, "propagate": True},
            "django.server": {"handlers": ["nowhere"], "propagate": False},
            # Whoever comes by another name would fill the log with it.
            "django.security.DisallowedHost": {"handlers": ["nowhere"], "propagate": False},
        },
    }
