"""An open survey of five questions for the tests of a module, and a visit to its page; a module may have its own."""

import pytest

from tests.support.respondents import Visit, open_page


@pytest.fixture(scope="module")
def survey(system, tmp_path_factory):
    return open_page(system, tmp_path_factory.mktemp("survey"))


@pytest.fixture(scope="module")
def faulty(browser):
    """The page of a module in which one served module after the other has a fault (`open_with`)."""
    with browser.new_context() as context:
        yield context.new_page()


@pytest.fixture
def visit(page, survey):
    return Visit(page, survey).load()
