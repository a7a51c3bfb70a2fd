"""The parts that all mechanisms share if they draw some of several items (M9)."""

from typing import Any

from tests.support.draws import Draw, dealt, listed, listing, of_lists, shuffle


def together(d: int, table: Any) -> tuple[list[int], Any]:
    """Return the number of options of each drawn item, and the table that randomizes the items together."""
    sample = table["sample"]
    return [d] * sample, {"keep": table["keep"], "sizes": [table.get("size", 1)] * sample}


def item_draws(d: int, table: Any, answer: Any) -> list[Draw]:
    return [*(Draw([], len(answer) - i) for i in range(table["sample"])), *of_lists(*together(d, table))]


def stated_items(d: int, table: Any, answer: Any, u: list[int]) -> list[Any]:
    sample = table["sample"]
    items = sorted(dealt(list(range(len(answer))), u[:sample]))
    lists = listed([int(answer[item]) for item in items], *together(d, table), u[sample:])
    return [[item, options] for item, options in zip(items, lists, strict=True)]


def forced_items(d: int, table: Any, answer: Any, reported: Any) -> list[int]:
    items = [item for item, _ in reported]
    counts, _ = together(d, table)
    lists = [options for _, options in reported]
    return [*shuffle(len(answer), items), *listing([int(answer[item]) for item in items], counts, lists)]
