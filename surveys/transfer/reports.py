"""Check the reports of a survey: a browser can have sent each, and together they give the tally."""

import numpy as np

from ldp.blocks import decode
from ldp.forms.definition import forms
from ldp.kernels import Rows
from ldp.packing import DrawPacking
from surveys.life import summing
from surveys.models import Block, Survey, Tally
from surveys.models.tally import FormCount, nothing
from surveys.rules.typed import fits
from surveys.survey.definition.layout import Layout
from surveys.transfer.rules import must


def check(survey: Survey) -> None:
    count, tally = len(forms(survey.definition)), Tally.objects.filter(survey=survey).first()
    must(tally is not None, "tally", "is missing")
    assert tally is not None
    must(are_counts(tally.tallies, count), "tally.tallies", "must be n and totals of each form")
    must(tally.held == nothing(count), "tally.held", "must be nothing, as of every survey that has ended")
    must(_summed(survey, count) == tally.tallies, "tally.tallies", "must be the sum of the reports in the blocks")
    must((tally.fewer_than is not None) == (tally.n == 0), "tally.fewer_than", "must be there if and only if n is 0")


def are_counts(counts: object, forms: int) -> bool:
    return fits(counts, list[FormCount]) and len(counts) == forms and all(each["n"] >= 0 for each in counts)  # type: ignore[arg-type, attr-defined]


def _summed(survey: Survey, count: int) -> list[FormCount]:
    """Return the counts of each form from the blocks. Raise BrokenField if a block lacks reports of its form."""
    whole, known = nothing(count), [_Reports(survey, form) for form in range(count)]
    for block in Block.objects.filter(survey=survey).order_by("pk").iterator(chunk_size=1):
        must(block.stage == Block.Stage.RELEASED, "block.stage", "must be “released”")
        must(block.form < count, "block.form", "must be a form of the definition")
        rows = known[block.form].checked(block)
        summing.add(whole[block.form], summing.counted(survey, block.form, rows))
    return whole


class _Reports:
    """A check of a form's packed reports. It remembers valid values."""

    def __init__(self, survey: Survey, form: int) -> None:
        self._layout = Layout(survey.definition, form)
        self._met: list[set[int]] = [set() for _ in self._layout.fields]

    def checked(self, block: Block) -> Rows:
        """Return the rows of a block, shape (n, bytes). Raise BrokenField unless they are reports of the form."""
        rows = decode(bytes(block.columns))
        shaped = rows.shape == (block.n, self._layout.bytes) and block.n > 0
        must(shaped, "block.columns", "must hold as many reports as block.n says, of the definition's length")
        whole = all(self._is_report(int.from_bytes(row.tobytes(), "big")) for row in np.unique(rows, axis=0))
        must(whole, "block.columns", "must hold reports that a browser can have sent")
        return rows

    def _is_report(self, packed: int) -> bool:
        filled = 8 * self._layout.bytes - self._layout.bits
        if packed & ((1 << filled) - 1):
            return False
        packed >>= filled
        for field, met in zip(reversed(self._layout.fields), reversed(self._met), strict=True):
            code, packed = packed & ((1 << field.width) - 1), packed >> field.width
            if code not in met:
                if not _is_code(field.part.packing, code):
                    return False
                met.add(code)
        return True


def _is_code(packing: DrawPacking, code: int) -> bool:
    """Return whether a code represents a value."""
    try:
        return packing.encode(packing.decode(code)) == code
    except (ValueError, LookupError, ArithmeticError):
        return False
