"""Questions weighted by several margins, made by the worker's own function."""

import math
from typing import Any
from unittest import mock

from ldp.weighting.margins import from_json
from surveys.models import Raking, Release, Survey
from surveys.researcher.analyses.raking import requests
from worker import raking, reading


def raked(survey: Survey, margins: dict[str, Any]) -> Raking:
    """The newest release's, also within a transaction, of which the other connection that tells the progress would not
    know."""
    row = requests.ask(None, Release.objects.latest_of(survey), from_json(margins))
    with mock.patch.object(reading, "SAID_EVERY", math.inf):
        raking.make(row.pk)
    row.refresh_from_db()
    return row
