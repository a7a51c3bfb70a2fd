"""The page's check of a definition (certificate.js), made before the definition is frozen."""

import json

from ldp import mechanisms
from ldp.forms.report import parts
from surveys.rules.shapes import must
from surveys.survey.definition import shape
from surveys.survey.definition.document import Definition


class NotCertified(RuntimeError):
    """A built definition that no page would accept: a fault of this program, not of the draft."""


def canonical(definition: Definition) -> bytes:
    """Return the canonical bytes: sorted fields, no spaces, UTF-8. Raise UnicodeEncodeError for half of a surrogate
    pair."""
    return json.dumps(definition, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def certified(data: bytes) -> bool:
    """Return whether the bytes are canonical, every possible answer yields a report, and the tables satisfy the stated
    alpha. Tables of several questions are checked with the definition's shape."""
    try:
        definition = json.loads(data.decode())
        must(canonical(definition) == data)
        shape.definition(definition)
        every = range(len(definition.get("forms", [{}])))
        drawn = [part for form in every for part in parts(definition, form) if not part.joint]
        return all(mechanisms.of(part.drawn[0]).certified() for part in drawn)
    except (ArithmeticError, LookupError, RecursionError, TypeError, ValueError):
        return False
