"""Downloadable programs recompute a model's numbers from the published files (M40)."""

import copy
import json
import re
import subprocess
import sys
from itertools import cycle

import pytest

from tests.support.analyses import regressed
from tests.support.exports import exported, unpack
from tests.support.regressions import ended
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
OF_LARGER = [IN_FORMS[1], IN_FORMS[5]]
LARGER = copy.deepcopy(FORMS)
LARGER["forms"][0]["draws"][0]["sizes"] = [1, 2]
OF_FEW = [
    {"model": "logistic", "outcome": "yes", "covariates": [{"key": "which"}]},
    {"model": "logistic", "outcome": "yes", "covariates": [{"key": "which", "reference": 2}, {"key": "all"}]},
    {"model": "logistic", "outcome": "all", "covariates": [{"key": "which"}]},
    {"model": "multinomial", "outcome": "which", "covariates": [{"key": "yes", "reference": 1}]},
    {"model": "ordered", "outcome": "which", "covariates": [{"key": "yes"}]},
]


def rarely(i):
    """Return answers with a rare yes and a rare "all" for the first answer to which, less rare for the second."""
    which, person = (i // 2) % 3, i // 6
    often = (12, 6, 2)[which]
    yes, every = person % often > 0, person // 3 % (often // 2 + 1) > 0
    return {"yes": int(yes), "which": which, "all": int(every), "other": 0}


SURVEYS = {
    "everyone": (MODELS, lambda: ended(600)),
    "forms": (IN_FORMS, lambda: ended(900, FORMS, given)),
    "larger sizes": (OF_LARGER, lambda: ended(6000, LARGER, given)),
    "rare answers": (OF_FEW, lambda: ended(900, FORMS, rarely)),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", SURVEYS)
def test_both_programs_find_the_published_numbers(tmp_path, name):
    models, survey_of = SURVEYS[name]
    survey = survey_of()
    folder = unpack(exported(survey), tmp_path)
    documents = [regressed(survey, model).document for model in models]
    assert not [document for document in documents if document["refusal"] is not None]
    limits = [end for each in documents for row in each["coefficients"] for ends in row["intervals"] for end in ends]
    assert models is not OF_FEW or None in limits
    written = [write(folder, f"{k}.json", document) for k, document in enumerate(documents)]
    profiled = [any(row["profile"] for row in document["coefficients"]) for document in documents]
    for document, part in zip(documents, cycle(["coefficients", "predicted", "marginal"]), strict=False):
        spoil(document, part)
    spoiled = [write(folder, f"spoiled-{k}.json", document) for k, document in enumerate(documents)]
    for each in PROGRAMS:
        done = run(folder, *each, written)
        assert done.returncode == 0, done.stdout + done.stderr
        assert ["profile likelihood" in line for line in done.stdout.splitlines()] == profiled
        done = run(folder, *each, [*spoiled, written[0]])
        assert done.returncode == 1, done.stdout + done.stderr
        assert [is_far(line) for line in done.stdout.splitlines()] == [True] * len(spoiled) + [False]


def write(folder, name, document):
    (folder / name).write_text(json.dumps(document))
    return name


def is_far(line):
    """Return whether a program's line on a model says that a number or a limit differs from the published one."""
    of_numbers, of_limits = re.search(r"difference is (\S+) standard errors(?:; .* (\S+))?\.$", line).groups("0")
    return float(of_numbers) > 1e-8 or float(of_limits) > 1e-6


def spoil(document, part):
    """Move one number slightly: a profile likelihood limit if there is one, an end of a simultaneous interval, or a
    standard error."""
    row = document[part][-1]
    if row.get("profile"):
        row["profile"][0][1] += 2e-6 * row["standard_error"]
    elif part == "marginal":
        row["simultaneous"][1][0] *= 1 + 1e-6
    else:
        row["standard_error"] *= 1 + 1e-6


def run(folder, program, command, models):
    files = ["microdata.csv", "codebook.json", *models]
    return subprocess.run([*command, program, *files], cwd=folder, capture_output=True, text=True, timeout=120)
