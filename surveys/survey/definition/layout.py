"""The layout of a report: its possible answers, packed to their information content.

A packed report is the bits of its draws in order: first everyone's draws, then the form's. Questions of a draw are in
order, most significant bit first, and zeros fill the last byte. Packing is one to one, so equal bytes of a form mean
equal reports.
"""

from typing import NamedTuple

from ldp.forms import definition as definitions
from ldp.forms import report
from ldp.forms.report import Part
from ldp.question import Answers
from surveys.survey.definition.document import Definition


class ReportRefused(ValueError):
    """A report breaks a rule. `field` and `rule` never repeat a sent value."""

    def __init__(self, field: str, rule: str):
        super().__init__(f"{field}: {rule}")
        self.field, self.rule = field, rule


class LayoutField(NamedTuple):
    """The place of a draw in a packed report: `width` bits from bit `start`."""

    key: str
    start: int
    width: int
    part: Part


class Layout:
    """The fields of one form of a definition. It checks and packs reports."""

    def __init__(self, definition: Definition, form: int = 0):
        fields = report.fields(definition, form)
        self.fields = [LayoutField(key_of(part), start, width, part) for part, start, width in fields]
        self._keys = {key for field in self.fields for key in field.part.keys}
        self._questions = [
            (key, packing.encode, packing.width, field.key)
            for field in self.fields
            for key, packing in zip(field.part.keys, field.part.packings, strict=True)
        ]
        self.bits = sum(field.width for field in self.fields)
        self.bytes = (self.bits + 7) // 8

    def pack(self, answers: Answers) -> bytes:
        """Return a report's answers as `self.bytes` bytes. Raise ReportRefused, which names the question and the
        rule."""
        if answers.keys() != self._keys:
            raise ReportRefused("answers", "must hold every question of the form, and nothing else")
        packed = 0
        for key, encode, width, field in self._questions:
            try:
                packed = packed << width | encode(answers[key])
            except ValueError as refusal:
                raise ReportRefused(f"answers.{field}", str(refusal)) from None
        return (packed << (8 * self.bytes - self.bits)).to_bytes(self.bytes, "big")


def key_of(part: Part) -> str:
    """Return the name of a part's totals: its keys, joined by commas, which no key has."""
    return ",".join(part.keys)


def layouts(definition: Definition) -> list[Layout]:
    """Return the layout of each form."""
    return [Layout(definition, form) for form in range(len(definitions.forms(definition)))]


def body_limit(layout: Layout) -> int:
    """Return the largest size, in bytes, of a JSON request with a report of this layout. Four bytes a bit are enough:
    a listed option has one bit and up to four characters, an item's pair [0,[1]] two bits and eight characters."""
    return 1024 + 4 * layout.bits + 64 * sum(len(field.part.keys) for field in layout.fields)
