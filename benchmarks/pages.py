"""The weight of the site's own pages on the wire, and how soon they can be read: `python -m benchmarks.pages`.

Nginx serves the first page, the studio and the results of a survey of ten questions, each to a new profile of Chromium.
Measured are requests, bytes with headers, and milliseconds until the page is shown, at 400 kbit/s with 40 ms to the
first byte and a processor four times slower. Needs requirements-dev.txt.
"""

import argparse
import statistics
import tempfile
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Browser

import benchmarks.site  # noqa: F401
from benchmarks.tables import table, write
from tests.services.chromium import browser
from tests.services.deployed import DeployedSystem
from tests.services.postgres import Postgres
from tests.support.builder_pages import two_designers
from tests.support.journeys import ended_survey
from tests.support.page_weight import KILOBIT, LATENCY, SLOWER, TEN, visit

REPORTS = 1000


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--times", type=int, default=5, help="visits for the median (default: 5)")
    options.add_argument("--reports", type=int, default=REPORTS, help=f"of the survey (default: {REPORTS})")
    chosen = options.parse_args()
    postgres = Postgres()
    system = DeployedSystem(postgres)
    try:
        with tempfile.TemporaryDirectory() as directory, browser(whole=True) as chromium:
            pages = list(addresses(system, Path(directory), chosen.reports))
            rows = [[name, *measured(chromium, *page, chosen.times)] for name, *page in pages]
            speed = f"{KILOBIT} kbit/s, {LATENCY} ms, processor {SLOWER} times slower"
            titles = ["page", "requests", "bytes", f"can be read at {speed}"]
            write("pages", "What the site's pages weigh", table(titles, rows))
    finally:
        system.stop()
        postgres.stop()


def addresses(system: DeployedSystem, directory: Path, reports: int) -> Iterator[tuple[str, str, str]]:
    """Yield the name, address and session of each page. The studio has a separate host."""
    (session, _), (number,) = two_designers(system, [TEN])
    studio = f"https://staff.localhost:{system.nginx.port}/surveys/"
    results = f"{system.url}/r/{ended_survey(system, directory, reports, TEN)}/"
    yield "home", f"{system.url}/", ""
    yield "lab", f"{system.url}/lab/", ""
    yield "results", results, ""
    yield "downloads", f"{results}downloads/", ""
    yield "surveys", studio, session
    yield "builder", f"{studio}{number}/questions/", session
    yield "privacy", f"{studio}{number}/alpha/", session


def measured(chromium: Browser, address: str, session: str, times: int) -> list[object]:
    wire = visit(chromium, address, "footer", session=session).wire
    slow = statistics.median(visit(chromium, address, "footer", True, session).usable for _ in range(times))
    return [len(wire), sum(wire.values()), f"{slow:.0f} ms"]


if __name__ == "__main__":
    main()
