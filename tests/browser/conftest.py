"""An open survey of five questions for the tests of a module, and a visit to its page. A module may define another
survey."""

import pytest

from tests.support.respondents import Visit, open_page

WINDOW = {"width": 1280, "height": 720}
USUAL = {"media": "null", "color_scheme": "null", "forced_colors": "null", "reduced_motion": "null"}


@pytest.fixture(scope="module")
def survey(system, tmp_path_factory):
    return open_page(system, tmp_path_factory.mktemp("survey"))


@pytest.fixture(scope="module")
def faulty(browser):
    """Yield a page for a module whose served modules get a fault one after the other (`open_with`)."""
    with browser.new_context() as context:
        yield context.new_page()


@pytest.fixture
def visit(page, survey):
    return Visit(page, survey).load()


@pytest.fixture(scope="module")
def shared(browser):
    """Yield a page that a module's tests may share, and its session of the browser's protocol."""
    with browser.new_context() as context:
        page = context.new_page()
        yield page, context.new_cdp_session(page)


@pytest.fixture
def warm(shared, system):
    """Return the shared page without cookies and storage, in the size of a new page. A new page's process takes most of
    its time. Tests that listen to the page or add scripts must not use it: both would stay."""
    page, session = shared
    page.unroute_all()
    page.goto(f"{system.url}/healthz")
    page.evaluate("sessionStorage.clear()")
    session.send("Storage.clearDataForOrigin", {"origin": system.url, "storageTypes": "all"})
    page.set_viewport_size(WINDOW)
    page.emulate_media(**USUAL)
    return page
