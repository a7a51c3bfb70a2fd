"""The services behind the tests of faults work as those tests assume."""

import os
import signal

import psycopg

from tests.services.postgres import Postgres


def test_a_database_that_is_just_going_down_is_started_again():
    server = Postgres()
    try:
        os.kill(server.pids()[0], signal.SIGQUIT)
        while accepts(server):
            pass
        server.revive()  # its process may run for another moment
        assert accepts(server)
    finally:
        server.stop()


def accepts(server):
    try:
        psycopg.connect(server.url("postgres")).close()
        return True
    except psycopg.OperationalError:
        return False
