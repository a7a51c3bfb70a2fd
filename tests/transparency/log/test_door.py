"""The log answers every request, and so does its door for witnesses. It keeps only cosignatures of witnesses in the
settings."""

import time

import pytest
from django.test import Client

from surveys.models import Cosignature, LogEntry
from surveys.transparency.check import verify
from surveys.transparency.log import cosignatures, note
from tests.support.factories import opened_survey

pytestmark = [pytest.mark.django_db, pytest.mark.database]

SEED = bytes(range(32))
WITNESS = verify.Key("one.example", verify.COSIGNATURE, verify.public_of(SEED))
LARGE = [1 << 31, (1 << 31) - 1, 1 << 32, 1 << 63, 10**30, "9" * 5000]


@pytest.fixture
def newest(settings):
    """Return the text of the newest checkpoint of a log that one witness may sign."""
    settings.LOG_WITNESSES = [note.public_key(str(WITNESS))]
    settings.LOG_QUORUM = 1
    opened_survey()
    return str(cosignatures.newest())


def line(text, moment=None):
    moment = int(time.time()) if moment is None else moment
    return WITNESS.line(moment.to_bytes(8) + verify.sign(SEED, verify.cosigned(text, moment)))


def sent(body):
    return Client().post("/check/log/cosignatures", body, content_type="text/plain").status_code


@pytest.mark.parametrize("size", LARGE, ids=range(len(LARGE)))
def test_a_size_beyond_any_log_is_not_there(newest, size):
    asked = (f"checkpoint/{size}", f"inclusion/0/{size}", f"consistency/1/{size}", f"inclusion/{size}/{size}")
    for path in asked:
        assert Client().get(f"/check/log/{path}").status_code == 404, path


@pytest.mark.parametrize(
    "path",
    ["checkpoint/0", "checkpoint/-1", "inclusion/1/1", "consistency/0/1", "consistency/2/1", "checkpoint/1.5"]
    + [f"tile/{level}/{place}" for level in ("0", "entries") for place in (
        "x999/x999/x999/999", "x999/x999/x999/x999/999", "000.p/0", "000.p/257", "000.p/256", "000.p/01", "000.p/-1",
        "0", "0000", "../000", "٠٠٠", "000.p/١", "000/", "x000/000", "999",
    )]
    + ["tile/4/000", "tile/-1/000", "tile/00/000.p/1", "tile/data/000.p/1", "tile/99999999999/000.p/1"],
)  # fmt: skip
def test_a_place_that_no_tree_has_is_not_there(newest, path):
    assert Client().get(f"/check/log/{path}").status_code == 404


def test_what_is_no_cosignature_of_this_log_is_refused_and_nothing_is_kept(newest):
    good, size = line(newest), LogEntry.objects.count()
    origin, _, root, _ = newest.split("\n")
    beyond = f"{origin}\n{size + 1}\n{root}\n"
    bodies = [
        *("", "\n\n", "x", newest, f"{newest}\n", f"{newest}\n{good[:-1]}", f"{newest}{good}", f"\n{newest}\n{good}"),
        *(f"{newest}\n{good * 65}", f"{newest}\n{good.replace('one.example', 'one example')}", f"{newest}\nx{good}"),
        *(f"{beyond}\n{line(beyond)}", f"{newest.replace(origin, 'a.example')}\n{good}"),
        *(f"{origin}\n{large}\n{root}\n\n{good}" for large in ("9999999999", "-1", "0", "01", "9" * 5000)),
        *(f"{newest}\n{line(newest, moment)}" for moment in (0, 1 << 63, (1 << 64) - 1)),
        f"{newest}\n{good}{WITNESS.line(bytes(72))}",
        f"{newest}\n{WITNESS.line(bytes(71))}",
        f"{newest}\n{good}— x AAAAAAB=\n",
        f"{newest}\n{good}\x1b[2J",
        b"\xff" + newest.encode(),
    ]
    for body in bodies:
        assert sent(body) == 422, body
    assert sent("x" * 16_385) == 413
    assert Client().get("/check/log/cosignatures").status_code == 405
    assert not Cosignature.objects.exists()


def test_a_line_that_stands_twice_is_kept_once_and_an_older_one_does_not_replace_it(newest):
    now = int(time.time())
    assert sent(f"{newest}\n{line(newest, now) * 2}") == 200
    assert sent(f"{newest}\n{line(newest, now - 9)}") == 200
    assert Cosignature.objects.get().line == line(newest, now)
    other = note.new_key("two.example").public_of(note.COSIGNATURE)
    assert sent(f"{newest}\n{note.signature_line(other, bytes(72))}") == 200, "it belongs to no witness of the settings"
    assert Cosignature.objects.count() == 1
