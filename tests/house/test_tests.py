"""Rules for the tests themselves."""

import re
from collections import Counter
from pathlib import Path

from tests.support import slow

TESTS = Path(__file__).parents[1]


def test_no_test_polls_a_function_in_a_page():
    """If the condition is not true at once, Playwright falls back to eval, which our policies forbid. Locators wait as
    well."""
    assert files_with("wait_for_" + "function") == []


def test_playwright_is_started_in_one_place():
    """A thread can have only one Playwright, which the modules with a browser share."""
    assert files_with("sync_" + "playwright(") == ["chromium.py"]


def test_no_two_modules_make_the_same_account():
    """Modules share the systems of their process, in any order."""
    made = re.compile(r'"--username", "(\w+)"')
    names = Counter(
        name for path in TESTS.rglob("*.py") for name in set(made.findall(path.read_text(encoding="utf-8")))
    )
    assert names and {name for name, modules in names.items() if modules > 1} == set()


def test_every_slow_test_is_still_there():
    for name in slow.names():
        module, function = name.split("::")
        assert f"def {function}(" in (TESTS.parent / module).read_text(encoding="utf-8"), name


def files_with(text):
    return [path.name for path in TESTS.rglob("*.py") if text in path.read_text(encoding="utf-8")]
