"""A Chromium whose profile on the disk outlives it. It can be killed like a machine that loses power."""

import os
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path

import psutil
from playwright.sync_api import Browser, Error, Page, Playwright

from tests.services.chromium import QUIET, chromium

PATIENCE = 60.0


class Profile:
    """A Chromium with its data in `directory`; `page` is a new tab."""

    def __init__(self, playwright: Playwright, directory: Path) -> None:
        executable = chromium()
        assert executable is not None
        port_file = directory / "DevToolsActivePort"
        port_file.unlink(missing_ok=True)
        own = ["--headless=new", f"--user-data-dir={directory}", "--remote-debugging-port=0", "--no-first-run"]
        sandbox = ["--no-sandbox"] if os.getuid() == 0 else []
        self._process = subprocess.Popen(
            [executable, *own, *QUIET, *sandbox, "about:blank"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._browser: Browser = playwright.chromium.connect_over_cdp(f"http://127.0.0.1:{_port(port_file)}")
        self.page: Page = self._browser.contexts[0].new_page()

    def kill(self) -> None:
        """Kill all its processes with -9. The process that owns the storage dies first."""
        parent = psutil.Process(self._process.pid)
        for process in [parent, *parent.children(recursive=True)]:
            with suppress(psutil.NoSuchProcess):
                process.send_signal(signal.SIGKILL)
        self._process.wait()
        with suppress(Error):
            self._browser.close()

    def quit(self) -> None:
        """Close it as a person does."""
        with suppress(Error):
            self._browser.new_browser_cdp_session().send("Browser.close")
        self._process.wait(PATIENCE)
        with suppress(Error):
            self._browser.close()


def _port(file: Path) -> int:
    """Return the port of the protocol, after Chromium has written it."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        with suppress(OSError, ValueError, IndexError):
            return int(file.read_text().splitlines()[0])
        time.sleep(0.02)
    raise TimeoutError("Chromium did not start")
