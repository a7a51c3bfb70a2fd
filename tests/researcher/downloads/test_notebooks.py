"""The documents on downloads match the files: their blocks of code run, and their columns are the columns."""

import re
import subprocess
from pathlib import Path

import numpy as np
import pytest
from django.test import Client

import ldp
from surveys.public.demo.drafts import draft
from tests.public.demo.test_design import UNCROSSED
from tests.researcher.results.test_honesty import ended
from tests.support.exports import closed, exported, unpack

pytestmark = pytest.mark.django_db

DOCS = Path(__file__).parents[3] / "docs"


def blocks(language):
    text = (DOCS / "researchers" / "notebooks.md").read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def test_every_block_of_the_notebook_page_runs(tmp_path, monkeypatch, capsys):
    folder = unpack(exported(closed(draft() | {"forms": UNCROSSED}, 400)), tmp_path)
    monkeypatch.chdir(folder)
    assert len(blocks("python")) == 9 and len(blocks("r")) == 5
    exec("\n".join(blocks("python")), {})
    assert "Yes  " in capsys.readouterr().out
    done = subprocess.run(["Rscript", "--vanilla", "-e", "\n".join(blocks("r"))], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert " Yes population" in done.stdout and "probit " in done.stdout
    assert done.stdout.count("(standard error ") == 2 + 5, "a model's coefficients and weighted shares"
    assert (folder / "coefficients.png").read_bytes().startswith(b"\x89PNG")


def test_a_question_is_weighted_by_one_or_by_several_others(tmp_path):
    questions = [{"key": key, "kind": "yes_no", "text": key, "alpha": "8"} for key in ("town", "young", "smokes")]
    folder = unpack(exported(closed({"title": "Three", "questions": questions}, 1000)), tmp_path)
    reports = ldp.read(folder / "microdata.csv", folder / "codebook.json")
    for by, shares in (("town", [0.7, 0.3]), (["town", "young"], [[0.7, 0.3], [0.4, 0.6]])):
        rows = reports.weighted("smokes", by, shares)
        assert [row["option"] for row in rows] == ["Yes", "No"]
        assert sum(row["estimate"] for row in rows) == pytest.approx(1)
        assert all(
            row["levels"][0]["interval"][0] < row["unweighted"] < row["levels"][0]["interval"][1] for row in rows
        )
    with pytest.raises(ValueError, match="one for each answer"):
        reports.weighted("smokes", "town", [1])
    with pytest.raises(ValueError, match="too few reports"):
        few = ldp.read({name: column[:40] for name, column in reports.columns.items()}, reports.codebook)
        few.weighted("smokes", ["town", "young"], [[0.7, 0.3], [0.4, 0.6]], 0.9)


def test_a_question_is_corrected_by_an_attention_question_as_on_the_site(tmp_path):
    survey = ended()
    folder = unpack(exported(survey), tmp_path)
    reports = ldp.read(folder / "microdata.csv", folder / "codebook.json")
    published = Client().get(f"/r/{survey.slug}/1/cross/check/smokes/corrected.json").json()["shares"]
    mine = reports.corrected("smokes", by="check")
    for row, share in zip(mine, published, strict=True):
        assert row["estimate"] == share["estimate"] and row["levels"][0] == share["levels"][1]
    with pytest.raises(ValueError, match="must be an attention question"):
        reports.corrected("check", by="smokes")
    few = {name: column[:10] for name, column in reports.columns.items()} | {"check": np.arange(10, dtype=np.int16) % 2}
    with pytest.raises(ValueError, match="would be enough"):
        ldp.read(few, reports.codebook).corrected("smokes", by="check")
