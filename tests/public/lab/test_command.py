"""The lab on the command line has the page's rows and every figure of the page."""

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from ldp.central import trust
from surveys.public.lab.figures import FIGURES

NUMBERS = {"n": "300", "alpha": "0.8", "d": "4", "shares": "35", "delta": "1e-5", "confidence": "90"}
GIVEN = [f"--{name}={text}" for name, text in NUMBERS.items()]


@pytest.mark.slow
@pytest.mark.django_db
def test_it_writes_what_the_page_shows(tmp_path, capsys):
    call_command("lab", *GIVEN, "--svg", str(tmp_path / "svg"), "--csv", str(tmp_path / "csv"))
    assert {path.stem for path in (tmp_path / "svg").iterdir()} == set(FIGURES)
    for name in ("intervals", "power", "missing"):
        for kind, address in (("svg", f"{name}-light-wide.svg"), ("csv", f"{name}.csv")):
            written = (tmp_path / kind / f"{name}.{kind}").read_bytes()
            assert written == Client().get(f"/lab/figures/{address}", NUMBERS).content, (name, kind)
    rows = capsys.readouterr().out.splitlines()
    expected = trust.rows(300, 0.8, 4, 0.35, 0.9)
    assert len(rows) == 1 + len(expected)
    for line, row in zip(rows[1:], expected, strict=True):
        assert f"{100 * row.coverage:.2f}" in line and row.method in line


def test_it_writes_only_what_was_asked_for(tmp_path, capsys):
    call_command("lab", "--figures", "majority", "--csv", str(tmp_path))
    assert [path.name for path in tmp_path.iterdir()] == ["majority.csv"]
    call_command("lab")
    assert "Trusted curator" in capsys.readouterr().out


def test_it_refuses_all_bad_numbers_at_once():
    with pytest.raises(CommandError) as refused:
        call_command("lab", "--n=0", "--alpha=x", "--shares=120")
    assert [line.split(":")[0] for line in str(refused.value).splitlines()] == ["--n", "--alpha", "--shares"]
