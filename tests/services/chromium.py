"""A real Chromium, the system's own, driven by Playwright; and the node that Playwright brings along.

Debian has it in a build without windows too, which is the same engine for half the processor time: most tests take that
one where it is there, in few processes and threads.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright._impl._driver import compute_driver_executable
from playwright.sync_api import Browser, Playwright, sync_playwright

PATIENCE = 120_000.0  # milliseconds for what a test waits for: a busy machine takes more than Playwright's 30 seconds
NAMES = ("chromium", "chromium-browser", "google-chrome")
WITHOUT_WINDOWS = "chromium-headless-shell"
QUIET = (  # nothing but the tests talks to the network
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
)
SPARING = (  # a new profile and a page in it take a sixth less processor time with these
    "--disable-gpu-compositing",
    "--in-process-gpu",
    "--js-flags=--single-threaded",
    "--renderer-process-limit=1",  # keeps no process ready for a page that may come
)


def chromium() -> str | None:
    """The path of the system's Chromium, or None."""
    return next(filter(None, map(shutil.which, NAMES)), None)


def node() -> Path:
    """The node of Playwright's package; JavaScript unit tests run on it."""
    return Path(compute_driver_executable()[0])


_uses: list[Playwright] = []


@contextmanager
def playwright() -> Iterator[Playwright]:
    """Playwright, of which a thread can have only one: all who use it at a time share it, and the last one ends it."""
    started = _uses[0] if _uses else sync_playwright().start()
    _uses.append(started)
    try:
        yield started
    finally:
        _uses.pop()
        if not _uses:
            started.stop()


@contextmanager
def browser(*, whole: bool = False) -> Iterator[Browser]:
    """`whole`: as people have it, windows and all."""
    executable = (None if whole else shutil.which(WITHOUT_WINDOWS)) or chromium()
    if executable is None:
        raise RuntimeError("Chromium is missing. On Debian: apt-get install --no-install-recommends chromium")
    sandbox = ["--no-sandbox"] if os.getuid() == 0 else []  # Chromium's sandbox refuses root
    arguments = [*QUIET, *sandbox] if whole else [*QUIET, *SPARING, *sandbox]
    with playwright() as started:
        launched = started.chromium.launch(executable_path=executable, args=arguments)
        launched.on("context", lambda context: context.set_default_timeout(PATIENCE))
        yield launched
        launched.close()
