"""A browser killed with -9 at some moment after "send": how often a second, different report reached the server.

    python -m benchmarks.killed_browser [--times 20] [--code DIRECTORY]

Each time a new profile of Chromium answers the survey of a running system and presses "send". The server gets the
report and keeps silent, or records it and drops the reply. All processes of the browser are killed, and it starts again
with the same profile. A person who is asked again answers otherwise. Status 1 if two different reports came from one
profile. --code runs the site of another checkout. Needs requirements-dev.txt.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Playwright, sync_playwright

import benchmarks.site  # noqa: F401
from tests.services.holding import FATES, Holding, holding
from tests.services.system import ROOT, EmbeddedSystem
from tests.support.kills import killed
from tests.support.respondents import Survey, open_page

DELAYS = (0.0, 0.2, 2.0, 4.0, 8.0)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--times", type=int, default=20, help="for each of the moments (default: 20)")
    options.add_argument("--code", type=Path, default=ROOT, help="the checkout whose site runs")
    chosen = options.parse_args()
    system = _system(chosen.code.resolve())
    started, different = time.monotonic(), 0
    try:
        with (
            tempfile.TemporaryDirectory() as directory,
            holding(system.port) as server,
            sync_playwright() as playwright,
        ):
            opened = open_page(system, Path(directory))
            survey = opened._replace(page=f"{server.url}/s/#{opened.slug}")
            print(f"{'killed after':>12} {'times':>6} {'resent':>7} {'asked again':>12} {'different reports':>18}")
            for delay in DELAYS:
                different += _line(playwright, server, survey, delay, chosen.times)
    finally:
        system.stop()
    seconds = time.monotonic() - started
    print(f"{different} of {len(DELAYS) * chosen.times} browsers sent two different reports; {seconds:.0f} s")
    sys.exit(1 if different else 0)


def _line(playwright: Playwright, server: Holding, survey: Survey, delay: float, times: int) -> int:
    """Print a moment's counts, and return how many browsers sent two different reports."""
    rounds = [killed(playwright, server, survey, FATES[i % len(FATES)], delay) for i in range(times)]
    different = sum(len(set(bodies)) > 1 for bodies in rounds)
    alone = sum(len(bodies) == 1 for bodies in rounds)
    print(f"{delay:>10} s {times:>6} {times - different - alone:>7} {alone:>12} {different:>18}", flush=True)
    return different


def _system(code: Path) -> EmbeddedSystem:
    class Elsewhere(EmbeddedSystem):
        def launch(self) -> None:
            self.code = code
            super().launch()

    return Elsewhere()


if __name__ == "__main__":
    main()
