"""A real Chromium, the system's own, driven by Playwright; and the node that Playwright brings along."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright._impl._driver import compute_driver_executable
from playwright.sync_api import Browser, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome")
QUIET = (  # nothing but the tests talks to the network
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
)


def chromium() -> str | None:
    """The path of the system's Chromium, or None."""
    return next(filter(None, map(shutil.which, NAMES)), None)


def node() -> Path:
    """The node of Playwright's package; JavaScript unit tests run on it."""
    return Path(compute_driver_executable()[0])


@contextmanager
def browser() -> Iterator[Browser]:
    executable = chromium()
    if executable is None:
        raise RuntimeError("Chromium is missing. On Debian: apt-get install --no-install-recommends chromium")
    sandbox = ["--no-sandbox"] if os.getuid() == 0 else []  # Chromium's sandbox refuses root
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=executable, args=[*QUIET, *sandbox])
        yield launched
        launched.close()
