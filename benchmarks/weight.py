"""The weight of the respondents' page on the wire and how soon it can be used, against its limits.

    python -m benchmarks.weight [--times 5]

An embedded system serves a survey of ten questions with ten mechanisms to a new profile of Chromium each time.
Measured: the bytes of all answers, without and with headers, also in another language, by invitation and through a
relay; milliseconds until the questions are on the screen, at 400 kbit/s with 40 ms to the first byte and a processor
four times slower; and milliseconds to draw a report of 200 questions. Needs requirements-dev.txt.
"""

import argparse
import statistics
import tempfile
from pathlib import Path

from playwright.sync_api import Browser

import benchmarks.site  # noqa: F401
from benchmarks.tables import table, write
from surveys.survey import definition as definitions
from tests.services.chromium import browser
from tests.services.system import EmbeddedSystem
from tests.support.invited_page import invitations, invited_survey
from tests.support.page_weight import KILOBIT, LATENCY, SLOWER, TEN, drawing, two_hundred, weigh
from tests.support.respondents import open_page

RELAY = "https://relay.example.org"
LIMITS = {"bytes": 33_000, "usable": 1500, "drawn": 10}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--times", type=int, default=5, help="visits for the median (default: 5)")
    times = options.parse_args().times
    system = EmbeddedSystem(RELAYS=RELAY)
    try:
        with tempfile.TemporaryDirectory() as directory, browser(whole=True) as chromium:
            write("weight", "What the respondents' page weighs", measured(system, Path(directory), chromium, times))
    finally:
        system.stop()


def measured(system: EmbeddedSystem, directory: Path, chromium: Browser, times: int) -> list[str]:
    survey = open_page(system, directory, TEN)
    weight = weigh(chromium, survey.page)
    names = {address: address.removeprefix(system.url).partition("#")[0] for address in weight.wire}
    rows = [[names[address], weight.bodies[address], count] for address, count in weight.wire.items()]
    bodies, wire = sum(weight.bodies.values()), sum(weight.wire.values())
    invited = weigh(chromium, next(invitations(system, invited_survey(system, directory, TEN), 1)).page).bodies
    relayed = weigh(chromium, open_page(system, directory, TEN | {"relay": RELAY}).page).bodies
    german = open_page(system, directory, TEN | {"language": "de"}).page + "/de"
    in_german = weigh(chromium, german).bodies
    slow, slow_german = (
        statistics.median(weigh(chromium, page, slow=True).usable for _ in range(times))
        for page in (survey.page, german)
    )
    page = chromium.new_page()
    page.goto(survey.page)
    first, median = drawing(page, definitions.build(two_hundred()))
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    throttled = drawing(page, definitions.build(two_hundred()))[1]
    page.close()
    return [
        *table(["answer", "bytes, compressed", "with headers"], [*rows, ["together", bodies, wire]]),
        "",
        *table(
            ["measured", "value", "limit"],
            [
                ["requests", len(rows), ""],
                ["bytes, compressed", bodies, LIMITS["bytes"]],
                ["requests of a survey in German", len(in_german), ""],
                ["bytes of a survey in German", sum(in_german.values()), ""],
                ["requests of a survey by invitation", len(invited), ""],
                ["bytes of a survey by invitation", sum(invited.values()), ""],
                ["requests of a survey through a relay", len(relayed), ""],
                ["bytes of a survey through a relay", sum(relayed.values()), ""],
                [f"usable at {KILOBIT} kbit/s, {LATENCY} ms, processor {SLOWER} times slower", f"{slow:.0f} ms",
                 f"{LIMITS['usable']} ms"],
                ["the same in German", f"{slow_german:.0f} ms", ""],
                ["report of 200 questions, the first of a page", f"{first:.1f} ms", ""],
                ["report of 200 questions", f"{median:.1f} ms", f"{LIMITS['drawn']} ms"],
                [f"the same, processor {SLOWER} times slower", f"{throttled:.1f} ms", ""],
            ],
        ),
    ]  # fmt: skip


if __name__ == "__main__":
    main()
