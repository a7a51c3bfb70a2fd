"""The way to the pages of `make serve`: an answer that breaks off is never taken for a whole one."""

import socket
import threading
from http.client import IncompleteRead
from types import SimpleNamespace

import pytest

from surveys.router import CHUNK, Pages

PIECES = 3
SCOPE = SimpleNamespace(method="GET", path="/", query_string="", headers={"host": "127.0.0.1"}, client="127.0.0.1:1")


@pytest.fixture
def pages(tmp_path):
    """A conversation with a server that states the length of three pieces and sends fewer bytes by the number given."""
    path = str(tmp_path / "pages.sock")
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(path)
    listening.listen()

    def serve(missing):
        def answer():
            connection, _ = listening.accept()
            with connection:
                connection.recv(1 << 16)
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % (PIECES * CHUNK))
                connection.sendall(bytes(PIECES * CHUNK - missing))

        threading.Thread(target=answer, daemon=True).start()
        return Pages(path)

    yield serve
    listening.close()


def read(pages):
    status, _, piece = pages.ask(SCOPE, b"")
    assert status == 200
    size = 0
    while piece:
        size += len(piece)
        piece = pages.more()
    return size


def test_a_long_answer_comes_piece_by_piece(pages):
    assert read(pages(0)) == PIECES * CHUNK


@pytest.mark.parametrize("missing", [1, CHUNK, CHUNK + 1, PIECES * CHUNK])
def test_an_answer_that_breaks_off_is_an_error(pages, missing):
    with pytest.raises(IncompleteRead):
        read(pages(missing))
