"""Waves. A survey that asks people again names the previous survey by its slug and its definition's digest.

`alpha` is the sum of the alphas of that survey and of all before it; `delta`, if present, is the sum of their deltas.
So a page can state what all reports together reveal of a person who answered all waves (M11, M39). The page has the
same rules (shape.js). Opening checks whether the previous survey exists (surveys/life/chain.py).
"""

import re
from typing import Final

from django.utils.translation import gettext_noop as _

from surveys.rules.refusals import Refusals, known_fields, refuse
from surveys.rules.shapes import exactly, must
from surveys.rules.unchecked import Built, Unchecked

FIELD: Final = "wave_of"
PATTERNS = {
    "survey": r"[A-Za-z0-9_][-A-Za-z0-9_]{0,31}",
    "digest": r"[0-9a-f]{64}",
    # The shortest notation of a positive number.
    "alpha": r"(?!0$)(?:0|[1-9][0-9]{0,5})(?:\.[0-9]{0,5}[1-9])?",
    # The same below 0.1. With a larger delta a sentence on beliefs would say nothing.
    "delta": r"0\.0[0-9]{0,10}[1-9]",
}
NEEDED = PATTERNS.keys() - {"delta"}
_RULES = {
    "survey": _("must be the slug of a survey, such as in its link"),
    "digest": _("must be the SHA-256 of that survey's definition, as 64 digits and letters from a to f"),
    "alpha": _("must be a number in its shortest notation, as text, such as “2.5”"),
    "delta": _("must be a number below 0.1 in its shortest notation, as text, such as “0.000001”"),
}


def build(draft: Unchecked, refusals: Refusals) -> Built:
    """Return the field of the definition; {} if the draft does not have it."""
    if FIELD not in draft:
        return {}
    built = refusals.attempt(_build, draft[FIELD])
    return {FIELD: built} if built else {}


def _build(wave: object) -> dict[str, str]:
    if not isinstance(wave, dict):
        raise refuse(FIELD, "not_an_object", _("must be an object"))
    refusals = Refusals()
    refusals.attempt(known_fields, wave, FIELD, set(NEEDED), set(PATTERNS))
    for name in PATTERNS.keys() & wave.keys():
        refusals.attempt(_fitting, wave[name], name)
    refusals.check()
    return dict(wave)


def _fitting(value: object, name: str) -> None:
    if not _fits(value, name):
        raise refuse(f"{FIELD}.{name}", "wave_format", _RULES[name])


def _fits(value: object, name: str) -> bool:
    return isinstance(value, str) and re.fullmatch(PATTERNS[name], value) is not None


def check(data: Unchecked) -> None:
    """Raise Misshapen unless a page may show the field."""
    if FIELD in data:
        must(isinstance(data[FIELD], dict))
        exactly(data[FIELD], NEEDED | (data[FIELD].keys() & PATTERNS.keys()))
        must(all(_fits(value, name) for name, value in data[FIELD].items()))
