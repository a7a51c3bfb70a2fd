"""What holds for the tests themselves."""

from pathlib import Path

TESTS = Path(__file__).parents[1]


def test_no_test_polls_a_function_in_a_page():
    """Where it is not true at once, Playwright falls back to eval, which our policies forbid: locators wait as well."""
    name = "wait_for_" + "function"
    assert [path.name for path in TESTS.rglob("*.py") if name in path.read_text(encoding="utf-8")] == []
