"""The way to the pages of `make serve`: a broken-off answer never counts as complete, and an answer before the end of
the request counts."""

import socket
import threading
from http.client import IncompleteRead
from types import SimpleNamespace
from wsgiref.headers import Headers

import pytest

from surveys.router import CHUNK, Pages

PIECES = 3
REFUSED = b"HTTP/1.1 401 Unauthorized\r\nContent-Length: 2\r\n\r\nNo"
HEADERS = Headers([("host", "127.0.0.1")])
SCOPE = SimpleNamespace(method="GET", path="/", query_string="", headers=HEADERS, client="127.0.0.1:1")


@pytest.fixture
def pages(tmp_path):
    """Return a function that serves three pieces, minus a number of bytes, and returns the pages that read them."""
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


def test_a_request_that_was_refused_before_its_body_came_has_that_answer(tmp_path):
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "pages.sock"))
        listening.listen()

        def refuse():
            connection, _ = listening.accept()
            connection.sendall(REFUSED)
            connection.recv(1)
            connection.close()

        threading.Thread(target=refuse, daemon=True).start()
        pages = Pages(str(tmp_path / "pages.sock"))
        status, _, piece = pages.ask(SimpleNamespace(**vars(SCOPE) | {"method": "POST"}), bytes(4 << 20))
    assert (status, piece) == (401, b"No")
