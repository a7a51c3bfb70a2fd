"""The intake as an RSGI application for granian (surveys/respondent/intake/front.py)."""

import os
import resource

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "surveys.settings")
django.setup()

from django.conf import settings  # noqa: E402

from surveys.operation import counts, statements  # noqa: E402
from surveys.respondent.intake.front import Front  # noqa: E402
from surveys.router import Router  # noqa: E402

# Every connection needs a file descriptor, and idle connections must not use all of them.
_, most = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))

statements.limit()
application = Front(Router(settings.PAGES_SOCKET).forward if settings.PAGES_SOCKET else None)
counts.count_start("intake")
