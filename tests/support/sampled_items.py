"""What the mechanisms that draw some of several items share (M9)."""

from typing import Any

from tests.support.draws import Draw, dealt, moved, shifted, shuffle


def item_draws(ends: int, table: Any, answer: Any) -> list[Draw]:
    choices = [Draw([], len(answer) - i) for i in range(table["sample"])]
    return choices + [Draw([k * table["other"] for k in range(1, ends)])] * table["sample"]


def stated_items(ends: int, table: Any, answer: Any, u: list[int]) -> list[list[int]]:
    sample = table["sample"]
    items = sorted(dealt(list(range(len(answer))), u[:sample]))
    return [[item, shifted(int(answer[item]), ends, table, v)] for item, v in zip(items, u[sample:], strict=True)]


def forced_items(ends: int, table: Any, answer: Any, reported: Any) -> list[int]:
    chosen = shuffle(len(answer), [item for item, _ in reported])
    return chosen + [moved(ends, table["other"], int(answer[item]), value)[0] for item, value in reported]
