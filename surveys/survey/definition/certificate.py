"""Whether a definition may be asked: the page's own check (certificate.js), made before one is frozen."""

import json

from ldp import mechanisms
from ldp.forms.report import parts
from surveys.rules.shapes import must
from surveys.survey.definition import shape
from surveys.survey.definition.document import Definition


class NotCertified(RuntimeError):
    """A definition was built that no page would ask: a fault of this program, not of the draft."""


def canonical(definition: Definition) -> bytes:
    """Sorted fields, no spaces, UTF-8. UnicodeEncodeError where a text holds half a character."""
    return json.dumps(definition, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def certified(data: bytes) -> bool:
    """Whether the bytes are the canonical ones of a definition with which every answer that the page can take yields a
    report, and whose tables keep the alpha that it states; those of several questions are looked at with its shape."""
    try:
        definition = json.loads(data.decode())
        must(canonical(definition) == data)
        shape.definition(definition)
        every = range(len(definition.get("forms", [{}])))
        drawn = [part for form in every for part in parts(definition, form) if not part.joint]
        return all(mechanisms.of(part.each[0]).certified() for part in drawn)
    except (ArithmeticError, LookupError, RecursionError, TypeError, ValueError):
        return False
