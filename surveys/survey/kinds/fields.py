"""The fields that a draft's question has beside those of every kind: what a designer reads, what may stand there."""

from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from surveys.rules.draft_schema import Schema, different, number, says, text
from surveys.rules.limits import CATEGORIES_MAX, OPTION_MAX, UNIT_MAX
from surveys.rules.texts import PREFER_NOT_TO_SAY


class Own(NamedTuple):
    """A field, as in surveys.drafts.fields. `missing` is said while it is empty, or a list of fewer than `least`."""

    name: str
    label: Promise
    schema: Schema
    help: Promise | str = ""
    widget: str = "line"
    needed: bool = False
    whole: bool = False
    expert: bool = False
    rows: int = 2
    entered: str = ""
    missing: Promise | str = ""
    least: int = 2


OPTIONS = Own(
    "options",
    _("Options"),
    different(text(OPTION_MAX) | {"not": {"const": PREFER_NOT_TO_SAY}}, CATEGORIES_MAX),
    _("One on each line. A list can be pasted."),
    widget="lines",
    needed=True,
    rows=5,
    missing=_("Write at least two options, one on each line."),
)
SCALE = OPTIONS._replace(help=_("One on each line, from one end of the scale to the other."))
SAMPLE = Own(
    "sample",
    _("Reported on"),
    {"type": "integer", "minimum": 1, "maximum": CATEGORIES_MAX} | says("How many a report is about."),
    _("About how many a browser reports, drawn by chance. Empty: 1."),
    whole=True,
    expert=True,
)
UNIT = Own("unit", _("Unit"), text(UNIT_MAX, empty=True), _("Such as years or hours. May stay empty."))


def end(name: str, label: Promise, description: str, help: Promise, missing: Promise) -> Own:
    """One end of the range of a number."""
    schema = number() | says(description)
    return Own(name, label, schema, help, needed=True, entered="number", missing=missing)
