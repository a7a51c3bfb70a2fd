"""The downloadable R program computes the same likelihoods as ldp.likelihood."""

import copy
import json
import subprocess

import numpy as np
import pytest

import ldp
from ldp import likelihood
from tests.support.exports import exported, unpack
from tests.support.regressions import SCALE, ended
from tests.worker.test_regression import FORMS, given

pytestmark = pytest.mark.django_db

STEP = copy.deepcopy(SCALE)
STEP["questions"][1] |= {"mechanism": "exponential", "alpha": "4"}
STEP["questions"][2] |= {"size": 2, "alpha": "2"}
STEP["questions"][3] |= {"mechanism": "laplace", "alpha": "3"}
LARGER = copy.deepcopy(FORMS)
LARGER["forms"][0]["draws"][0]["sizes"] = [1, 2]
CASES = [
    (LARGER, given, ["which", "all", "yes"]),
    (STEP, None, ["smokes", "often"]),
    (STEP, None, ["where", "age", "smokes"]),
    (FORMS, given, ["which", "yes"]),
    (FORMS, given, ["which", "all", "yes"]),
]
SAID = """
source("likelihood.R")
sample <- sample_of(read_microdata("microdata.csv"), read_codebook("codebook.json"), c({keys}))
shares <- c({shares})
said <- function(name, values) cat(name, format(values, digits = 17), sep = " ", fill = 1e6)
said("options", t(sample$options))
said("likelihood", c(log_likelihood(sample, shares), log_likelihood(sample, rep(1 / length(shares), length(shares)))))
said("expected", expected_counts(sample, shares))
said("em", em(sample, function(counts) pmax(counts, 1) / sum(pmax(counts, 1))))
"""


@pytest.mark.parametrize(
    ("draft", "answers", "keys"), CASES, ids=lambda case: "-".join(case) if type(case) is list else ""
)
def test_the_program_in_r_says_what_ldp_does(tmp_path, draft, answers, keys):
    survey = ended(700, draft, answers) if answers else ended(500, draft)
    folder = unpack(exported(survey), tmp_path)
    sample = ldp.read(folder / "microdata.csv", folder / "codebook.json").sample(*keys)
    shape = [len(next(one for one in survey.questions if one["key"] == key)["options"]) for key in keys]
    shares = np.random.default_rng(4).dirichlet(np.ones(int(np.prod(shape))))
    found = numbers(folder, keys, shares)
    assert found["options"] == np.indices(shape).reshape(len(shape), -1).T.ravel().tolist()
    even = np.full(len(shares), 1 / len(shares))
    # Each likelihood is known up to a constant.
    mine = likelihood.log_likelihood(sample, shares) - likelihood.log_likelihood(sample, even)
    assert found["likelihood"][0] - found["likelihood"][1] == pytest.approx(mine, rel=1e-9)
    assert found["expected"] == pytest.approx(likelihood.expected_counts(sample, shares), rel=1e-9)
    at_least = likelihood.em(sample, lambda counts: np.maximum(counts, 1) / np.maximum(counts, 1).sum())
    assert found["em"] == pytest.approx(at_least, abs=1e-9)


def numbers(folder, keys, shares):
    program = SAID.format(keys=json.dumps(keys)[1:-1], shares=", ".join(map(repr, shares.tolist())))
    done = subprocess.run(
        ["Rscript", "--vanilla", "-e", program], cwd=folder, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return {name: [float(each) for each in rest] for name, *rest in map(str.split, done.stdout.splitlines())}
