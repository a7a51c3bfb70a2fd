"""The types of a form's rows: the kind of question for each, or the reason for none."""

import re
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

XlsformRow = dict[str, Any]  # a row of a spreadsheet with the rows inside it, in pyxform's shape

SELECT_ONE, SELECT_MULTIPLE = "select one", "select all that apply"
NUMBERS = {"integer", "decimal", "range", "percentage"}
NUMBERS |= {f"number of days in last {time}" for time in ("month", "six months", "year")}
DATE, RANK = "date", "rank"
GROUPS = {"group", "repeat", "loop"}
ACKNOWLEDGE = {"acknowledge", "trigger"}
# The groups that writer.py makes from a survey's forms. A form may have several.
FORM_NAME, FORM_LABEL = re.compile(r"form_([0-9]+)(?:_[0-9]+)?", re.ASCII), "Form {}"

_OTHER_NAMES = {
    "int": "integer",
    "string": "text",
    "picture": "photo",
    "image": "photo",
    "select": SELECT_MULTIPLE,
    "select1": SELECT_ONE,
    "select multiple from": SELECT_MULTIPLE,
    "select multiple using": SELECT_MULTIPLE,
    "select one using": SELECT_ONE,
}
_WORDS_AROUND = re.compile(r"^(?:q|get|add) | prompt$")

_TEXT = _(
    "Free text. People are known by their own words, and words cannot be randomized. Offer answers as options instead."
)
_TIME = _("Times of day. Ask for the date alone, or for the hour as a number.")
_PLACE = _("Places. A point on a map can be one household. Offer regions as options instead.")
_FILE = _("Pictures, sound, films and other files. They cannot be randomized.")
_CODE = _("Barcodes. They name one thing or person and cannot be randomized.")
_WHO = _("What a device would record by itself: when, where, on which device, whose. None of it is collected here.")
_CALCULATED = _(
    "Calculations and hidden values. Each answer is randomized for itself, so nothing is computed from several."
)
_DATA = _("Data from other files.")

LISTED_ELSEWHERE = _(
    "Questions whose options are in another file, in the sheet external_choices or among earlier answers. "
    "Enter the options here."
)
LOOP = _("Questions repeated for each entry of a list. A grid asks the same of several things.")

_FAMILIES: dict[Promise, tuple[str, ...]] = {
    _TEXT: ("text",),
    _TIME: ("time", "dateTime", "datetime", "date time"),
    _PLACE: ("geopoint", "geotrace", "geoshape", "gps", "location", "osm", "binary"),
    _FILE: ("photo", "audio", "video", "file", "background-audio"),
    _CODE: ("barcode",),
    _CALCULATED: ("calculate", "hidden"),
    _DATA: ("xml-external", "csv-external"),
    LISTED_ELSEWHERE: ("select one external",),
    _WHO: (
        *("start", "end", "today", "start time", "end time", "deviceid", "device id", "imei", "username", "email"),
        *("phonenumber", "phone number", "simserial", "sim id", "subscriberid", "subscriber id", "audit"),
        *("uri:deviceid", "uri:username", "uri:email", "uri:phonenumber", "uri:simserial", "uri:subscriberid"),
        *("start-geopoint", "background-geopoint"),
    ),
}
_REASONS = {name: reason for reason, names in _FAMILIES.items() for name in names}


def canonical(name: str) -> str:
    """Return a type's present name. Old forms have `add integer prompt` or `q int`."""
    short = _WORDS_AROUND.sub("", _WORDS_AROUND.sub("", name))
    return _OTHER_NAMES.get(short, short)


def form_number(row: XlsformRow) -> str:
    """Return the number of the form that this group belongs to; "" if the group is no form."""
    name, label = FORM_NAME.fullmatch(row["name"]), row.get("label")
    labels = label.values() if isinstance(label, dict) else [label]
    is_form = name and canonical(row["type"]) == "group" and set(labels) == {FORM_LABEL.format(name[1])}
    return name[1] if name and is_form else ""


def why_left_out(kind: str) -> Promise | str:
    """Return the reason why a row of this type becomes no question."""
    return _REASONS.get(kind) or str(_("Rows of the type %(type)s, which is not known here.")) % {"type": kind}
