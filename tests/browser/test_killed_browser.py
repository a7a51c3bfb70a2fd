"""A browser that is killed at any moment after "send" never sends a second, different report. The tests also check what
it leaves on the disk.

`python -m benchmarks.killed_browser` repeats this a hundred times and more.
"""

from contextlib import suppress
from itertools import product

import pytest

from tests.services import chromium
from tests.services.holding import FATES, holding
from tests.services.profile import Profile
from tests.support.invited_page import invitations, invited_survey
from tests.support.kills import killed, killed_with_invitation
from tests.support.respondents import DRAFT, Visit, open_page, stored_rows
from tests.support.site import altered

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]


@pytest.fixture(scope="module")
def playwright():
    with chromium.playwright() as started:
        yield started


@pytest.fixture(scope="module")
def server(system):
    with holding(system.port) as between:
        yield between


@pytest.fixture(scope="module")
def survey(system, server, tmp_path_factory):
    opened = open_page(system, tmp_path_factory.mktemp("killed"))
    return opened._replace(page=f"{server.url}/s/#{opened.slug}")


# Daily, each fate, each end and each delay occurs once. Nightly, each occurs with each.
DAILY = {("holds", "", 2), ("drops", "", 0), ("holds", "/signature", 0), ("drops", "/signature", 2)}
DAILY |= {("holds", "/reports", 2), ("drops", "/reports", 0)}


def killings(*ends):
    """Return (fate, end, delay) for each time that a browser is killed."""
    every = product(FATES, ends, (0, 0.2, 2))
    return [pytest.param(*each, marks=() if each in DAILY else pytest.mark.long) for each in every]


@pytest.mark.statistical
@pytest.mark.parametrize(("fate", "end", "delay"), killings(""))
def test_a_browser_that_is_killed_never_sends_another_report(playwright, server, survey, fate, end, delay, nightly):
    assert not end
    for _ in range(20 if nightly else 1):
        bodies = killed(playwright, server, survey, fate, delay)
        assert len(bodies) >= 1 and len(set(bodies)) == 1


# The report is sent at once and kept a minute later.
LATE = """{
  const keep = store.claim;
  store.claim = async (body) => {
    setTimeout(() => keep(body), 60_000);
    bring({ ...identity, body });
  };
}"""


def test_a_page_that_sends_before_the_disk_has_the_report_is_noticed(playwright, server, survey):
    bodies = killed(playwright, server, survey, "holds", None, altered(LATE))
    assert len(set(bodies)) == 2


@pytest.fixture(scope="module")
def invited(system, server, tmp_path_factory):
    opened = invited_survey(system, tmp_path_factory.mktemp("invited"))
    return (each._replace(page=each.page.replace(system.url, server.url)) for each in invitations(system, opened))


@pytest.mark.statistical
@pytest.mark.parametrize(("fate", "end", "delay"), killings("/signature", "/reports"))
def test_an_invitation_survives_whatever_kills_the_browser(
    playwright, server, invited, system, fate, end, delay, nightly
):
    """The invitation may be used or not, signed or not, and the report sent or not. The same report is sent again, and
    no other one."""
    for _ in range(10 if nightly else 1):
        wishes, bodies = killed_with_invitation(playwright, server, next(invited), fate, end, delay)
        assert len(set(wishes)) == len(set(bodies)) == 1
        assert len(stored_rows(system, bodies[0].decode())) == 1


def test_a_visit_leaves_no_question_in_the_disk_cache(playwright, server, survey, tmp_path):
    profile = Profile(playwright, tmp_path)
    visit = Visit(profile.page, survey).load().answer().send().is_thanked()
    profile.page.reload()
    visit.sees("already answered")
    profile.page.wait_for_timeout(1500)  # the cache is written a little later, even later on a busy machine
    for _ in range(300):
        if any(b"/respond/page.js" in content for content in cached(tmp_path).values()):
            break
        profile.page.wait_for_timeout(200)
    profile.quit()
    kept = cached(tmp_path)
    texts = [question["text"] for question in DRAFT["questions"]]
    telling = [survey.slug, survey.digest, *texts, DRAFT["title"], '"report_id"']
    found = {(name, word) for name, content in kept.items() for word in telling if word.encode() in content}
    assert found == set()
    assert any(b"/respond/page.js" in content for content in kept.values()), "the search finds what is cached"


def cached(profile):
    """Return the contents of the files of its disk cache, by their paths."""
    contents = {}
    for path in profile.rglob("*"):
        with suppress(FileNotFoundError):
            if "Cache" in str(path.relative_to(profile)) and path.is_file():
                contents[str(path)] = path.read_bytes()
    return contents
