"""The tests that are too slow for `make test-quick`: their slowest case takes a fifth of a second of processor time.

`make slow` measures the tests that start no complete system and writes the names of the slow ones into slow.txt beside
this file. Tests that need a system, or wait more than they work, are marked by hand.
"""

import os
from collections import defaultdict
from collections.abc import Generator
from pathlib import Path

import pytest

LIST = Path(__file__).with_suffix(".txt")
LIMIT = 0.2  # seconds of processor time of the test's process and its ended children
TAKEN: dict[str, float] = defaultdict(float)


def names() -> frozenset[str]:
    return frozenset(LIST.read_text(encoding="utf-8").split())


def name(item: pytest.Item) -> str:
    """Return the test's name without its case."""
    return item.nodeid.partition("[")[0]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, bool, bool]:
    before = os.times()[:4]
    done = yield
    TAKEN[name(item)] = max(TAKEN[name(item)], sum(os.times()[:4]) - sum(before))
    return done


def pytest_sessionfinish() -> None:
    LIST.write_text("".join(f"{each}\n" for each in sorted(TAKEN) if TAKEN[each] >= LIMIT), encoding="utf-8")
