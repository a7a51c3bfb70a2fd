"""What the tests stand on: a real database, Redis, Chromium and complete running systems.

The database is started before Django is set up and named in DATABASE_URL: PostgreSQL, or SQLite with
`--database sqlite`. Everything listens on sockets or loopback ports and ends with the run, even a killed one.
"""

import gc
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings
from playwright.sync_api import Browser, BrowserContext, Page, expect
from pytest_django import DjangoDbBlocker
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling

from surveys.operation.embedded.parts import ONE_THREAD
from tests.services import chromium
from tests.services.postgres import Postgres
from tests.services.redis import Redis
from tests.services.system import OURS, EmbeddedSystem, ProductionSystem, System
from tests.support import slow

POSTGRES = pytest.StashKey[Postgres]()
DATA = pytest.StashKey[Path]()
SYSTEMS, RANK = pytest.StashKey[dict[str, System]](), pytest.StashKey[int]()
BROWSER, LAUNCHED = pytest.StashKey[ExitStack](), pytest.StashKey[Browser]()

SLOW = slow.names()
AT_NIGHT = ("statistical", "long")  # what `make test-long` starts
ON_PRODUCTION = re.compile(r"\[production(-\D|\])")  # the case of a test on that pair of services
WITH_ONE_SITE = {"tests/integrations"}
# On a busy machine a test takes longer, and no test fails for that.
hypothesis_settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
hypothesis_settings.load_profile("patient")
expect.set_options(timeout=chromium.PATIENCE)
MEMORY = 3 * 2**30  # bytes that a process of the tests takes at most, with all that it starts


def pytest_addoption(parser: pytest.Parser) -> None:
    choices = ("postgres", "sqlite")
    parser.addoption("--database", choices=choices, default="postgres", help="what the tests' database is")
    parser.addoption("--long", action="store_true", help="statistical tests at full length, and long ones")
    parser.addoption("--release", action="store_true", help="what only a release must pass, too")


def pytest_configure(config: pytest.Config) -> None:
    _keep_compiled()
    os.environ.update(ONE_THREAD)  # the processes fill the processors; numpy, which reads it, is not loaded yet
    if config.option.help or config.option.version or _only_hands_out(config):
        return
    for name in OURS:  # a developer's own settings are not what the tests are about
        os.environ.pop(name, None)
    config.stash[DATA] = Path(tempfile.mkdtemp(prefix="deniable-tests-"))
    os.environ["DATA_DIR"] = str(config.stash[DATA])
    if config.option.database == "postgres" and not config.option.collectonly:
        os.environ["DATABASE_URL"] = postgres_of(config).create("deniable")
    os.environ["DJANGO_SETTINGS_MODULE"] = "surveys.settings"
    import django

    django.setup()
    gc.disable()  # until all is collected, of which nothing is garbage
    _come_by_the_sites_name()


def _keep_compiled() -> None:
    """Compiled modules are kept, whatever the environment says: a run starts hundreds of processes of the site, each of
    which would compile it anew."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False


def _come_by_the_sites_name() -> None:
    """Django's test clients come by the name of SITE_URL, where respondents are asked, unless they name another."""
    from django.test import RequestFactory

    plain = RequestFactory._base_environ
    RequestFactory._base_environ = lambda self, **more: plain(self, **{"SERVER_NAME": "127.0.0.1", **more})


def _only_hands_out(config: pytest.Config) -> bool:
    """Whether this process runs no test itself: those that it starts (`-n`) each have services of their own."""
    return config.getoption("dist", "no") != "no" and not hasattr(config, "workerinput")


def pytest_unconfigure(config: pytest.Config) -> None:
    end_browser(config)
    if POSTGRES in config.stash:
        config.stash[POSTGRES].stop()
    if DATA in config.stash:
        shutil.rmtree(config.stash[DATA])


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """How many processes share the tests (`-n auto`): half as many again as there are processors, since systems and
    browsers make them wait, and so many that each finds free memory for both of its systems and a browser. Without
    systems nothing waits, and one process more would only collect all tests once more."""
    if "not system" in config.option.markexpr:
        return len(os.sched_getaffinity(0))
    available = dict(line.split(":") for line in Path("/proc/meminfo").read_text().splitlines())["MemAvailable"]
    return max(3, min(3 * len(os.sched_getaffinity(0)) // 2, 1024 * int(available.split()[0]) // MEMORY))


class Shares(LoadFileScheduling):
    """Tests are shared out by module, but those on production's services all go to one process, and those of a folder
    with one site: another process would start such a system anew for a test or two."""

    def _split_scope(self, nodeid: str) -> str:
        if ON_PRODUCTION.search(nodeid):
            return "on production"
        folder = nodeid.rpartition("/")[0]
        return folder if folder in WITH_ONE_SITE else super()._split_scope(nodeid)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadFileScheduling | None:
    return Shares(config, log) if config.getoption("dist") == "loadfile" else None


@pytest.hookimpl(tryfirst=True)
def pytest_itemcollected(item: pytest.Item) -> None:
    if slow.name(item) in SLOW:
        item.add_marker("slow")
    if "nightly" in getattr(item, "fixturenames", ()) and not any(map(item.get_closest_marker, AT_NIGHT)):
        raise pytest.UsageError(f"{item.nodeid} has a length for the night: mark it statistical, which starts it then")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Modules with systems of their own come first, since they take longest and wait most, and those that share the one
    with production's services; then those with a browser, one after the other, which share one; then what shares a
    system; then what is slow; what is left fills the processes up evenly."""
    _leave_out(config, items, "long")
    _leave_out(config, items, "release")
    ranks: dict[str, int] = {}
    for item in items:
        module = item.nodeid.partition("::")[0]
        ranks[module] = min(_rank(item), ranks.get(module, _rank(item)))
    for item in items:
        item.stash[RANK] = ranks[item.nodeid.partition("::")[0]]
    items.sort(key=lambda item: item.stash[RANK])


def pytest_collection_finish() -> None:
    """What was collected stays to the end: no search for garbage goes through it again, each of which took seconds.
    What there is besides takes 80 MB more where it is searched so seldom, and a thirtieth of the time less."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    gc.enable()


def _leave_out(config: pytest.Config, items: list[pytest.Item], mark: str) -> None:
    """What runs with the option of its mark alone: others notice the same daily, or a release does."""
    if not config.getoption(mark):
        config.hook.pytest_deselected(items=[item for item in items if item.get_closest_marker(mark)])
        items[:] = [item for item in items if not item.get_closest_marker(mark)]


LAST_WITH_PRODUCTION, LAST_WITH_SYSTEM = 0, 2
# What is made up for the API is to be looked at, on a quick machine as on a slow one, and not refused for its number.
UNLIMITED = {"API_REQUESTS_PER_MINUTE": "0"}


def _rank(item: pytest.Item) -> int:
    if hasattr(item, "callspec") and item.callspec.params.get("system") == "production":
        return 0
    if item.get_closest_marker("browser"):
        return 1
    if item.get_closest_marker("system"):
        return 0 if item.get_closest_marker("slow") else LAST_WITH_SYSTEM
    return LAST_WITH_SYSTEM + 1 if item.get_closest_marker("slow") else LAST_WITH_SYSTEM + 2


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """No test may be skipped: a promise that nothing checked would look kept."""
    report = yield
    if report.skipped and not hasattr(report, "wasxfail"):
        report.outcome, report.longrepr = "failed", f"{item.nodeid} was skipped, and no test may be."
    return report


def postgres_of(config: pytest.Config) -> Postgres:
    """The run's PostgreSQL server, started when first asked for."""
    if POSTGRES not in config.stash:
        config.stash[POSTGRES] = Postgres()
    return config.stash[POSTGRES]


@pytest.fixture(scope="session", autouse=True)
def what_tests_store_is_deleted_at_their_end() -> Iterator[None]:
    from django.test import TransactionTestCase  # once Django is set up

    from tests.support import emptying

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", emptying.empty)
        yield


@pytest.fixture(scope="module")
def outer_transaction(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """A transaction around those of a module's tests, undone when the module ends: what a module's fixture stores is
    made once, and each test finds it as it was (`found_again` of tests/support/estimates.py)."""
    from django.db import transaction  # once Django is set up

    with django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture(autouse=True)
def no_language_is_left_behind() -> Iterator[None]:
    """Django's test client leaves the language of its last request active in this thread."""
    yield
    from django.utils import translation

    translation.deactivate()


@pytest.fixture(scope="session", autouse=True)
def faults_are_logged_while_there_is_a_log() -> Iterator[None]:
    """At the end of the process, where they are logged otherwise, pytest has closed what it writes to."""
    yield
    from surveys.operation.faults import FAULTS

    FAULTS.write()


@pytest.fixture(scope="session", autouse=True)
def static_files_are_listed_once() -> Iterator[None]:
    """Every `Client` builds the middleware for itself, and WhiteNoise then looks at each static file there is. They do
    not change during a run, so all get the first one's list: with it a request takes 2 ms, without it 20."""
    from whitenoise.middleware import WhiteNoiseMiddleware

    look = WhiteNoiseMiddleware.add_files_from_finders
    listed: dict[str, object] = {}

    def look_once(whitenoise: WhiteNoiseMiddleware) -> None:
        if not listed:
            look(whitenoise)
            listed.update(whitenoise.files)
        whitenoise.files.update(listed)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(WhiteNoiseMiddleware, "add_files_from_finders", look_once)
        yield


@pytest.fixture(scope="session", autouse=True)
def passwords_take_no_time() -> Iterator[None]:
    """Those that tests store in this process; tests/accounts/test_sign_in.py says what they take elsewhere. Argon2 with
    its least memory, in the same threads: with it a password takes 0.1 ms, without it 40."""
    from surveys.accounts.hashing import QueuedArgon2

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(QueuedArgon2, "time_cost", 1)
        patch.setattr(QueuedArgon2, "memory_cost", 8)
        yield


@pytest.fixture(scope="session")
def postgres(pytestconfig: pytest.Config) -> Postgres:
    return postgres_of(pytestconfig)


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    server = Redis()
    yield server.url
    server.stop()


@pytest.fixture(scope="session")
def systems(pytestconfig: pytest.Config) -> Iterator[Callable[[str], System]]:
    """The running system of each pair, started when first asked for. (A fixture with parameters keeps only the last
    one's value, and would start them again and again.)"""
    running = pytestconfig.stash[SYSTEMS] = {}

    def of(pair: str) -> System:
        if pair not in running:
            embedded = pair == "embedded"
            running[pair] = EmbeddedSystem(**UNLIMITED) if embedded else ProductionSystem(postgres_of(pytestconfig))
        return running[pair]

    yield of
    end_systems(pytestconfig)


def end_systems(config: pytest.Config, *pairs: str) -> None:
    """All of them, or those of the pairs. Even an idle one takes a twenty-fifth of a processor from the rest."""
    running = config.stash.get(SYSTEMS, {})
    for pair in pairs or list(running):
        if pair in running:
            running.pop(pair).stop()


@pytest.fixture(scope="session", params=["embedded", "production"])
def system(request: pytest.FixtureRequest, systems: Callable[[str], System]) -> System:
    """A complete running system; a test that uses it runs on both pairs of services."""
    return systems(request.param)


@pytest.fixture(scope="module")
def browser(pytestconfig: pytest.Config) -> Iterator[Browser]:
    """Chromium, one for all modules with a browser that follow each other."""
    if BROWSER not in pytestconfig.stash:
        pytestconfig.stash[BROWSER] = ExitStack()
        pytestconfig.stash[LAUNCHED] = pytestconfig.stash[BROWSER].enter_context(chromium.browser())
    launched = pytestconfig.stash[LAUNCHED]
    yield launched
    for context in launched.contexts:
        context.close()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """While Playwright's loop runs in this thread, Django refuses every query in it. So a test with a browser reaches
    the site over HTTP only, and the loop ends before the first test that is not marked as one with a browser.

    Once a module comes that needs no system, or not the one with production's services, no later one does."""
    if item.get_closest_marker("browser") is None:
        end_browser(item.config)
    if item.stash[RANK] > LAST_WITH_SYSTEM:
        end_systems(item.config)
    elif item.stash[RANK] > LAST_WITH_PRODUCTION:
        end_systems(item.config, "production")


def end_browser(config: pytest.Config) -> None:
    if BROWSER in config.stash:
        config.stash[BROWSER].close()
        del config.stash[BROWSER]


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A fresh profile: no cookies, no storage."""
    fresh = browser.new_context()
    yield fresh
    fresh.close()


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return context.new_page()


@pytest.fixture(scope="session")
def nightly(pytestconfig: pytest.Config) -> bool:
    """Whether statistical tests run at their full length."""
    return bool(pytestconfig.option.long)


@pytest.fixture(scope="session")
def node() -> str:
    """The path of a node that runs ES modules."""
    return str(chromium.node())
