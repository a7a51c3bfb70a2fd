"""The respondents' page and its files are compressed in the way that the client accepts."""

import gzip

import brotli
import pytest
from django.http import HttpResponse
from django.test import RequestFactory

from surveys.web.compression import compressed

BODY = b"questions " * 100
PLAIN = {"br": brotli.decompress, "gzip": gzip.decompress, None: bytes}


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("gzip, deflate, br, zstd", "br"),
        ("gzip, deflate", "gzip"),
        ("br;q=0, gzip", "gzip"),
        ("br;q=0.000,gzip;q=0", None),
        ("gzip;q=1.0, br;q=0.001", "br"),
        ("GZIP", "gzip"),
        ("identity", None),
        ("", None),
    ],
)
def test_a_body_is_compressed_as_anyone_who_asks_takes_it(asked, expected):
    request = RequestFactory().get("/", headers={"Accept-Encoding": asked})
    response = compressed(request, HttpResponse(BODY))
    assert response.get("Content-Encoding") == expected and response["Vary"] == "Accept-Encoding"
    assert PLAIN[expected](response.content) == BODY
    assert expected is None or int(response["Content-Length"]) == len(response.content) < len(BODY)
