"""The intake as an RSGI application, for granian: see surveys/intake/front.py."""

import os
import resource

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "surveys.settings")
django.setup()

from surveys.intake.front import Front  # noqa: E402
from surveys.operation import counts, statements  # noqa: E402

# Every connection is a file. Idle ones must not use up those of whoever has something to say.
_, most = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))

statements.limit()
application = Front()
counts.count_start("intake")
