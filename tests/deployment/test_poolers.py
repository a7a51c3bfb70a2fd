"""A pooler between the site and PostgreSQL: one that keeps sessions works, any other is named and refused."""

import os
import secrets
import subprocess
import sys

import psycopg
import pytest

from tests.services.pgbouncer import PgBouncer
from tests.services.system import ROOT, ProductionSystem
from tests.support.journeys import open_survey, published

pytestmark = [pytest.mark.system, pytest.mark.slow]


@pytest.fixture(params=["transaction", "statement", "session"])
def pool(request, postgres):
    pool = PgBouncer(postgres, request.param)
    pool.mode = request.param
    yield pool
    pool.stop()


def check(url, directory):
    env = os.environ | {"DATABASE_URL": url, "DATA_DIR": str(directory), "SITE_URL": "https://survey.example.org"}
    env |= {"STAFF_URL": "https://staff.example.org"}
    command = [sys.executable, "manage.py", "check", "--deploy", "--database", "default"]
    return subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)


def test_the_check_names_a_pooler_that_keeps_no_sessions(pool, tmp_path):
    done = check(pool.create(f"pooled_{secrets.token_hex(4)}"), tmp_path)
    if pool.mode == "session":
        assert done.returncode == 0, done.stderr
        return
    assert done.returncode != 0 and "deniable.E001" in done.stderr
    assert f"hands PostgreSQL's connections out by {pool.mode}" in done.stderr and "pool_mode to session" in done.stderr


@pytest.mark.parametrize("size", [1, 2, 20])
@pytest.mark.parametrize("others", [0, 6])
def test_it_is_found_out_in_a_pool_of_any_size_and_beside_others(postgres, tmp_path, size, others):
    pool = PgBouncer(postgres, "transaction", size)
    url = pool.create(f"pooled_{secrets.token_hex(4)}")
    connections = [psycopg.connect(url, autocommit=True) for _ in range(others)]
    try:
        for connection in connections:
            connection.execute("SELECT 1", prepare=False)
        assert "out by transaction" in check(url, tmp_path).stderr
    finally:
        for connection in connections:
            connection.close()
        pool.stop()


def test_reports_go_through_a_pooler_that_keeps_sessions_under_load(postgres, tmp_path):
    pool = PgBouncer(postgres, "session", 60)
    try:
        system = ProductionSystem(pool)
        try:
            slug = open_survey(system, tmp_path)
            printed = system.manage("load", slug, "--reports", "400", "--threads", "8", "--twice", "0.2")
            assert "400 reports acknowledged" in printed
            system.manage("survey", "close", "--", slug)
            assert published(system, slug, lambda document: document["final"])["n"] == 400
        finally:
            system.stop()
    finally:
        pool.stop()
