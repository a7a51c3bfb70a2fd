"""Fair turns of accounts, and of surveys within an account, at scarce resources."""

import random
from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

Item = TypeVar("Item")


def in_turns(rows: Iterable[Item], *keys: Callable[[Item], Hashable]) -> list[Item]:
    """Return the rows in rounds. In each round every value of the first key has one row, while it has any left. The
    next keys choose this row in the same way. The order of the values within a round is random."""
    if not keys:
        return list(rows)
    groups: dict[Hashable, list[Item]] = {}
    for row in rows:
        groups.setdefault(keys[0](row), []).append(row)
    queues = [in_turns(group, *keys[1:]) for group in groups.values()]
    random.shuffle(queues)
    rounds = [(place, row) for queue in queues for place, row in enumerate(queue)]
    return [row for _, row in sorted(rounds, key=lambda each: each[0])]
