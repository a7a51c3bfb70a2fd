"""One site for all modules of this folder; one process runs their tests. The site works with other programs on this
machine: pages that show a survey in a frame, relays, a receiver of webhooks and a mail server."""

from contextlib import ExitStack

import pytest

from tests.services.mail import MailServer
from tests.services.relay import Relay
from tests.services.system import EmbeddedSystem
from tests.support.holders import holders
from tests.support.receiver import receiving


@pytest.fixture(scope="package")
def hosts():
    """Yield three holders: one that the site and the survey name, one that only the site names, one only the survey."""
    with holders(3) as three:
        yield three


@pytest.fixture(scope="package")
def relays(tmp_path_factory):
    """Yield two relays of the site; surveys name the first one."""
    with ExitStack() as stack:
        both = [Relay(tmp_path_factory.mktemp("relay")) for _ in range(2)]
        for each in both:
            stack.callback(each.stop)
        yield both


@pytest.fixture(scope="package")
def receiver():
    with receiving() as server:
        yield server


@pytest.fixture(scope="package")
def post():
    server = MailServer()
    yield server
    server.stop()


@pytest.fixture(scope="package")
def site(hosts, relays, post):
    named = {"FRAME_HOSTS": hosts[:2], "RELAYS": relays}
    origins = {name: ",".join(each.origin for each in those) for name, those in named.items()}
    system = EmbeddedSystem(BATCH="20", WEBHOOK_NETWORKS="127.0.0.0/8", **origins, **post.settings())
    for each in relays:
        each.site = system.url
    yield system
    system.stop()
