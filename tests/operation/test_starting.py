"""A start on this machine that cannot succeed says so in one sentence, with a way out."""

import fcntl
import json
import os
import shutil
import socket
import sqlite3
import subprocess
import sys
import time

import pytest
from django.conf import settings

from surveys.operation import broker
from surveys.operation.embedded import preflight
from tests.deployment.versions import copied_code
from tests.services import migrated
from tests.services.redis import Redis, free_port
from tests.services.system import OURS

SERVE_SECONDS = 180
SECRET = "hunter2"


def manage(data, *arguments, **variables):
    """Run `manage.py` with its own data directory. Return (status, output)."""
    env = {name: value for name, value in os.environ.items() if name not in OURS}
    env |= {"DATA_DIR": str(data)} | variables
    command = [sys.executable, "manage.py", *arguments]
    done = subprocess.run(
        command, cwd=settings.BASE_DIR, env=env, capture_output=True, text=True, timeout=SERVE_SECONDS
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("command", ["check", "serve", "demo", "migrate"])
def test_a_wrong_setting_is_one_line_of_any_command(command):
    status, said = manage("/dev/null/x", command)
    assert status == 1 and said.count("\n") == 1
    assert said.startswith("DATA_DIR is '/dev/null/x', but the directory cannot be made")


# The site of a command ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """Return a function that runs the `manage.py` of a checkout with a value of SITE. The checkout has the data of a
    site and a demo."""
    code = tmp_path_factory.mktemp("checkout")
    copied_code(code)
    for name in ("site", "demo"):
        (code / "var" / name).mkdir(parents=True)
        shutil.copy(migrated.file(), code / "var" / name / "deniable.sqlite3")

    def run(*arguments, site=""):
        env = {name: value for name, value in os.environ.items() if name not in OURS} | {"SITE": site}
        return subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=code,
            env=env,
            capture_output=True,
            text=True,
            timeout=SERVE_SECONDS,
        )

    return code, run


@pytest.mark.slow
@pytest.mark.parametrize(("site", "folder", "port"), [("", "site", 8000), ("demo", "demo", 8001)])
def test_a_command_says_on_standard_error_which_site_it_speaks_to(checkout, site, folder, port):
    code, run = checkout
    database = code / "var" / folder / "deniable.sqlite3"
    owner = run("owner", f"ada-{folder}", site=site)
    assert owner.stderr == f"Site http://127.0.0.1:{port}, database {database}\n"
    assert owner.stdout.startswith(f"ada-{folder} may do everything on this site. Password: ")
    assert owner.stdout.count("\n") == 1
    with sqlite3.connect(database) as connection:
        assert connection.execute("SELECT username FROM auth_user").fetchall() == [(f"ada-{folder}",)]


@pytest.mark.slow
def test_a_command_to_a_site_that_never_ran_says_so_in_one_sentence(checkout):
    code, run = checkout
    done = run("owner", "ada", site="8002")
    site, sentence = done.stderr.splitlines()
    assert site == f"Site http://127.0.0.1:8002, database {code}/var/8002/deniable.sqlite3"
    assert done.returncode == 1 and done.stdout == "" and sentence.startswith("This database has no tables yet")


@pytest.mark.slow
@pytest.mark.parametrize(("command", "folder"), [("serve", "site"), ("demo", "demo")])
def test_serve_and_demo_take_a_folder_of_their_own(checkout, command, folder):
    code, run = checkout
    with (code / "var" / folder / "serve.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = run(command)
    assert f"already serves from {code}/var/{folder}. " in done.stderr
    assert done.stderr.endswith("start another site: make … SITE=8002, with a folder of its own.\n")


# The broker -----------------------------------------------------------------------------------------------------------


@pytest.mark.slow
# A demo starts the same way; tests/public/demo/test_demo.py has its refusals.
@pytest.mark.parametrize("command", [("serve",), pytest.param(("demo", "--no-stay"), marks=pytest.mark.long)])
def test_a_dead_broker_is_said_at_the_start(tmp_path, command):
    dead = free_port()
    url = f"redis://name:{SECRET}@127.0.0.1:{dead}/0"
    status, said = manage(tmp_path, *command, SITE=str(free_port()), REDIS_URL=url)
    assert status == 1 and SECRET not in said
    sentence = f"No Redis answers at redis://127.0.0.1:{dead}/0 (Connection refused). Start it, or unset REDIS_URL"
    assert f"CommandError: {sentence}" in said and "Traceback" not in said


def test_a_lost_broker_is_said_once_and_its_return_too(monkeypatch):
    monkeypatch.setattr(broker, "EVERY", 0.05)
    server, said = Redis(), []
    watch = broker.Watch(server.url, said.append)

    def heard(sentences):
        deadline = time.monotonic() + 60
        while len(said) < sentences and time.monotonic() < deadline:
            time.sleep(0.02)
        time.sleep(10 * broker.EVERY)  # no further sentence comes
        return said

    assert heard(0) == []
    server.kill()
    assert heard(1) == [f"No Redis answers at {server.url} (Connection refused). {broker.MEANWHILE}"]
    server.start()
    assert heard(2)[1:] == [f"Redis answers again at {server.url}."]
    watch.end()
    server.stop()


def test_the_broker_keeps_no_file():
    server = Redis()
    with broker.client(server.url) as client:
        for i in range(1000):
            client.set(f"key{i}", "x" * 1000)
    process = server._process
    process.terminate()
    process.wait()
    assert {path.name for path in server.directory.iterdir()} <= {"redis.log", "redis.sock"}
    server.stop()


# Taken ports and files (tests/public/demo/test_demo.py has those of a running site) -----------------------------------


def test_who_listens_on_a_port_is_found():
    with socket.socket() as mine:
        mine.bind(("127.0.0.1", 0))
        port = mine.getsockname()[1]
        assert preflight.listeners(port) == []
        mine.listen(1)
        ((pid, command),) = preflight.listeners(port)
        assert pid == os.getpid() and "python" in command


def test_who_listens_is_found_though_another_file_is_closed_meanwhile():
    """The closed file is the list of files itself, which has the lowest free number."""
    lower = os.open(os.devnull, os.O_RDONLY)
    with socket.create_server(("127.0.0.1", 0)) as mine:
        os.close(lower)
        assert [pid for pid, _ in preflight.listeners(mine.getsockname()[1])] == [os.getpid()]


def test_who_has_a_file_open_is_found(tmp_path):
    lock = tmp_path / preflight.PARTS_LOCK
    with lock.open("w"):
        ((pid, _),) = preflight.holders(lock)
        assert pid == os.getpid() and preflight.parts_complaint(lock).endswith(f"do not end: process {pid}.")
    assert preflight.holders(lock) == []


def test_a_start_that_has_left_no_record_yet_is_named_without_it(tmp_path):
    for text in (None, "", "{}", "[]", json.dumps({"pid": 1})):
        if text is not None:
            (tmp_path / "serve.json").write_text(text)
        complaint = preflight.directory_complaint(tmp_path, tmp_path / "serve.json")
        assert complaint.startswith(f"Another process already serves from {tmp_path}. ")
