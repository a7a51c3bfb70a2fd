"""Whether a question's table has the shape of its mechanism, and what a question says beside it."""

from decimal import Decimal
from typing import Any

from ldp.exact import parse_delta
from ldp.mechanisms import WITH_DELTA
from surveys.rules.shapes import exactly, must
from surveys.rules.texts import decimal
from surveys.rules.unchecked import Unchecked
from surveys.survey.mechanisms import MECHANISMS


def fields(mechanism: str) -> set[str]:
    """What a question of this mechanism has beside its table."""
    return {"delta"} if mechanism in WITH_DELTA else set()


def check(question: Unchecked) -> None:
    """Misshapen, or a Python error, where the table or the delta is none of the question's mechanism."""
    mechanism, table = question["mechanism"], question["table"]
    if mechanism in WITH_DELTA:
        must(parse_delta(question["delta"]) and question["delta"] == decimal(Decimal(question["delta"])))
    entries = MECHANISMS[mechanism].entries
    exactly(table, set(entries))
    for name, rule in entries.items():
        rule(table[name], question)


def integers(table: Any) -> int:
    """How many integers a table holds."""
    if isinstance(table, dict):
        return sum(map(integers, table.values()))
    return sum(map(integers, table)) if isinstance(table, list) else 1
