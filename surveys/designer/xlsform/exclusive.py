"""The exclusive option of a multiple choice, from the constraint of a form's question."""

import re
from collections.abc import Sequence

from surveys.designer.xlsform.rows import XlsformRow

_SELECTED, _COUNT = r"selected\(\.,'([^'\s]+)'\)", r"count-selected\(\.\)"
# Without spaces: not (selected and more than one), or: not selected, or just one.
_FORMS = (
    rf"not\({_SELECTED}and{_COUNT}(?:>1|>=2|!=1)\)",
    rf"not\({_COUNT}(?:>1|>=2|!=1)and{_SELECTED}\)",
    rf"not\({_SELECTED}\)or{_COUNT}(?:=1|<2|<=1)",
    rf"{_COUNT}(?:=1|<2|<=1)ornot\({_SELECTED}\)",
)


def constraint(code: str) -> str:
    return f"not(selected(., '{code}') and count-selected(.) > 1)"


def place(row: XlsformRow, codes: Sequence[Sequence[str]]) -> int | None:
    """Return the position of the exclusive option among options with these codes; None for any other constraint."""
    text = re.sub(r"\s+", "", str(row.get("bind", {}).get("constraint", ""))).replace('"', "'")
    code = next((match[1] for form in _FORMS if (match := re.fullmatch(form, text))), None)
    return next((i for i, listed in enumerate(codes) if code in listed), None)
