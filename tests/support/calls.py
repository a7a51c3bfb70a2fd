"""Work counted in function calls. Other work on the machine changes seconds, but not this count."""

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any, TypeVar

T = TypeVar("T")


def calls(do: Callable[[], T]) -> tuple[int, T]:
    """Return how many Python functions one run of `do` calls in this thread, and its result."""
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
