"""The documents on downloads say what is there: their blocks of code run, and their columns are the columns."""

import re
import subprocess
from pathlib import Path

import pytest

from surveys.demo.respondents import draft
from surveys.research import column_docs
from tests.support.exports import closed, exported, unpack

pytestmark = pytest.mark.django_db

DOCS = Path(__file__).parents[2] / "docs"


def blocks(language):
    text = (DOCS / "notebooks.md").read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def test_every_block_of_the_notebook_page_runs(tmp_path, monkeypatch, capsys):
    folder = unpack(exported(closed(draft(), 400)), tmp_path)
    monkeypatch.chdir(folder)
    assert len(blocks("python")) == 8 and len(blocks("r")) == 2
    exec("\n".join(blocks("python")), {})
    assert "Yes  " in capsys.readouterr().out
    done = subprocess.run(["Rscript", "--vanilla", "-e", "\n".join(blocks("r"))], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert " Yes population" in done.stdout


def test_the_columns_are_those_of_the_document():
    text = (DOCS / "downloads.md").read_text(encoding="utf-8")
    for columns in (*column_docs.FILES.values(), column_docs.FORM):
        table = "\n".join(f"| `{name}` | {kind} | {meaning} |" for name, (kind, meaning) in columns.items())
        assert table in text
