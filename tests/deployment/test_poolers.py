"""A pooler between the site and PostgreSQL. The check and every connection name and refuse a pooler that keeps no
sessions. A pooler that keeps them works: test_deployment.py deploys, loads and upgrades the site behind it."""

import os
import secrets
import subprocess
import sys

import psycopg
import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db.utils import ConnectionHandler

from surveys.operation import environment, pooling
from tests.services.pgbouncer import PgBouncer
from tests.services.system import ROOT

pytestmark = [pytest.mark.system, pytest.mark.slow]


@pytest.fixture
def pool(request, postgres):
    pool = PgBouncer(postgres, *request.param)
    yield pool
    pool.stop()


def pools(*modes):
    return pytest.mark.parametrize("pool", modes, indirect=True, ids=lambda mode: "-".join(map(str, mode)))


def new_database(pool):
    return pool.create(f"pooled_{secrets.token_hex(4)}")


@pools(("transaction",))
def test_the_check_names_a_pooler_that_keeps_no_sessions(pool, tmp_path):
    env = os.environ | {"DATABASE_URL": new_database(pool), "DATA_DIR": str(tmp_path)}
    env |= {"SITE_URL": "https://survey.example.org", "STAFF_URL": "https://staff.example.org"}
    command = [sys.executable, "manage.py", "check", "--deploy", "--database", "default"]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)
    assert done.returncode != 0 and "deniable.E001" in done.stderr
    assert "lends PostgreSQL's connections for one transaction" in done.stderr
    assert "pool_mode to session" in done.stderr


@pytest.fixture
def connect(monkeypatch, tmp_path, django_db_blocker):
    """Make a new connection of the site to a pool, with the site's settings, in a process that knows no pool."""
    monkeypatch.setattr(pooling, "_keeps_sessions", False)

    def to(url):
        monkeypatch.setenv("DATABASE_URL", url)
        entry = environment.database("DATABASE_URL", tmp_path / "none")
        with django_db_blocker.unblock():
            connection = ConnectionHandler({"default": entry})["default"]
            connection.ensure_connection()
            connection.close()

    return to


@pools(("statement",), ("transaction", 1), ("transaction", 2), ("transaction", 20))
@pytest.mark.parametrize("others", [0, 6])
def test_a_pooler_is_found_out_in_a_pool_of_any_size_and_beside_others(pool, connect, others):
    url = new_database(pool)
    connections = [psycopg.connect(url, autocommit=True) for _ in range(others)]
    try:
        for connection in connections:
            connection.execute("SELECT 1", prepare=False)
        with pytest.raises(ImproperlyConfigured, match=f"connections for one {pool.mode}.* pool_mode to session"):
            connect(url)
    finally:
        for connection in connections:
            connection.close()


@pools(("session",))
def test_one_that_keeps_sessions_is_accepted(pool, connect):
    connect(new_database(pool))
    assert pooling._keeps_sessions, "it was seen to be a pooler, and tried"
