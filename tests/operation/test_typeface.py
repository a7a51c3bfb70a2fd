"""The headings' typeface: served by the site itself, small, and with every letter that its own headings need."""

import io
import re
import subprocess
import threading
from pathlib import Path

import pytest
from django.conf import settings
from fontTools.ttLib import TTFont

from surveys.operation import typeface
from surveys.operation.faults import FAULTS

STYLE = Path(settings.BASE_DIR, "surveys/static/web/site.css").read_text("utf-8")
CATALOGS = sorted(Path(settings.BASE_DIR, "surveys/locale").glob("*/LC_MESSAGES/django.po"))
ADDRESS = f"/typeface/{typeface.NAME}"


@pytest.fixture(scope="module")
def directory(tmp_path_factory):
    """Where a site's data is that nobody has visited."""
    return tmp_path_factory.mktemp("data")


@pytest.fixture
def answer(client, settings, directory):
    settings.DATA_DIR = directory
    return client.get(ADDRESS)


def test_it_is_kept_for_a_year_and_weighs_28_kilobytes(answer):
    assert answer["Content-Type"] == "font/woff2" and "immutable" in answer["Cache-Control"]
    assert answer.content[:4] == b"wOF2" and len(answer.content) < 28_000


def test_it_has_every_latin_letter_of_the_sites_own_texts(answer):
    texts = "".join(catalog.read_text("utf-8") for catalog in CATALOGS)
    letters = {letter for letter in texts if letter.isalpha() and ord(letter) < 0x600}
    assert len(letters) > 60 and letters <= {chr(code) for code in TTFont(io.BytesIO(answer.content)).getBestCmap()}


def test_it_does_not_call_itself_by_the_name_that_its_licence_reserves(answer):
    names = {name.nameID: str(name) for name in TTFont(io.BytesIO(answer.content))["name"].names}
    assert not any("Source" in names[which] for which in (1, 2, 3, 4, 6) if which in names)
    assert "Reserved Font Name" in names[0] and "Open Font License" in names[13]


def test_it_is_made_once(answer, client, directory):
    (made,) = directory.iterdir()
    before = made.stat().st_mtime_ns
    assert client.get(ADDRESS).content == answer.content == made.read_bytes()
    assert made.stat().st_mtime_ns == before


def test_two_that_make_it_at_once_write_no_common_file(tmp_path, monkeypatch):
    """As on two machines with one disk, where the threads have the same numbers."""
    written = []
    monkeypatch.setattr(threading, "get_native_id", lambda: 7)
    monkeypatch.setattr(subprocess, "run", lambda command, **_: written.append(_write(command)))
    for _ in range(2):
        typeface._make(tmp_path / typeface.NAME)
    assert len(set(written)) == 2 and [each.name for each in tmp_path.iterdir()] == [typeface.NAME]


def test_what_fails_leaves_nothing_behind(tmp_path, monkeypatch):
    monkeypatch.setattr(typeface, "LETTERS", "no letters")
    with pytest.raises(subprocess.CalledProcessError):
        typeface._make(tmp_path / typeface.NAME)
    assert not list(tmp_path.iterdir())


def _write(command):
    (own,) = [each.partition("=")[2] for each in command if each.startswith("--output-file=")]
    Path(own).write_bytes(b"wOF2")
    return own


def test_there_is_no_other(client):
    assert client.get("/typeface/serif-2.woff2").status_code == 404


def test_the_style_names_its_address_and_the_letters_that_it_has():
    (face,) = re.findall(r"@font-face \{.*?\}", STYLE, re.DOTALL)
    assert f'url("{ADDRESS}")' in face
    assert re.search(r"unicode-range: (.*);", face)[1].replace(" ", "") == typeface.LETTERS


def test_where_it_cannot_be_made_nobody_waits_for_the_next_try(client, settings, tmp_path, monkeypatch, caplog):
    settings.DATA_DIR = tmp_path / "a file"
    settings.DATA_DIR.write_text("no directory")
    monkeypatch.setattr(typeface, "_failed_at", -float(typeface.PAUSE))
    assert [client.get(ADDRESS).status_code for _ in range(3)] == [404] * 3
    FAULTS.write()
    assert caplog.text.count("The typeface of headings could not be made, 1 in a minute") == 1
    settings.DATA_DIR = tmp_path
    monkeypatch.setattr(typeface, "_failed_at", -float(typeface.PAUSE))
    assert client.get(ADDRESS).status_code == 200
