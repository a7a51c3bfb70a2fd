"""Every page of the site in each of the site's languages. axe-core finds no barrier. Nothing is wider than the window,
even with text twice as large on a phone."""

import pytest
from django.conf import settings as configured

from surveys.models import Role, Survey
from tests.accounts.table import Published
from tests.accounts.world import CASES, line_of, make, path_of
from tests.support.accessibility import violations
from tests.support.widths import beyond

pytestmark = [pytest.mark.browser, pytest.mark.long, pytest.mark.django_db(transaction=True)]

OPEN = "document.querySelectorAll('details').forEach(details => { details.open = true })"
TWICE = "document.documentElement.style.fontSize = '200%'"
NARROW, PHONE = {"width": 320, "height": 844}, {"width": 390, "height": 844}
ELSEWHERE = {"respond": "tests/browser/test_states.py has each state of it, in eight languages"}


def pages(who):
    """Return the names of the pages that a user may see."""
    everything = Published(results=True, microdata=True)
    return [name for name in CASES if name not in ELSEWHERE and line_of(name).get(who, everything) == 200]


def is_shown(headers):
    """Return whether a browser shows the answer as a page and does not save it as a file."""
    return "text/html" in headers.get("content-type", "") and "attachment" not in headers.get("content-disposition", "")


@pytest.fixture(autouse=True, scope="module")
def a_loop_in_the_same_thread():
    """Allow database queries beside Playwright's loop. Django takes the loop for code that must not wait for a
    database."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
        yield


@pytest.fixture
def site(live_server, settings):
    settings.SITE_URL = settings.STAFF_URL = live_server.url
    world = make()
    Survey.objects.update(results_public=True, microdata_public=True)
    return world


@pytest.mark.parametrize("who", ["anonymous", Role.OWNER])
@pytest.mark.parametrize("language", [tag for tag, _ in configured.LANGUAGES])
def test_no_page_has_a_barrier(live_server, site, browser, language, who):
    wrong, seen = [], 0
    with browser.new_context(locale=language, viewport=NARROW) as context:
        if who in site.sessions:
            context.add_cookies([{"name": "sessionid", "value": site.sessions[who], "url": live_server.url}])
        page = context.new_page()
        for name in pages(who):
            path = path_of(name, site, line_of(name))
            if not is_shown(context.request.head(live_server.url + path).headers):
                continue
            page.goto(live_server.url + path)
            page.locator("h1").first.wait_for()  # a script builds the respondents' page
            page.evaluate(OPEN)
            seen += 1
            wrong += [(name, "runs out of the window")] if beyond(page) else []
            wrong += [(name, *violation) for violation in violations(page)]
            page.evaluate(TWICE)
            page.set_viewport_size(PHONE)
            wrong += [(name, "runs out of the window with large text")] if beyond(page) else []
            page.set_viewport_size(NARROW)
    assert not wrong, "\n".join(map(str, wrong))
    assert seen > (60 if who == Role.OWNER else 20)
