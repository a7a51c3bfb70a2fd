"""Models, weighted and corrected shares, cross-tables and likelihoods of questions in several forms, by the programs
that people download. Each program gives the site's numbers to 1e-9, or the site's reason for giving none."""

import copy
import json
import math
import re
import subprocess
import sys
from itertools import pairwise

import numpy as np
import pytest

import ldp
from ldp import likelihood
from ldp.inference.variables import NotCrossed
from ldp.regression.pairs import PairsMissing
from surveys.researcher.analyses.frame.inputs import AnalysisRefused
from tests.researcher.downloads import test_likelihood
from tests.researcher.downloads.test_weights import by_several, corrected, weighted
from tests.support.analyses import regressed
from tests.support.exports import exported, unpack
from tests.support.regressions import ended

pytestmark = pytest.mark.django_db


def together(keys, alpha, sizes):
    return {"questions": keys.split(), "alpha": alpha, "sizes": sizes}


def alone(key, alpha):
    return {"questions": [key], "alpha": alpha}


DRAFT = {
    "title": "Overlapping",
    "questions": [
        {"key": "region", "kind": "single_choice", "text": "Where?", "options": ["a", "b", "c"], "alpha": "6"},
        {"key": "smokes", "kind": "yes_no", "text": "Do you smoke?"},
        {"key": "often", "kind": "ordered", "text": "How often?", "options": ["never", "monthly", "weekly", "daily"]},
        {"key": "mood", "kind": "single_choice", "text": "How well?", "options": ["good", "so so", "bad"], "right": 0},
        {"key": "income", "kind": "mean", "text": "How much?", "low": "0", "high": "1000", "unit": "euro"},
        {"key": "near", "kind": "ordered", "text": "Near?", "options": ["a", "b", "c"], "alpha": "6"}
        | {"mechanism": "exponential"},
        {"key": "far", "kind": "ordered", "text": "Far?", "options": ["a", "b", "c"], "alpha": "5"}
        | {"mechanism": "bitwise"},
    ],
    "forms": [
        {"weight": 2, "draws": [together("smokes often income", "9", [1, 2, 1])]},
        {"weight": 1, "draws": [together("smokes often", "6", [1, 1]), alone("income", "3")]},
        {"weight": 1, "draws": [together("often mood", "8", [1, 1])]},
        {"weight": 1, "draws": [together("often mood", "8", [1, 1])]},
        {"weight": 1, "draws": [together("smokes mood", "6", [1, 1])]},
        {"weight": 1, "draws": [together("smokes mood", "9", [1, 1])]},
        {"weight": 1, "draws": [alone("smokes", "4"), alone("often", "6")]},
    ],
}


def answers(i):
    smokes, often = i // 3 % 2, i // 2 % 4 if i % 5 else 3 * (1 - i // 3 % 2)
    mood = i // 7 % 3 if i % 3 else 0
    rest = {"income": str(i % 1000), "near": i // 5 % 3, "far": i // 4 % 3}
    return {"region": i % 3, "smokes": smokes, "often": often, "mood": mood} | rest


def model(outcome, *covariates, kind="linear", **fields):
    made = [each if isinstance(each, dict) else {"key": each} for each in covariates]
    return {"model": kind, "outcome": outcome, "covariates": made} | fields


MODELS = [
    model("often", "smokes"),
    model("income", "smokes", {"key": "often", "scores": [0, 1, 2, 3]}, scores=[0, 1000]),
    model("smokes", "mood", {"key": "often", "reference": 1}),
    # One question is asked of everyone, so forms inform about it report by report; several draws of bits and channels.
    model("smokes", "mood", "near", "far"),
    model("often", "region", "mood"),
    # Two forms that randomize both questions the same way are one sample.
    model("often", "mood", "far", interactions=[["mood", "far"]]),
    model("often", "mood", kind="ordered"),
]
NOT_MODELS = [
    (model("smokes", "region", kind="logistic"), "channels", NotCrossed("channels")),
    (model("mood", "often", "smokes", kind="multinomial"), "forms", NotCrossed("forms")),
    (model("income", "mood", "often", scores=[0, 1000]), "pairs", PairsMissing([("income", "mood")])),
]
# The question with known shares, the weighted question, and the shares in percent.
ONE = [
    ("smokes", "often", "40,60"),
    ("often", "smokes", "10,20,30,40"),
    ("mood", "smokes", "40,30,30"),
    ("mood", "often", "40,30,30"),
    ("region", "often", "30,30,40"),
    ("far", "often", "30,30,40"),
    ("near", "smokes", "30,30,40"),
    ("often", "far", "25,25,25,25"),
]
SEVERAL = [
    ("often", {"near": (0.3, 0.3, 0.4), "far": (0.3, 0.3, 0.4)}),
    ("region", {"near": (0.3, 0.3, 0.4), "far": (0.3, 0.3, 0.4)}),
]
ANCHORED = [("mood", "smokes"), ("mood", "often"), ("mood", "region"), ("mood", "far")]
PROGRAMS = {"py": [sys.executable], "R": ["Rscript", "--vanilla"]}


@pytest.fixture(scope="module")
def folder(taken_away):
    """Return the folder with the files of a survey and its analyses."""
    documents = {}

    def make():
        survey = ended(4000, copy.deepcopy(DRAFT), answers)
        documents["models"] = [regressed(survey, each).document for each in MODELS]
        for each, reason, _ in NOT_MODELS:
            with pytest.raises(AnalysisRefused) as refused:
                regressed(survey, each)
            assert refused.value.reason == reason
        with pytest.raises(AnalysisRefused, match="channels"):
            by_several(survey, *SEVERAL[0])
        documents["weights"] = [weighted(survey, *each) for each in ONE] + [by_several(survey, *SEVERAL[1])]
        documents["weights"] += [corrected(survey, *each) for each in ANCHORED]
        return survey

    made = taken_away(make)
    for name, each in documents.items():
        for k, document in enumerate(each):
            (made / f"{name}-{k}.json").write_text(json.dumps(document))
    return made


def run(folder, script, *documents):
    command = [*PROGRAMS[script.partition(".")[2]], script, "microdata.csv", "codebook.json", *documents]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)


def differences(done):
    return [float(number) for number in re.findall(r"difference is (\S+) standard errors", done.stdout)]


@pytest.mark.slow
@pytest.mark.parametrize("script", ["models.py", "models.R", "weights.py", "weights.R"])
def test_a_program_finds_every_number_of_pooled_forms(folder, script):
    name = script.partition(".")[0]
    documents = sorted(path.name for path in folder.glob(f"{name}-*.json"))
    published = [json.loads((folder / each).read_text()) for each in documents]
    assert len(published) == {"models": len(MODELS), "weights": len(ONE) + len(SEVERAL[1:]) + len(ANCHORED)}[name]
    rows = [each["coefficients" if name == "models" else "shares"] for each in published]
    assert all(rows)
    done = run(folder, script, *documents)
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(differences(done)) == len(documents) and max(differences(done)) < 1e-9
    rows[0][-1]["standard_error"] *= 1 + 1e-6
    (folder / "spoiled.json").write_text(json.dumps(published[0]))
    assert run(folder, script, "spoiled.json").returncode == 1


@pytest.mark.slow
@pytest.mark.parametrize("language", PROGRAMS)
def test_what_the_site_does_not_compute_is_refused_with_its_reason(folder, language):
    for specification, _, reason in NOT_MODELS:
        (folder / "none.json").write_text(json.dumps({"model": specification, "refusal": None}))
        done = run(folder, f"models.{language}", "none.json")
        assert done.returncode == 1 and str(reason) in done.stderr
    question, known = SEVERAL[0]
    margins = [{"key": key, "strata": [{"share": share} for share in shares]} for key, shares in known.items()]
    (folder / "none.json").write_text(
        json.dumps({"question": question, "margins": margins, "shares": [{"estimate": 0.5, "standard_error": 1}]})
    )
    done = run(folder, f"weights.{language}", "none.json")
    assert done.returncode == 1 and str(NotCrossed("channels")) in done.stderr


@pytest.mark.slow
def test_too_few_reports_are_too_few_for_the_programs_too(tmp_path):
    survey = ended(300, copy.deepcopy(DRAFT), answers)
    folder = unpack(exported(survey), tmp_path)
    document = regressed(survey, model("smokes", "mood", "often", "near", "far", "region")).document
    assert document["refusal"]["reason"] == "too few"
    for off in (0, 10):
        document["refusal"]["needed"] += off
        (folder / "few.json").write_text(json.dumps(document))
        for script in ("models.py", "models.R"):
            done = run(folder, script, "few.json")
            assert done.returncode == (off > 0), done.stdout + done.stderr
            assert "reports are too few for this model" in done.stdout


CROSSED = """source("recompute.R")
d <- read_microdata("microdata.csv")
b <- read_codebook("codebook.json")
for (pair in PAIRS) {
  found <- cross(d, b, pair[1], pair[2])
  for (name in NUMBERS) cat(sprintf("%.17g", found[[name]]), "\\n")
}
cat(tryCatch(cross(d, b, "income", "mood"), error = conditionMessage), "\\n")
"""
# Together in some forms, apart in others; with a question for everyone; by lists, bits and a channel; same in two.
PAIRS = [
    ("smokes", "often"),
    ("often", "smokes"),
    ("region", "often"),
    ("mood", "far"),
    ("near", "smokes"),
    ("often", "mood"),
]
NUMBERS = ("estimate", "standard_error", "interval_low", "interval_high", "simultaneous_low", "simultaneous_high")


@pytest.mark.slow
def test_r_crosses_what_forms_randomize_in_any_way(folder):
    pairs = ", ".join(f"c({json.dumps(first)}, {json.dumps(second)})" for first, second in PAIRS)
    program = CROSSED.replace("PAIRS", f"list({pairs})")
    command = ["Rscript", "--vanilla", "-e", program]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    *lines, refusal = done.stdout.splitlines()
    assert refusal.strip() == NotCrossed.reasons["mean"]
    lines, reports = iter(lines), ldp.read(folder / "microdata.csv", folder / "codebook.json")
    for pair in PAIRS:
        mine = reports.cross(*pair)
        for name in NUMBERS:
            numbers = [float(number) for number in next(lines).split()]
            assert numbers == pytest.approx([row[name] for row in mine], abs=1e-9), (pair, name)


@pytest.mark.slow
def test_r_says_how_likely_the_reports_of_forms_that_are_alike_are(folder):
    reports, keys = ldp.read(folder / "microdata.csv", folder / "codebook.json"), ["often", "mood", "near"]
    sample = reports.sample(*keys)
    shares = np.random.default_rng(4).dirichlet(np.ones(math.prod((4, 3, 3))))
    found = test_likelihood.numbers(folder, keys, shares)
    even = np.full(len(shares), 1 / len(shares))
    mine = likelihood.log_likelihood(sample, shares) - likelihood.log_likelihood(sample, even)
    assert [one - other for one, other in pairwise(found["likelihood"])] == pytest.approx([mine], rel=1e-9)
    assert found["expected"] == pytest.approx(likelihood.expected_counts(sample, shares), rel=1e-9)
    with pytest.raises(NotCrossed) as refused:
        reports.sample("smokes", "near")
    program = test_likelihood.SAID.format(keys='"smokes", "near"', shares="1")
    command = ["Rscript", "--vanilla", "-e", program]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)
    assert done.returncode == 1 and str(refused.value) in done.stderr
