"""Files that were made to harm their reader are refused in words, within little time and memory."""

import io
import resource
import time
import zipfile

import pytest

from surveys.designer.xlsform import sandbox
from tests.support.workbooks import form, row, workbook

GOOD = form(row("select_one yes_no", "q", "?"))


def changed(parts, data=GOOD):
    """Return the workbook with these parts in place of its own."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as new:
        for name in {*old.namelist(), *parts}:
            new.writestr(name, parts[name] if name in parts else old.read(name))
    return file.getvalue()


def part(name, data=GOOD):
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return archive.read(name)


def quoting(entity):
    """Return the sheet of the good form with an entity as its question's label."""
    assert b"<t>?</t>" in part(SHEET)
    return part(SHEET).replace(b"<t>?</t>", b"<t>" + entity + b"</t>")


SHEET = "xl/worksheets/sheet1.xml"
ENTITIES = b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">%s]>'
LAUGHS = ENTITIES % b"".join(b'<!ENTITY %c "%s">' % (98 + i, b"&%c;" % (97 + i) * 10) for i in range(9))
OUTSIDE = b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]>'

HOSTILE = {
    "a zip bomb": (lambda: changed({SHEET: b" " * (64 << 20)}), "large"),
    "a bomb in a part that nobody reads": (lambda: changed({"xl/media/x.png": b" " * (64 << 20)}), "large"),
    "very many parts": (lambda: changed({f"x/{i}": b"" for i in range(1001)}), "large"),
    "entities of entities": (lambda: changed({SHEET: LAUGHS + quoting(b"&j;")}), "broken"),
    "an entity from outside": (lambda: changed({SHEET: OUTSIDE + quoting(b"&f;")}), "broken"),
    "entities in the workbook": (lambda: changed({"xl/workbook.xml": OUTSIDE + b"<x>&f;</x>"}), "broken"),
    "macros": (lambda: changed({"xl/vbaProject.bin": b"x"}), "macros"),
    "old macros": (lambda: changed({"xl/macrosheets/sheet1.xml": b"<x/>"}), "macros"),
    "thousands of rows": (lambda: form(*[row("note", "", "x")] * 5001), "rows"),
    "millions of options in all": (lambda: form(*_selects(90), choices=_list(250)), "large"),
    "long options in many languages": (lambda: form(*_selects(60), choices=_spoken_list(250)), "large"),
    "groups within groups without end": (lambda: form(*_nested(470)), "deep"),
    "no workbook": (lambda: changed({}, _zip({"a": b"b"})), "no workbook"),
    "half a file": (lambda: GOOD[: len(GOOD) // 2], "no workbook"),
    "a sheet that is no XML": (lambda: changed({SHEET: b"<sheet"}), "broken"),
    "a sheet of another length than it says": (lambda: _torn(), "broken"),
    "no form": (lambda: workbook(accounts=[["a", "b"], [1, 2]], more=[["x"]]), "form"),
    "a form with an error": (lambda: workbook(survey=[["type", "name", "label"], ["select_one x", "q", "?"]]), "form"),
    "a spreadsheet in the old format": (lambda: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "old"),
}


def _selects(count):
    return [row("select_one long", f"q{i}", "?") for i in range(count)]


def _spoken_list(count):
    languages = [f"label::L (q{letter})" for letter in "abcdefghijklmnop"]
    return [["list_name", "name", *languages], *(["long", str(i), *[f"{i} {'x' * 190}"] * 16] for i in range(count))]


def _nested(count):
    inside = row("select_one yes_no", "q", "?")
    return [*(row("begin_group", f"g{i}", "In") for i in range(count)), inside, *[row("end_group")] * count]


def _list(count):
    return [["list_name", "name", "label"], *(["long", str(i), f"Option {i}"] for i in range(count))]


def _zip(parts):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return file.getvalue()


def _torn():
    data = _zip({"xl/workbook.xml": b"<x/>", SHEET: b"abcdefgh" * 100})
    return data.replace(b"abcdefgh" * 3, b"abcdefgX" * 3, 1)


@pytest.mark.parametrize(("made", "reason"), HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_file_is_refused_in_words(made, reason):
    with pytest.raises(sandbox.Unreadable) as refused:
        sandbox.read(made())
    assert refused.value.reason == reason and str(sandbox.REASONS[reason]) in str(refused.value)
    assert "passwd" not in str(refused.value) and "root" not in str(refused.value)


def test_groups_that_a_person_would_make_are_not_too_deep():
    assert sandbox.read(form(*_nested(50)))["form"]


def test_a_far_away_cell_costs_no_rows_between():
    cell = b'<row r="1048576"><c r="XFD1048576" t="inlineStr"><is><t>x</t></is></c></row></sheetData>'
    far = changed({SHEET: part(SHEET).replace(b"</sheetData>", cell)})
    began = time.monotonic()
    assert [question["name"] for question in sandbox.read(far)["form"]["children"]] == ["q", "meta"]
    assert time.monotonic() - began < sandbox.SECONDS


def test_what_takes_too_long_is_ended(monkeypatch):
    monkeypatch.setattr(sandbox, "SECONDS", 0.05)
    with pytest.raises(sandbox.Unreadable, match=r"too long|slow"):
        sandbox.read(GOOD)


def test_a_reader_that_was_ended_by_its_limit_is_told_as_slow_and_one_without_memory_as_large(monkeypatch, tmp_path):
    for name, code, reason in (
        ("time", "import resource\nresource.setrlimit(resource.RLIMIT_CPU, (1, 1))\nwhile True: pass", "slow"),
        (
            "memory",
            "import resource\nresource.setrlimit(resource.RLIMIT_AS, (1 << 28,) * 2)\nx = bytes(1 << 30)",
            "large",
        ),
        ("answer", "print('x' * (9 << 20))", "large"),
    ):
        program = tmp_path / f"{name}.py"
        program.write_text(code)
        monkeypatch.setattr(sandbox, "READER", program)
        with pytest.raises(sandbox.Unreadable) as refused:
            sandbox.read(GOOD)
        assert refused.value.reason == reason, name


def test_the_reader_knows_no_secret_and_writes_no_file(monkeypatch, tmp_path):
    program = tmp_path / "looks.py"
    body = sandbox.READER.read_text(encoding="utf-8").partition("def read(")[0]
    program.write_text(
        f"{body}\nimport os\n_limit()\n"
        f"try:\n    with open({str(tmp_path / 'written')!r}, 'w') as file:\n        file.write('x')\n    wrote = True\n"
        "except OSError:\n    wrote = False\n"
        "print(json.dumps({'wrote': wrote, 'names': sorted(os.environ)}))\n"
    )
    monkeypatch.setattr(sandbox, "READER", program)
    monkeypatch.setenv("SECRET_KEY", "s3cret")
    seen = sandbox.read(b"")
    assert not seen["wrote"]
    assert not {name for name in seen["names"] if "SECRET" in name or "DATABASE" in name or "DJANGO" in name}


def test_formulas_are_not_computed_and_are_told():
    data = form(row("select_one yes_no", "q", "=1+1"))
    assert sandbox.read(data)["notes"] == [["no value", "survey", "C2", ""]]
    assert not sandbox.read(GOOD)["notes"]


def test_many_files_at_once_wait_for_a_place(monkeypatch):
    monkeypatch.setattr(sandbox, "WAITING", 0.01)
    held = [sandbox.PLACES.acquire(blocking=False) for _ in range(2)]
    try:
        assert held == [True, True]
        with pytest.raises(sandbox.Unreadable, match="Other spreadsheets"):
            sandbox.read(GOOD)
    finally:
        for _ in held:
            sandbox.PLACES.release()
    assert sandbox.read(GOOD)["form"]


def test_the_largest_form_that_is_read_stays_within_the_limits_of_the_reader():
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    rows = [row("select_one yes_no", f"q{i}", "What do you think of this? " * 8) for i in range(2000)]
    assert len(sandbox.read(form(*rows))["form"]["children"]) == 2001
    spent = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before.ru_utime
    assert spent < 5, "half of what the reader has"
