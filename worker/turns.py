"""Fair turns of accounts, and of surveys within each, at scarce resources."""

import random
from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

Item = TypeVar("Item")


def in_turns(rows: Iterable[Item], *keys: Callable[[Item], Hashable]) -> list[Item]:
    """The rows in rounds: each value of the first key has one row in each round, while it has any; which row that is
    goes by the next keys in the same way. Which value comes first in all rounds is left to chance."""
    if not keys:
        return list(rows)
    groups: dict[Hashable, list[Item]] = {}
    for row in rows:
        groups.setdefault(keys[0](row), []).append(row)
    queues = [in_turns(group, *keys[1:]) for group in groups.values()]
    random.shuffle(queues)
    rounds = [(place, row) for queue in queues for place, row in enumerate(queue)]
    return [row for _, row in sorted(rounds, key=lambda each: each[0])]
