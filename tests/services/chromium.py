"""The system's real Chromium, driven by Playwright, and Playwright's node.

Debian also has a build without windows: the same engine for half the processor time. Most tests use that build if it is
installed, with few processes and threads.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright._impl._driver import compute_driver_executable
from playwright.sync_api import Browser, Playwright, sync_playwright

PATIENCE = 120_000.0  # ms that a test waits: a busy machine takes more than Playwright's 30 seconds
NAMES = ("chromium", "chromium-browser", "google-chrome")
WITHOUT_WINDOWS = "chromium-headless-shell"
QUIET = (  # only the tests use the network
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
)
SPARING = (  # these options save a sixth of the processor time of a new profile with a page
    "--disable-gpu-compositing",
    "--in-process-gpu",
    "--js-flags=--single-threaded",
    "--renderer-process-limit=1",  # no spare process for a later page
)


def chromium() -> str | None:
    """Return the path of the system's Chromium, or None."""
    return next(filter(None, map(shutil.which, NAMES)), None)


def node() -> Path:
    """Return the path of Playwright's node, which runs JavaScript unit tests."""
    return Path(compute_driver_executable()[0])


_uses: list[Playwright] = []


@contextmanager
def playwright() -> Iterator[Playwright]:
    """Yield Playwright. A thread can have only one, so all users share it and the last one ends it."""
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
    """Yield a Chromium. If `whole`, it is the build that people use, with windows."""
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
