"""Pictures of the respondents' page at five strengths of protection, in every language of the page.

    python -m tests.documents.strengths FOLDER [--wide] [--dark]

A survey has one question or five, each at alpha .5, 1, 2, 4 or 16. The pictures show the introduction, the first
question after it, and the receipt. Each picture shows the five strengths side by side, on phones (390 x 844) or 1280
pixels wide.
"""

import argparse
import base64
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

from surveys.rules.languages import PAGE
from tests.services import chromium
from tests.services.system import EmbeddedSystem
from tests.support.languages import spoken
from tests.support.respondents import open_page

ALPHAS = ("0.5", "1", "2", "4", "16")
COUNTS = (1, 5)


def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("folder", type=Path)
    options.add_argument("--wide", action="store_true", help="1280 pixels wide")
    options.add_argument("--dark", action="store_true", help="where somebody prefers dark pages")
    chosen = options.parse_args()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    look = {"viewport": {"width": 1280 if chosen.wide else 390, "height": 844}}
    look |= {"color_scheme": "dark"} if chosen.dark else {}
    system = EmbeddedSystem()
    try:
        with tempfile.TemporaryDirectory() as directory, chromium.browser() as browser:
            for count in COUNTS:
                links = [open_page(system, Path(directory), survey(alpha, count)).page for alpha in ALPHAS]
                for language in PAGE:
                    shots = [visit(browser, link, look | {"locale": language}) for link in links]
                    for stage, row in zip(
                        ("introduction", "question", "receipt"), zip(*shots, strict=True), strict=True
                    ):
                        beside(browser, chosen.folder / f"{count}-{language}-{stage}.png", row)
    finally:
        system.stop()


def survey(alpha: str, count: int) -> dict[str, Any]:
    """Return the first questions of the draft in every language, all with this alpha."""

    def first(made: dict[str, Any]) -> None:
        for texts in (made, *made["translations"].values()):
            texts.pop("sections")
            texts.pop("consent")
            texts["questions"] = texts["questions"][:count]
        for question in made["questions"]:
            question["alpha"] = alpha

    return spoken(first)


def visit(browser: Browser, link: str, look: dict[str, Any]) -> tuple[bytes, bytes, bytes]:
    """Return screenshots before, at and after the questions."""
    page = browser.new_page(**look)
    page.goto(link)
    page.locator(".question").first.wait_for()
    before = page.screenshot()
    page.locator(".question").first.scroll_into_view_if_needed()
    page.evaluate("document.querySelector('.question').scrollIntoView()")
    asked = page.screenshot()
    answer(page)
    page.locator(".finish .primary").last.click()
    page.locator("#outcome + blockquote").wait_for()
    after = page.screenshot()
    page.close()
    return before, asked, after


def answer(page: Page) -> None:
    for question in page.locator(".question").all():
        if question.get_by_role("textbox").count():
            question.get_by_role("textbox").fill("40")
        else:
            question.get_by_role("radio").or_(question.get_by_role("checkbox")).first.click()


def beside(browser: Browser, path: Path, shots: tuple[bytes, ...]) -> None:
    page = browser.new_page(viewport={"width": 100, "height": 100})
    images = [f'<img src="data:image/png;base64,{base64.b64encode(shot).decode()}">' for shot in shots]
    page.set_content(f'<div style="display: flex; gap: 8px; width: max-content">{"".join(images)}</div>')
    page.locator("div").screenshot(path=path)
    page.close()


if __name__ == "__main__":
    main()
