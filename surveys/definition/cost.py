"""What a definition costs those who compute with it, bounded when the draft is accepted (P12)."""

from typing import Any

from surveys.definition.refusals import refuse

# About 400 kB: every respondent's browser loads the tables and proves what they keep.
TABLES_MAX = 24_000


def check(questions: list[dict[str, Any]]) -> None:
    """DraftRefused where the tables of a definition's questions are too large together."""
    integers = 0
    for i, question in enumerate(questions):
        integers += _integers(question["table"])
        if integers > TABLES_MAX:
            rule = f"needs a table that brings the survey's beyond {TABLES_MAX} integers; ask fewer such questions"
            raise refuse(f"questions[{i}]", rule)


def _integers(table: Any) -> int:
    if isinstance(table, dict):
        return sum(_integers(value) for value in table.values())
    return sum(_integers(value) for value in table) if isinstance(table, list) else 1
