"""Writes the README's pictures, docs/*.png: the pages of a new demo in a browser. `make picture` runs it."""

import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page

from tests.services import chromium
from tests.services.redis import free_port

DOCS = Path(__file__).parents[2] / "docs"
TEMPLATE = "Begin with this: Workplace"
ASKED = "410"  # people asked, of 2,000, in a form of this template


def main() -> None:
    with demo() as (links, password), chromium.browser() as browser:
        page = new_page(browser)
        page.goto(links["Researcher"], wait_until="networkidle")
        photograph(page, DOCS / "results.png", height=1130)
        page.goto(links["Designer"])
        sign_in(page, password)
        photograph(page, DOCS / "overview.png", height=600)
        _draft(page)
        page = new_page(browser, width=390)
        page.goto(links["Respondent"])
        photograph(page, DOCS / "respondent.png", height=1000)


@contextmanager
def demo() -> Iterator[tuple[dict[str, str], str]]:
    """Start a new demo. Yield its links by person, and the designer's password."""
    with tempfile.TemporaryDirectory() as data:
        command = [sys.executable, "manage.py", "demo"]
        env = {"DATA_DIR": data, "SITE": str(free_port()), "PATH": "/usr/bin:/bin", "PYTHONUNBUFFERED": "1"}
        running = subprocess.Popen(command, cwd=DOCS.parent, env=env, stdout=subprocess.PIPE, text=True)
        try:
            yield _links(running)
        finally:
            running.send_signal(signal.SIGINT)
            running.wait(60)


def _links(demo: "subprocess.Popen[str]") -> tuple[dict[str, str], str]:
    """Return the links and the password that the demo prints last. Print its other lines."""
    links: dict[str, str] = {}
    password = ""
    assert demo.stdout is not None
    for line in demo.stdout:
        print(line, end="")
        if found := re.match(r"\s+(Respondent|Designer|Researcher)\s+(http\S+)", line):
            links[found[1]] = found[2]
        if found := re.search(r"with the password (\S+)", line):
            password = found[1]
        if len(links) == 3:
            return links, password
    raise SystemExit("The demo ended before it printed its links.")


def sign_in(page: Page, password: str) -> None:
    page.get_by_label("Name").fill("designer")
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in").click()


def _draft(page: Page) -> None:
    """Begin a survey with a template. Photograph one of its questions in the builder, and the meaning of its alpha."""
    page.get_by_role("navigation", name="Site").get_by_role("link", name="Surveys").click()
    page.get_by_role("link", name="New survey").click()
    page.get_by_text("templates need more people").click()
    page.get_by_role("button", name=TEMPLATE).click()
    page.get_by_role("link", name="bullied").click()
    page.get_by_role("heading", name="Question 4 of 6").wait_for()
    photograph(page, DOCS / "builder.png", height=860)
    page.goto(page.url.replace("questions/bullied/", "alpha/?question=bullied"))
    page.get_by_label("People asked", exact=True).fill(ASKED)
    page.get_by_text(f"with {ASKED} people").wait_for()
    photograph(page, DOCS / "alpha.png", height=1100)


def new_page(browser: Browser, width: int = 1280) -> Page:
    """Return a page without a session."""
    page = browser.new_page(viewport={"width": width, "height": 1000}, color_scheme="light")
    return page


def photograph(page: Page, path: Path, height: int) -> None:
    assert page.viewport_size is not None
    page.set_viewport_size({"width": page.viewport_size["width"], "height": height})
    page.wait_for_load_state("networkidle")
    page.screenshot(path=path, animations="disabled")


if __name__ == "__main__":
    main()
