"""A model's numbers again from the published files, by the programs that people download (M40)."""

import json
import subprocess
import sys
from itertools import cycle

import pytest

from tests.support.exports import exported, unpack
from tests.support.regressions import ended, regressed
from tests.worker.test_regression import FORMS, given

pytestmark = pytest.mark.django_db

PROGRAMS = [("models.py", [sys.executable, "-I"]), ("models.R", ["Rscript", "--vanilla"])]
MODELS = [
    {"model": "logistic", "outcome": "smokes", "covariates": [{"key": "often"}, {"key": "where", "reference": 2}]},
    {"model": "linear", "outcome": "age", "scores": [29, 50, 79.5], "covariates": [{"key": "smokes"}]},
    {
        "model": "multinomial",
        "outcome": "where",
        "covariates": [{"key": "smokes"}, {"key": "often", "scores": [0, 1, 2]}],
    }
    | {"interactions": [["smokes", "often"]]},
    {"model": "ordered", "outcome": "often", "covariates": [{"key": "smokes"}, {"key": "where"}]},
    {"model": "linear", "outcome": "height", "scores": [0, 3], "covariates": [{"key": "smokes"}]},
]
IN_FORMS = [
    {"model": "logistic", "outcome": "all", "covariates": [{"key": "yes"}, {"key": "which"}]},
    {"model": "linear", "outcome": "which", "covariates": [{"key": "yes"}]},
    {"model": "logistic", "outcome": "yes", "covariates": [{"key": "all"}, {"key": "which"}]},
    {"model": "ordered", "outcome": "which", "covariates": [{"key": "all"}]},
    {"model": "multinomial", "outcome": "which", "covariates": [{"key": "yes"}]},
    {"model": "logistic", "outcome": "yes", "covariates": [{"key": "which", "scores": [0, 1, 2]}]},
]


@pytest.mark.slow
@pytest.mark.parametrize("models", [MODELS, IN_FORMS], ids=["everybody", "forms"])
def test_both_programs_find_the_published_numbers(tmp_path, models):
    survey = ended(600) if models is MODELS else ended(900, FORMS, given)
    folder = unpack(exported(survey), tmp_path)
    for model, part in zip(models, cycle(["coefficients", "predicted", "marginal"]), strict=False):
        document = regressed(survey, model).document
        assert document["refusal"] is None, model
        (folder / "regression.json").write_text(json.dumps(document))
        for program, command in PROGRAMS:
            done = run(folder, program, command)
            assert done.returncode == 0, done.stdout + done.stderr
            assert ("profile likelihood" in done.stdout) == any(row["profile"] for row in document["coefficients"])
        spoil(document, part)
        (folder / "regression.json").write_text(json.dumps(document))
        assert [run(folder, *each).returncode for each in PROGRAMS] == [1, 1]


def spoil(document, part):
    """Move one number by a millionth of itself: a limit by the profile likelihood where there is one, an end of an
    interval that holds with all others, or a standard error."""
    row = document[part][-1]
    if row.get("profile"):
        row["profile"][0][1] += 2e-6 * row["standard_error"]
    elif part == "marginal":
        row["simultaneous"][1][0] *= 1 + 1e-6
    else:
        row["standard_error"] *= 1 + 1e-6


def run(folder, program, command):
    files = ["microdata.csv", "codebook.json", "regression.json"]
    return subprocess.run([*command, program, *files], cwd=folder, capture_output=True, text=True, timeout=120)
