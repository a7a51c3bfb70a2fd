"""The completion code, and the link back to another site. The page shows both after a report was recorded.

Both are texts of the definition, so they are frozen and the same for everyone. They cannot hold a person's identifier,
which would connect the person with a report. So a link has none of the characters of other tools' placeholders ({ } [ ]
< > $ %), no #, and no name or password before its host. The page fills nothing in. It has the same rules (shape.js).
"""

import re

from django.utils.translation import gettext_noop as _

from surveys.rules.codes import Code
from surveys.rules.origins import ORIGIN
from surveys.rules.refusals import Refusals, refuse
from surveys.rules.shapes import must
from surveys.rules.unchecked import Built, Unchecked

CODE, LINK = "completion_code", "return_link"
PATTERNS = {
    CODE: r"[A-Za-z0-9_][-A-Za-z0-9_]{0,31}",
    LINK: r"(?=.{0,599}$)" + ORIGIN.pattern + r"/[-.A-Za-z0-9_/?=&]{0,400}",
}
_CODES: dict[str, Code] = {CODE: "completion_code_format", LINK: "return_link_format"}
_RULES = {
    CODE: _(
        "must have at most 32 characters, which may be letters from a to z, digits, - and _, with no - at the front"
    ),
    LINK: _(
        "must be https:// with a host in lower case, a slash, and after it at most 400 characters (599 in all), which "
        "may be letters from a to z, digits and - . _ / ? = &"
    ),
}


def build(draft: Unchecked, refusals: Refusals) -> Built:
    """Return the definition's fields that the draft has."""
    named = [name for name in PATTERNS if draft.get(name, "") != ""]
    built = {name: refusals.attempt(_fitting, name, draft[name]) for name in named}
    return {name: value for name, value in built.items() if value is not None}


def _fitting(name: str, value: object) -> object:
    if not _fits(name, value):
        raise refuse(name, _CODES[name], _RULES[name])
    return value


def _fits(name: str, value: object) -> bool:
    return isinstance(value, str) and re.fullmatch(PATTERNS[name], value) is not None


def check(data: Unchecked) -> None:
    """Raise Misshapen if a page must not show one of the fields."""
    must(all(_fits(name, data[name]) for name in PATTERNS.keys() & data.keys()))
