"""A survey's life on a running system, over HTTP and with the README's commands."""

import json
import re
import time
import urllib.error
import urllib.request
from email.message import Message
from pathlib import Path
from typing import Any

from tests.services.state import state
from tests.services.system import PATIENCE, System


def request(url: str, body: str | None = None, method: str | None = None) -> tuple[int, Message, bytes]:
    """Return (status, headers, body) of a request, even of a refused one."""
    headers = {"Content-Type": "application/json"} if body is not None else {}
    data = body.encode() if body is not None else None
    asked = urllib.request.Request(url, data, headers, method=method)
    try:
        with urllib.request.urlopen(asked, timeout=PATIENCE) as response:
            return response.status, response.headers, response.read()
    except urllib.error.HTTPError as refusal:
        return refusal.code, refusal.headers, refusal.read()


# One process runs both commands: Django takes most of a second to start.
OPEN = """
import re
from io import StringIO
from django.contrib.auth.models import User
from django.core.management import call_command
User.objects.get_or_create(username="drafter")
said = StringIO()
call_command("survey", "draft", *{arguments!r}, "--owner", "drafter", stdout=said)
call_command("survey", "open", re.search(r"Draft (\\d+)", said.getvalue())[1])
"""


def open_survey(system: System, directory: Path, *options: str, draft: dict[str, Any] | None = None) -> str:
    """Open a survey with the README's commands, from a file in the directory. Return its slug."""
    if draft is None:  # the factories need Django; a benchmark runs without it
        from tests.support.factories import DRAFT as draft
    file = directory / "draft.json"
    file.write_text(json.dumps(draft), encoding="utf-8")
    said = system.manage("shell", "-c", OPEN.format(arguments=[str(file), "--publish-results", *options]))
    opened = re.search(r"/s/#(\w{27})", said)
    assert opened is not None
    return opened[1]


def ended_survey(system: System, directory: Path, reports: int, draft: dict[str, Any]) -> str:
    """Return the slug of a survey that ended at this number of reports, with published results."""
    slug = open_survey(system, directory, "--closes-after", str(reports), draft=draft)
    system.manage("load", "--reports", str(reports), "--threads", "4", "--twice", "0", "--", slug)
    published(system, slug, lambda document: document["final"])
    return slug


def published(system: System, slug: str, accept: Any, seconds: float = PATIENCE) -> dict[str, Any]:
    """Wait for estimates that `accept` accepts, and return them."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        status, _, body = request(f"{system.url}/api/v1/surveys/{slug}/estimates")
        if status == 200 and accept(document := json.loads(body)):
            return dict(document)
        system.start_what_ended()  # a worker may end some time after its broker ended
        time.sleep(0.2)
    raise AssertionError(f"the estimates did not come: {status} {body[:500]!r}\n{state(system)}\n{system.logs(8)}")
