"""Downloads of a survey whose questions are in several forms: every published number is recomputed."""

import csv
import json
import re
import subprocess
import sys

import pytest

import ldp
from tests.support.exports import closed, going_on

pytestmark = pytest.mark.django_db

QUESTIONS = [
    {"key": "region", "kind": "single_choice", "text": "Where?", "options": ["north", "south", "east"], "alpha": "1"},
    {"key": "smokes", "kind": "yes_no", "text": "Do you smoke?"},
    {"key": "often", "kind": "ordered", "text": "How often?", "options": ["never", "monthly", "weekly", "daily"]},
    {"key": "mood", "kind": "single_choice", "text": "How well?", "options": ["bad", "so so", "good"]},
    {"key": "income", "kind": "mean", "text": "How much?", "low": "0", "high": "1000", "unit": "euro"},
    {"key": "used", "kind": "multiple_choice", "text": "Which?", "options": ["a", "b", "c"]},
    {"key": "trust", "kind": "grid", "text": "Trust?", "items": ["one", "two"], "options": ["no", "yes"]},
]
USED, TRUST = ({"questions": [key], "alpha": "1", "sample": sample} for key, sample in (("used", 2), ("trust", 1)))


def together(keys, alpha, sizes):
    return {"questions": keys.split(), "alpha": alpha, "sizes": sizes}


DRAFT = {
    "title": "Overlapping",
    "questions": QUESTIONS,
    "forms": [
        {"weight": 2, "draws": [together("smokes often income", "3", [1, 2, 1]), USED]},
        {"weight": 1, "draws": [together("smokes often", "2", [1, 1]), {"questions": ["income"], "alpha": "1"}, TRUST]},
        {"weight": 1, "draws": [together("often mood", "3", [1, 1]), USED, TRUST]},
        {"weight": 1, "draws": [together("smokes mood", "2", [1, 1])]},
        {"weight": 1, "draws": [together("smokes mood", "3.5", [1, 1])]},
    ],
}  # fmt: skip
POOLED = {"smokes", "often", "mood", "income"}
SCRIPTS = [("recompute.py", [sys.executable, "-I"]), ("recompute.R", ["Rscript", "--vanilla"])]


@pytest.fixture(scope="module")
def files(taken_away):
    return taken_away(lambda: closed(DRAFT, 500))


@pytest.fixture(scope="module")
def files_of_every_release(taken_away):
    return taken_away(lambda: going_on(DRAFT, 1500))


def run(*command, folder):
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)


@pytest.mark.parametrize("release", ["files", "files_of_every_release"])
@pytest.mark.parametrize(("script", "program"), SCRIPTS, ids=["numpy", "R"])
def test_a_script_finds_every_published_number_again(request, release, script, program):
    folder = request.getfixturevalue(release)
    with (folder / "estimates.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["question"] for row in rows if " " in row["alpha"]} == POOLED
    assert {row["interval_method"] for row in rows} == {"exact" if release == "files" else "sequence"}
    done = run(*program, script, "microdata.csv", "codebook.json", "estimates.csv", folder=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.match(rf"{len(rows)} rows recomputed", done.stdout) and not done.stderr


CROSSED_IN_R = """source("recompute.R")
d <- read_microdata("microdata.csv")
b <- read_codebook("codebook.json")
for (pair in PAIRS) {
  found <- cross(d, b, pair[1], pair[2])
  for (name in NUMBERS) cat(sprintf("%.17g", found[[name]]), "\\n")
}
"""
# In order: lists of one option and of two; of one in both forms; of one in the only form that draws both; the first
# pair reversed; with a question for everyone.
PAIRS = [("smokes", "often"), ("smokes", "mood"), ("often", "mood"), ("often", "smokes"), ("region", "often")]
NUMBERS = ("estimate", "standard_error", "interval_low", "interval_high", "simultaneous_low", "simultaneous_high")


@pytest.mark.parametrize("release", ["files", "files_of_every_release"])
def test_r_crosses_what_several_forms_draw_together_alike(request, release):
    folder = request.getfixturevalue(release)
    pairs = ", ".join(f"c({json.dumps(first)}, {json.dumps(second)})" for first, second in PAIRS)
    done = run("Rscript", "--vanilla", "-e", CROSSED_IN_R.replace("PAIRS", f"list({pairs})"), folder=folder)
    assert done.returncode == 0, done.stderr
    lines, reports = iter(done.stdout.splitlines()), ldp.read(folder / "microdata.csv", folder / "codebook.json")
    for pair in PAIRS:
        mine = reports.cross(*pair)
        for name in NUMBERS:
            numbers = [float(number) for number in next(lines).split()]
            assert numbers == pytest.approx([row[name] for row in mine], abs=1e-9), (pair, name)
