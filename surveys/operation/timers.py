"""Timers: a function that runs later in a thread."""

import threading
from collections.abc import Callable

Later = Callable[[float, Callable[[], None]], None]


def later(seconds: float, act: Callable[[], None]) -> None:
    timer = threading.Timer(seconds, act)
    timer.daemon = True
    timer.start()
