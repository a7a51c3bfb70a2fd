"""Work in calls of functions, which no other work on the machine changes, as it changes seconds."""

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any, TypeVar

T = TypeVar("T")


def calls(do: Callable[[], T]) -> tuple[int, T]:
    """How many functions of Python one run of it calls in this thread, and what comes of it."""
    count = 0

    def counted(_frame: FrameType, event: str, _argument: Any) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(counted)
    try:
        result = do()
    finally:
        sys.setprofile(None)
    return count, result
