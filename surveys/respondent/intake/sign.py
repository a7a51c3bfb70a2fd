"""The signing process of the intake. Each line of its input is a request, answered by a line
(surveys/respondent/intake/signer.py)."""

import json
import os
import sys

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "surveys.settings")
django.setup()

from surveys.operation import statements  # noqa: E402
from surveys.respondent.intake import signing  # noqa: E402


def main() -> None:
    os.nice(5)  # like the pages: reports come first
    statements.limit()
    for line in sys.stdin:
        slug, body = json.loads(line)
        reply = signing.guarded(slug, body.encode("latin-1"))
        print(json.dumps([reply.status, reply.body.decode(), reply.content_type, reply.headers]), flush=True)


if __name__ == "__main__":
    main()
