"""In odd surveys no regression fails or gives a wild number: what cannot be computed is refused (M40).

The surveys have few reports, answers that no one or everyone gives, covariates that determine each other or the
outcome, and numbers far from 0 and from each other. They use every mechanism, joint and separate draws, and alpha from
.1 to 16. The worker's document is made for each.
"""

import math
import warnings
from itertools import product

import numpy as np
import pytest

from benchmarks.crossings_coverage import of_one_draw, question, sent
from ldp.forms.marginals import JointTally
from ldp.inference.variables import variable
from ldp.mechanisms import randomized_response
from ldp.regression.document import document
from ldp.regression.factors import factors
from ldp.regression.fitting import LOGIT_ERROR_MAX
from ldp.regression.sample import JointSample, Tabulation
from ldp.regression.specification import Covariate, Specification

MECHANISMS = ("randomized_response", "randomized_response 2", "bitwise", "laplace", "exponential")
SIZES = (1, 2, 5, 15, 60, 200, 400, 1000, 1000, 3000, 3000, 10_000, 20_000)
LAWS = ("sparse", "even", "uneven", "collinear", "constant", "empty", "separated")


def law_of(kind, shape, generator):
    places, d = np.indices(shape), int(np.prod(shape))
    law = generator.dirichlet(np.full(d, 0.05 if kind == "sparse" else 0.7)).reshape(shape)
    kept = {
        "collinear": places[1] % min(shape[1:]) == places[-1] % min(shape[1:]),
        "constant": places[0] == 0,
        "empty": places[1] < shape[1] - 1,
        "separated": (places[0] == 0) == (places[1] == 0),
    }.get(kind, np.ones(shape))
    law = np.full(shape, 1.0) if kind == "even" else law * kept + 1e-300
    return law / law.sum()


def numbers(d, generator):
    return tuple((generator.normal(size=d) * 10.0 ** generator.integers(-6, 7)).tolist())


def covariate(key, d, generator):
    kind = generator.choice(["categories", "steps", "numbers"], p=[0.6, 0.25, 0.15])
    if kind == "categories":
        return Covariate(key, reference=int(generator.integers(0, d)))
    return Covariate(key, tuple(map(float, range(d))) if kind == "steps" else numbers(d, generator))


def model_of(shape, generator):
    keys = "abc"[: len(shape) - 1]
    covariates = tuple(covariate(key, d, generator) for key, d in zip(keys, shape[1:], strict=True))
    product = (("a", "b"),) if len(keys) > 1 and generator.random() < 0.3 else ()
    name = str(generator.choice(["linear", "logistic" if shape[0] == 2 else "multinomial", "ordered"]))
    scores = numbers(shape[0], generator) if name == "linear" and generator.random() < 0.3 else None
    return Specification(name, "y", covariates, product, scores)


def odd(seed):
    """Return a model, its variables and a sample of them."""
    generator = np.random.default_rng([22, seed])
    shape = tuple(int(d) for d in generator.integers(2, 5, generator.integers(2, 4)))
    alpha = f"{np.exp(generator.uniform(np.log(generator.choice([0.1, 5])), np.log(16))):.2f}"
    law = law_of(str(generator.choice(LAWS)), shape, generator)
    cells = generator.choice(law.size, int(generator.choice(SIZES)), p=law.ravel())
    names = [str(name) for name in generator.choice(MECHANISMS, len(shape))]
    jointly = bool(generator.random() < 0.5)
    if not jointly:
        asked = [question(key, name, d, alpha) for key, name, d in zip("yabc", names, shape, strict=False)]
        own = [variable([one], one["key"]) for one in asked]
        return model_of(shape, generator), own, apart(cells, shape, own, generator)
    sizes = [int(generator.choice([1, generator.integers(1, d)])) for d in shape]
    own = [variable([one], one["key"]) for one in of_one_draw("yabc"[: len(shape)], shape, alpha, sizes)]
    sample = together if max(sizes) == 1 else listed
    return model_of(shape, generator), own, sample(cells, shape, own, generator)


def together(cells, shape, own, generator):
    table = own[0].question["table"] | {"sizes": [1] * len(shape)}
    stays = generator.random(len(cells)) < float(randomized_response.keep(table))
    given = np.where(stays, cells, generator.integers(0, math.prod(shape), len(cells)))
    counts = np.bincount(given, minlength=math.prod(shape)).tolist()
    return JointSample(JointTally(table, shape, tuple(counts)), tuple(range(len(shape))))


def listed(cells, shape, own, generator):
    """Return reports of one draw in which at least one question has several listed options."""
    stays = generator.random(len(cells)) < float(randomized_response.keep(own[0].question["table"]))
    found, columns = Tabulation(factors(own)), []
    for each, true, d in zip(own, np.unravel_index(cells, shape), shape, strict=True):
        ranks = generator.random((len(cells), d))
        among = stays | (generator.random(len(cells)) < each.listed / d)
        ranks[np.arange(len(cells)), true] = np.where(among, -1, 2)
        options = np.argsort(ranks, axis=1)[:, : each.listed]
        columns.append(options if each.listed == 1 else (options[:, :, None] == np.arange(d)).any(axis=1))
    found.add([column.astype(np.int16) for column in columns])
    return found.sample()


def apart(cells, shape, own, generator):
    found = Tabulation(factors(own))
    found.add([sent(each.question, x, generator) for each, x in zip(own, np.unravel_index(cells, shape), strict=True)])
    return found.sample()


def wild(made, model):
    """Return the rows whose numbers are meaningless, each in its unit."""
    spans = {each.key: np.ptp(each.scores) if each.scores else 1.0 for each in model.covariates}
    outcome = np.ptp(model.scores) if model.scores else 1.0
    most = 4 if model.model == "linear" else 5 * LOGIT_ERROR_MAX
    for row in made["coefficients"]:
        unit = math.prod(spans[level["key"]] for level in row["levels"]) / outcome
        estimate, error = abs(row["estimate"]) * unit, row["standard_error"] * unit
        if not 0 < error < most or (row["levels"] and not estimate < 2 * most):
            yield row
    for row in made["predicted"] + made["marginal"]:
        if row["outcome"] is not None and not (abs(row["estimate"]) < 1.2 and row["standard_error"] < 0.6):
            yield row


@pytest.mark.statistical
def test_no_odd_survey_has_a_wild_number(nightly):
    fitted = refused = 0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for seed in range(300 if nightly else 80):
            model, own, sample = odd(seed)
            made = document({}, model, own, sample)
            refused += made["refusal"] is not None
            fitted += made["refusal"] is None
            assert not list(wild(made, model)), seed
            assert made["refusal"] is None or made["refusal"]["reason"] == "separated" or not made["coefficients"]
    assert min(fitted, refused) >= 10


def test_reports_that_are_all_alike_tell_nothing():
    """Numbers that do not vary have no standard error, which proves nothing."""
    for name in MECHANISMS:
        own = [variable([question(key, name, 4, "1")], key) for key in "ya"]
        for n in (1, 5, 400):
            generator, found = np.random.default_rng(3), Tabulation(factors(own))
            one = [sent(each.question, np.zeros(1, dtype=int), generator) for each in own]
            found.add([np.repeat(table, n, axis=0) for table in one])
            for model, scores in product(("linear", "multinomial", "ordered"), (None, (7.0, 1.0, 2.0, 12.0))):
                made = document({}, Specification(model, "y", (Covariate("a", scores),)), own, found.sample())
                needed = (made["refusal"] or {"needed": 0})["needed"]
                assert made["refusal"] is not None and (needed is None or needed > n)


def test_a_logit_of_which_next_to_nothing_is_known_is_refused_with_the_reports_that_would_do():
    """Almost no one gives one of the answers, so the curvature is surely small."""
    law = np.array([[1e-4, 3e-4], [0.4999, 0.4997]])
    own = [variable([question(key, "exponential", 2, "1.5")], key) for key in "ya"]
    model, made = Specification("logistic", "y", (Covariate("a", reference=1),)), []
    for seed in range(40):
        generator = np.random.default_rng(seed)
        cells = generator.choice(4, 20_000, p=law.ravel())
        made.append(document({}, model, own, apart(cells, (2, 2), own, generator)))
    errors = [row["standard_error"] for each in made for row in each["coefficients"]]
    needed = [each["refusal"]["needed"] for each in made if each["refusal"] and each["refusal"]["reason"] == "too few"]
    assert max(errors, default=0) <= LOGIT_ERROR_MAX and len(needed) > 5 and min(needed) > 20_000
