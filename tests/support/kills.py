"""A browser that is killed with -9 some time after "send", while the server does not answer, and then started again.

At most one report of a person may reach the server: a second one would reveal more than the first may reveal. If
nothing was sent, the page asks again. The person then gives other answers, and theirs is the only report.
"""

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, Playwright

from tests.services.holding import Holding
from tests.services.profile import PATIENCE, Profile
from tests.support.respondents import ANSWERS, Survey, Visit

SEND = """[...document.querySelectorAll("button")].find((one) => one.textContent.startsWith("Send")).click()"""


def killed(
    playwright: Playwright,
    server: Holding,
    survey: Survey,
    fate: str,
    delay: float | None,
    prepare: Callable[[Page], None] = lambda page: None,
) -> list[bytes]:
    """Return all reports that reached the server. The browser is killed `delay` seconds after "send" or, without a
    delay, when the server has a report."""
    server.bodies.clear()
    with tempfile.TemporaryDirectory(prefix="deniable-profile-", ignore_cleanup_errors=True) as directory:
        profile = Profile(playwright, Path(directory))
        prepare(profile.page)
        visit = Visit(profile.page, survey).load().answer()
        server.fate = fate
        pressed = time.monotonic()
        profile.page.evaluate(SEND)
        while delay is None and not server.bodies and time.monotonic() < pressed + PATIENCE:
            time.sleep(0.01)
        time.sleep(max(0.0, (delay or 0.0) - (time.monotonic() - pressed)))
        profile.kill()
        server.fate = "passes"
        profile = Profile(playwright, Path(directory))
        prepare(profile.page)
        visit = Visit(profile.page, survey).load()
        if visit.is_asking:
            visit.answer(**{**ANSWERS, "affair": 1, "age": "20"}).send()
        visit.is_thanked()
        profile.kill()
    return list(server.bodies)


def killed_with_invitation(
    playwright: Playwright, server: Holding, survey: Survey, fate: str, end: str, delay: float
) -> tuple[list[bytes], list[bytes]]:
    """Return (requests for a signature, reports) that reached the server. The browser is killed `delay` seconds after
    "send". Until then `fate` happens to requests whose path ends in `end`. `survey` has an invitation's link."""
    server.bodies.clear()
    server.wishes.clear()
    with tempfile.TemporaryDirectory(prefix="deniable-profile-", ignore_cleanup_errors=True) as directory:
        profile = Profile(playwright, Path(directory))
        Visit(profile.page, survey).load().answer()
        server.fate, server.end = fate, end
        profile.page.evaluate(SEND)
        time.sleep(delay)
        profile.kill()
        server.fate, server.end = "passes", ""
        profile = Profile(playwright, Path(directory))
        visit = Visit(profile.page, survey).load()
        if visit.is_asking:
            visit.answer(**{**ANSWERS, "affair": 1, "age": "20"}).send()
        visit.is_thanked()
        profile.kill()
    return list(server.wishes), list(server.bodies)
