"""Rules for a draw's delta and its table, whose shape depends on the mechanism."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from ldp.exact import parse_delta
from ldp.mechanisms import WITH_DELTA
from surveys.rules.shapes import exactly, must
from surveys.rules.texts import decimal
from surveys.rules.unchecked import Unchecked
from surveys.survey.mechanisms import MECHANISMS


def fields(mechanism: str) -> set[str]:
    """Return the fields that a draw with this mechanism has besides its table."""
    return {"delta"} if mechanism in WITH_DELTA else set()


def check(draw: Unchecked, questions: Sequence[Unchecked]) -> None:
    """Raise Misshapen, or a Python error, unless table and delta fit the draw's mechanism and questions."""
    mechanism, table = draw["mechanism"], draw["table"]
    if mechanism in WITH_DELTA:
        must(parse_delta(draw["delta"]) and draw["delta"] == decimal(Decimal(draw["delta"])))
    entries = MECHANISMS[mechanism].entries
    exactly(table, set(entries))
    for name, rule in entries.items():
        rule(table[name], questions)


def integers(table: Any) -> int:
    """Return how many integers a table holds."""
    if isinstance(table, dict):
        return sum(map(integers, table.values()))
    return sum(map(integers, table)) if isinstance(table, list) else 1
