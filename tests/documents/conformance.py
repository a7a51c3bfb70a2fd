"""Writes docs/respondents/conformance.md: the criteria of EN 301 549, each with the tests that check it (`make docs`).

A criterion without a test is called not evaluated, even if people looked at the pages.
"""

import re
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from tests.support.accessibility import RULES

ROOT = Path(__file__).parents[2]
PATH = ROOT / "docs" / "respondents" / "conformance.md"
HEAD = """# Accessibility conformance report

EN 301 549 V3.2.1, clause 9 (web), which takes over WCAG 2.1 at levels A and AA, for the respondent's page and all other
pages of the site. Generated from the tests by `make docs`; [accessibility.md](accessibility.md) says how the
respondent's page behaves.

- **Supports**: tests of the project hold the criterion.
- **Rules alone**: axe-core finds no violation, but its rules see only a part of the criterion.
- **Not applicable**: the pages have nothing of the kind.
- **Not evaluated**: no test looks.

No person with a disability and no auditor has reviewed the pages, and clauses 10 to 12 (documents, software, support)
are not evaluated. `tests/browser/test_states.py` and `tests/browser/test_access.py` hold every state of the
respondent's page to axe-core's rules, `tests/browser/test_site_served.py` the public pages, and
`tests/accounts/test_every_page.py` every page of the site (`make test-long`), at the widths of phone and desk, in
light and dark.

| clause | criterion | level | result | axe-core's rules and tests |
|---|---|---|---|---|
"""
NONE = "no sound and no film"


class Criterion(NamedTuple):
    """A criterion. `tests` check it beside axe-core's rules; `absent` names content that the pages do not have."""

    number: str
    name: str
    level: str = "A"
    tests: tuple[str, ...] = ()
    absent: str = ""


LISTENS = "browser/test_screen_reader.py::test_a_respondent_who_listens_is_told_every_step"
KEYBOARD = "browser/test_respondent.py::test_a_person_answers_with_the_keyboard_alone"
BUILDER = "designer/editor/test_builder_browser.py::test_a_survey_is_drafted_with_the_keyboard_alone"
REACHES = "browser/test_site_served.py::test_the_keyboard_reaches_everything_and_shows_where_it_is"
NARROW = "browser/test_access.py::test_a_narrow_screen_needs_no_sideways_scrolling_and_fingers_find_every_control"
EVERY = "accounts/test_every_page.py::test_no_page_has_a_barrier"
STATES = "browser/test_access.py::test_every_state_of_the_page_is_accessible"
CRITERIA = (
    Criterion("1.1.1", "Non-text content", "A", (
        LISTENS,
        "browser/test_question_pictures.py::test_each_is_drawn_with_what_it_shows_in_words_and_none_is_asked_for",
    )),
    Criterion("1.2.1", "Audio-only and video-only", "A", (), NONE),
    Criterion("1.2.2", "Captions", "A", (), NONE),
    Criterion("1.2.3", "Audio description or alternative", "A", (), NONE),
    Criterion("1.2.4", "Captions, live", "AA", (), NONE),
    Criterion("1.2.5", "Audio description", "AA", (), NONE),
    Criterion("1.3.1", "Info and relationships", "A", (LISTENS,)),
    Criterion("1.3.2", "Meaningful sequence", "A", (LISTENS,)),
    Criterion("1.3.3", "Sensory characteristics"),
    Criterion("1.3.4", "Orientation", "AA", (NARROW,)),
    Criterion("1.3.5", "Identify input purpose", "AA"),
    Criterion("1.4.1", "Use of colour", "A", (
        "house/test_palette.py::test_the_strengths_can_be_told_apart_by_colour",
        "browser/test_layout.py::test_what_is_chosen_is_seen_with_forced_colours",
    )),
    Criterion("1.4.2", "Audio control", "A", (), NONE),
    Criterion("1.4.3", "Contrast", "AA", ("house/test_palette.py::test_text_can_be_read_on_every_ground",)),
    Criterion("1.4.4", "Resize text", "AA", (EVERY,)),
    Criterion("1.4.5", "Images of text", "AA"),
    Criterion("1.4.10", "Reflow", "AA", (NARROW, EVERY)),
    Criterion("1.4.11", "Non-text contrast", "AA", (
        "house/test_palette.py::test_every_line_can_be_told_from_the_card",
    )),
    Criterion("1.4.12", "Text spacing", "AA"),
    Criterion("1.4.13", "Content on hover or focus", "AA"),
    Criterion("2.1.1", "Keyboard", "A", (
        KEYBOARD, BUILDER, REACHES, "browser/test_rankings.py::test_a_keyboard_alone_orders_and_keeps_its_place",
    )),
    Criterion("2.1.2", "No keyboard trap", "A", (REACHES, KEYBOARD)),
    Criterion("2.1.4", "Character key shortcuts"),
    Criterion("2.2.1", "Timing adjustable"),
    Criterion("2.2.2", "Pause, stop, hide", "A", (
        "browser/test_layout.py::test_nothing_moves_for_anyone_who_asked_for_less_motion",
    )),
    Criterion("2.3.1", "Three flashes"),
    Criterion("2.4.1", "Bypass blocks"),
    Criterion("2.4.2", "Page titled"),
    Criterion("2.4.3", "Focus order", "A", (LISTENS, REACHES)),
    Criterion("2.4.4", "Link purpose"),
    Criterion("2.4.5", "Multiple ways", "AA"),
    Criterion("2.4.6", "Headings and labels", "AA", (LISTENS,)),
    Criterion("2.4.7", "Focus visible", "AA", (
        REACHES, "browser/test_answering.py::test_a_focused_control_is_not_hidden_by_the_bar",
    )),
    Criterion("2.5.1", "Pointer gestures", "A", (
        "browser/test_rankings.py::test_a_keyboard_alone_orders_and_keeps_its_place",
    )),
    Criterion("2.5.2", "Pointer cancellation"),
    Criterion("2.5.3", "Label in name", "A", (LISTENS,)),
    Criterion("2.5.4", "Motion actuation", "A", (), "nothing reacts to motion"),
    Criterion("3.1.1", "Language of page"),
    Criterion("3.1.2", "Language of parts", "AA", (
        "browser/test_languages.py::test_a_language_without_words_of_the_page_is_marked_where_it_stands",
    )),
    Criterion("3.2.1", "On focus", "A", (LISTENS,)),
    Criterion("3.2.2", "On input", "A", (LISTENS,)),
    Criterion("3.2.3", "Consistent navigation", "AA"),
    Criterion("3.2.4", "Consistent identification", "AA"),
    Criterion("3.3.1", "Error identification", "A", (LISTENS, STATES)),
    Criterion("3.3.2", "Labels or instructions", "A", (LISTENS,)),
    Criterion("3.3.3", "Error suggestion", "AA", (LISTENS,)),
    Criterion("3.3.4", "Error prevention", "AA", (
        "browser/test_sections.py::test_the_browsers_back_leads_to_the_section_before_and_loses_nothing",
    )),
    Criterion("4.1.1", "Parsing"),
    Criterion("4.1.2", "Name, role, value", "A", (LISTENS,)),
    Criterion("4.1.3", "Status messages", "AA", (LISTENS,)),
)  # fmt: skip


def rules() -> dict[str, list[str]]:
    """Return the axe-core rules that the tests run, by criterion number."""
    text = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
    by: dict[str, list[str]] = {}
    for name, own, listed in re.findall(r'\{id:"([a-z-]+)"([^{}]*?)tags:\[([^\]]*)\]', text):
        tags = re.findall(r'"([^"]+)"', listed)
        if not set(tags) & set(RULES) or {"experimental", "deprecated"} & set(tags) or "enabled:!1" in own:
            continue
        for digits in re.findall(r"wcag(\d{3,4})(?!\d)", listed):
            by.setdefault(f"{digits[0]}.{digits[1]}.{digits[2:]}", []).append(name)
    return by


def page() -> str:
    held = rules()
    return HEAD + "".join(_row(criterion, held.get(criterion.number, [])) for criterion in CRITERIA)


def _row(criterion: Criterion, names: list[str]) -> str:
    if criterion.absent:
        result, evidence = "Not applicable", criterion.absent
    else:
        tests = [f"`tests/{test.replace('::', '` ')}" for test in criterion.tests]
        evidence = "; ".join([*([f"axe: {', '.join(names)}"] if names else []), *tests])
        result = "Supports" if criterion.tests else "Rules alone" if names else "Not evaluated"
    return f"| 9.{criterion.number} | {criterion.name} | {criterion.level} | {result} | {evidence} |\n"


if __name__ == "__main__":
    PATH.write_text(page(), encoding="utf-8")
