"""The drafts of the demo's surveys, by their respondents."""

import json
from pathlib import Path

from surveys.rules.draft import Draft

NAMES = ("fair", "anes96")


def draft(people: str = "fair") -> Draft:
    """Return the draft of the survey for these people."""
    data: Draft = json.loads(Path(__file__).with_name(f"{people}.json").read_text(encoding="utf-8"))
    return data
