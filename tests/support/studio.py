"""A designer on a running system: their draft, and the cookie of their session."""

import json
from typing import Any

from tests.services.system import System

BEGIN = """
import json
from django.contrib.auth.models import User
from django.test import Client
from surveys.life.lifecycle import begin_draft
user, _ = User.objects.get_or_create(username="designer")
client = Client()
client.force_login(user)
(name, cookie), = client.cookies.items()
print("begun", json.dumps([begin_draft(user, json.loads({draft!r})).pk, name, cookie.value]))
"""


def begun_draft(system: System, draft: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    """Begin a draft. Return its number and the designer's cookie in Playwright's form."""
    said = system.manage("shell", "-c", BEGIN.format(draft=json.dumps(draft)))
    number, name, value = json.loads(said.partition("begun ")[2])
    return number, {"name": name, "value": value, "url": system.url, "httpOnly": True}
