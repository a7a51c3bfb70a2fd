"""An altered script does not run in Chromium, Firefox and WebKit. A script without a pin does not run either if the
engine knows the header that forbids it. In other engines nothing breaks (P14)."""

import re

import pytest

from tests.services.recorder import Recorder
from tests.support.engines import ENGINES
from tests.support.respondents import open_page

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

# The page's script sets it first of all.
RAN = "return history.scrollRestoration === 'manual'"
ARRIVED = "return location.href.startsWith(arguments[0]) && document.readyState === 'complete'"
ASKED = "Have you ever had an affair?"
# The first versions that know Integrity-Policy, by each engine's name for itself.
KNOWING = {"Chrome": 138, "Firefox": 145, "Version": 26}  # the last is Safari's


class Altering(Recorder):
    """A route that alters the head and body of answers from some URLs."""

    def __init__(self, port):
        super().__init__(port)
        self.changes = {}

    def _altered(self, target, response):
        head, _, body = response.partition(b"\r\n\r\n")
        head, body = self.changes.get(target, lambda *whole: whole)(head, body)
        return re.sub(rb"(?i)(content-length: )\d+", rb"\g<1>%d" % len(body), head) + b"\r\n\r\n" + body


@pytest.fixture(scope="module", params=ENGINES)
def engine(request):
    with ENGINES[request.param]() as engine:
        yield engine


@pytest.fixture(scope="module")
def slug(system, tmp_path_factory):
    return open_page(system, tmp_path_factory.mktemp("pinned")).slug


@pytest.fixture
def way(system):
    way = Altering(system.port)
    yield way
    way.stop()


def ran(engine, way, slug):
    engine.go("about:blank")
    engine.go(f"{way.url}/s/#{slug}")
    engine.until(lambda: engine.run(ARRIVED, way.url), "the document")
    return engine.run(RAN)


def knows(engine):
    called = engine.run("return navigator.userAgent")
    found = [(name, re.search(rf"{name}/(\d+)", called)) for name in KNOWING]
    return any(version and int(version[1]) >= KNOWING[name] for name, version in found)


def with_a_space_more(head, body):
    return head, body + b" "


def unpinned(head, body):
    """Return the document without its script's fingerprint."""
    return head, re.sub(rb'(page\.js") integrity="[^"]*"', rb"\1", body)


def permissive(head, body):
    return re.sub(rb"(?i)\r\nintegrity-policy: [^\r]*", b"", head), unpinned(head, body)[1]


def test_with_nothing_altered_the_script_runs_and_asks(engine, way, slug):
    assert ran(engine, way, slug)
    engine.sees(ASKED)


def test_one_altered_byte_of_the_script_keeps_it_from_running(engine, way, slug):
    way.changes["/respond/page.js"] = with_a_space_more
    assert not ran(engine, way, slug)
    assert "/respond/page.js" in {request.target for request in way.requests}


@pytest.mark.parametrize("name", ["check.js", "pins.js"])
def test_one_altered_byte_of_what_comes_later_keeps_it_from_running(engine, way, slug, name):
    """This includes the file with the pins of later files."""
    way.changes[f"/respond/{name}"] = with_a_space_more
    assert ran(engine, way, slug)
    engine.sees(ASKED)
    engine.run("document.querySelector('#check summary').click()")
    engine.sees("This part did not arrive or is the wrong file")


def test_a_script_without_a_fingerprint_runs_nowhere_where_the_header_is_known(engine, way, slug):
    way.changes["/s/"] = unpinned
    assert ran(engine, way, slug) != knows(engine)
    way.changes["/s/"] = permissive
    assert ran(engine, way, slug), "without the header the same document runs it"
