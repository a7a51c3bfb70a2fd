"""Writes the pictures of docs/makers/tutorial.md by taking its steps on a new demo. `make picture` runs it."""

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page

from tests.documents import picture
from tests.services import chromium

FOLDER = Path(__file__).parents[2] / "docs" / "makers" / "tutorial"
PEOPLE, TEMPLATE = "300", "Team climate"


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    with picture.demo() as (links, password), chromium.browser() as browser:
        page = picture.new_page(browser)
        page.goto(links["Designer"])
        picture.sign_in(page, password)
        for number, step in enumerate(STEPS, 1):
            step(page)
            picture.photograph(page, FOLDER / f"{number}.png", height=820)
        page.goto(links["Researcher"], wait_until="networkidle")
        picture.photograph(page, FOLDER / f"{len(STEPS) + 1}.png", height=820)


def begin(page: Page) -> None:
    page.get_by_role("navigation", name="Site").get_by_role("link", name="Surveys").click()
    page.get_by_role("link", name="New survey").click()
    page.wait_for_load_state("networkidle")
    page.get_by_label("How many people can you reach?").fill(PEOPLE)
    page.get_by_text(f"Margins for {PEOPLE} people").wait_for()


def questions(page: Page) -> None:
    page.get_by_role("button", name=f"Begin with this: {TEMPLATE}").click()
    page.get_by_text("weakest question").wait_for()


def tab(name: str) -> Callable[[Page], None]:
    """Return the step that follows the link of this name among the survey's tabs."""
    return lambda page: page.get_by_role("navigation", name="This survey").get_by_role("link", name=name).click()


def share(page: Page) -> None:
    page.get_by_role("button", name="Open the survey").click()
    page.get_by_role("heading", name="The link").wait_for()


STEPS = (begin, questions, tab("People and protection"), tab("Try it"), tab("Open"), share, tab("Progress"))


if __name__ == "__main__":
    main()
