"""The services of the tests: a real database, Redis, Chromium and complete running systems.

The database is PostgreSQL, or SQLite with `--database sqlite`. It starts before Django is set up, and DATABASE_URL
names it. Every service listens on sockets or loopback ports. Every service ends with the run, even if the run is
killed.
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
AT_NIGHT = ("statistical", "long")  # `make test-long` runs tests with these marks
ON_PRODUCTION = re.compile(r"\[production(-\D|\])")  # the id of a test on production's services
WITH_ONE_SITE = {"tests/integrations"}
# A busy machine makes a test slower. No test fails for that.
hypothesis_settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
hypothesis_settings.load_profile("patient")
expect.set_options(timeout=chromium.PATIENCE)
MEMORY = 3 * 2**30  # bytes that one test process takes at most, with all processes it starts


def pytest_addoption(parser: pytest.Parser) -> None:
    choices = ("postgres", "sqlite")
    parser.addoption("--database", choices=choices, default="postgres", help="what the tests' database is")
    parser.addoption("--long", action="store_true", help="statistical tests at full length, and long ones")
    parser.addoption("--release", action="store_true", help="what only a release must pass, too")


def pytest_configure(config: pytest.Config) -> None:
    _keep_compiled()
    os.environ.update(ONE_THREAD)  # the tests use all processors; numpy, loaded later, reads this
    if config.option.help or config.option.version or _only_hands_out(config):
        return
    for name in OURS:  # a developer's settings must not change the tests
        os.environ.pop(name, None)
    config.stash[DATA] = Path(tempfile.mkdtemp(prefix="deniable-tests-"))
    os.environ["DATA_DIR"] = str(config.stash[DATA])
    if config.option.database == "postgres" and not config.option.collectonly:
        os.environ["DATABASE_URL"] = postgres_of(config).create("deniable")
    os.environ["DJANGO_SETTINGS_MODULE"] = "surveys.settings"
    import django

    django.setup()
    gc.disable()  # until all tests are collected: collecting leaves no garbage
    _come_by_the_sites_name()


def _keep_compiled() -> None:
    """Keep compiled modules, whatever the environment says. A run starts hundreds of processes of the site, and each of
    these processes would compile the modules again."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False


def _come_by_the_sites_name() -> None:
    """Let Django's test clients use the host name of SITE_URL unless they name another one. Respondents are asked
    there."""
    from django.test import RequestFactory

    plain = RequestFactory._base_environ
    RequestFactory._base_environ = lambda self, **more: plain(self, **{"SERVER_NAME": "127.0.0.1", **more})


def _only_hands_out(config: pytest.Config) -> bool:
    """Return whether this process runs no test itself. The processes that `-n` starts run the tests and have their own
    services."""
    return config.getoption("dist", "no") != "no" and not hasattr(config, "workerinput")


def pytest_unconfigure(config: pytest.Config) -> None:
    end_browser(config)
    if POSTGRES in config.stash:
        config.stash[POSTGRES].stop()
    if DATA in config.stash:
        shutil.rmtree(config.stash[DATA])


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Return how many processes share the tests (`-n auto`): half as many again as there are processors. Systems and
    browsers make a process wait. Each process must find free memory for two systems and a browser. Tests without
    systems do not wait, so they get one process per processor; one more would only collect all tests again."""
    if "not system" in config.option.markexpr:
        return len(os.sched_getaffinity(0))
    available = dict(line.split(":") for line in Path("/proc/meminfo").read_text().splitlines())["MemAvailable"]
    return max(3, min(3 * len(os.sched_getaffinity(0)) // 2, 1024 * int(available.split()[0]) // MEMORY))


class Shares(LoadFileScheduling):
    """Schedule the tests by module. All tests on production's services go to one process. So do all tests of a folder
    that shares one site. Another process would start the same system again for a test or two."""

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
    """Sort the modules. First come modules with a system of their own, which take longest and wait most, and modules on
    production's services. Then come modules with a browser, which share one browser. Then come modules that share a
    system, then slow modules. The rest fills the processes evenly."""
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
    """Freeze the collected objects, so that the garbage collector never searches them: each search took seconds. Search
    the other objects rarely. That takes 80 MB more memory and a thirtieth less time."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    gc.enable()


def _leave_out(config: pytest.Config, items: list[pytest.Item], mark: str) -> None:
    """Deselect the tests with this mark, unless the option of the same name is set. Other tests notice the same faults
    daily, or a release does."""
    if not config.getoption(mark):
        config.hook.pytest_deselected(items=[item for item in items if item.get_closest_marker(mark)])
        items[:] = [item for item in items if not item.get_closest_marker(mark)]


LAST_WITH_PRODUCTION, LAST_WITH_SYSTEM = 0, 2
# Tests look at data made up for the API. No request may be refused for its number, however quick the machine is.
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
    """Fail a skipped test, because its promise would look kept."""
    report = yield
    if report.skipped and not hasattr(report, "wasxfail"):
        report.outcome, report.longrepr = "failed", f"{item.nodeid} was skipped, and no test may be."
    return report


def postgres_of(config: pytest.Config) -> Postgres:
    """Return the run's PostgreSQL server; the first call starts it."""
    if POSTGRES not in config.stash:
        config.stash[POSTGRES] = Postgres()
    return config.stash[POSTGRES]


@pytest.fixture(scope="session", autouse=True)
def what_tests_store_is_deleted_at_their_end() -> Iterator[None]:
    from django.test import TransactionTestCase  # Django must be set up first

    from tests.support import emptying

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", emptying.empty)
        yield


@pytest.fixture(scope="module")
def outer_transaction(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Run a module's tests in an outer transaction, undone when the module ends. A module's fixture stores its rows
    once, and each test finds these rows unchanged (`found_again` of tests/support/estimates.py)."""
    from django.db import transaction  # Django must be set up first

    with django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture(autouse=True)
def no_language_is_left_behind() -> Iterator[None]:
    """Deactivate the language that Django's test client leaves active in this thread after its last request."""
    yield
    from django.utils import translation

    translation.deactivate()


@pytest.fixture(scope="session", autouse=True)
def faults_are_logged_while_there_is_a_log() -> Iterator[None]:
    """Log the faults before the process ends. The site logs them at the end of the process, and by then pytest has
    closed the log."""
    yield
    from surveys.operation.faults import FAULTS

    FAULTS.write()


@pytest.fixture(scope="session", autouse=True)
def static_files_are_listed_once() -> Iterator[None]:
    """Give every `Client` the first client's list of static files. Each `Client` builds the middleware, and WhiteNoise
    then looks at each static file. The files do not change during a run. A request takes 2 ms with the shared list and
    20 ms without it."""
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
    """Hash passwords in this process with the least memory of Argon2, in the same threads: 0.1 ms each instead of 40.
    tests/accounts/test_sign_in.py measures what a password takes elsewhere."""
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
    """Yield a function that returns the running system of a pair of services; the first call starts the system. A
    fixture with parameters keeps only the last parameter's value, so it would start the systems again and again."""
    running = pytestconfig.stash[SYSTEMS] = {}

    def of(pair: str) -> System:
        if pair not in running:
            embedded = pair == "embedded"
            running[pair] = EmbeddedSystem(**UNLIMITED) if embedded else ProductionSystem(postgres_of(pytestconfig))
        return running[pair]

    yield of
    end_systems(pytestconfig)


def end_systems(config: pytest.Config, *pairs: str) -> None:
    """Stop the systems of these pairs, or all systems. Even an idle system takes a twenty-fifth of a processor."""
    running = config.stash.get(SYSTEMS, {})
    for pair in pairs or list(running):
        if pair in running:
            running.pop(pair).stop()


@pytest.fixture(scope="session", params=["embedded", "production"])
def system(request: pytest.FixtureRequest, systems: Callable[[str], System]) -> System:
    """Return a complete running system. A test with this fixture runs on both pairs of services."""
    return systems(request.param)


@pytest.fixture(scope="module")
def browser(pytestconfig: pytest.Config) -> Iterator[Browser]:
    """Yield Chromium. Consecutive modules with a browser share one."""
    if BROWSER not in pytestconfig.stash:
        pytestconfig.stash[BROWSER] = ExitStack()
        pytestconfig.stash[LAUNCHED] = pytestconfig.stash[BROWSER].enter_context(chromium.browser())
    launched = pytestconfig.stash[LAUNCHED]
    yield launched
    for context in launched.contexts:
        context.close()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Close the browser before the first test without a browser. Stop the systems that no later test needs.

    Django refuses every query in this thread while Playwright's loop runs in it. So a test with a browser reaches the
    site over HTTP only. The modules are sorted: after a module without a system, no later module needs a system; the
    same holds for the system with production's services.
    """
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
    """Yield a fresh browser profile without cookies or storage."""
    fresh = browser.new_context()
    yield fresh
    fresh.close()


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return context.new_page()


@pytest.fixture(scope="session")
def nightly(pytestconfig: pytest.Config) -> bool:
    """Return whether statistical tests run at their full length."""
    return bool(pytestconfig.option.long)


@pytest.fixture(scope="session")
def node() -> str:
    """Return the path of a Node that runs ES modules."""
    return str(chromium.node())
