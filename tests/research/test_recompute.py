"""Every published number is found again by a program that was written from docs/recompute.md and shares no code."""

import random
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from ldp.mechanisms import FITTING, MECHANISMS, WITH_DELTA, of
from ldp.privatize import randomize
from ldp.results import results
from ldp.tally import Field
from tests.support import recompute

CONFIDENCE = 0.95
EXACTLY = 1e-11
ENDS = 1e-9

ALPHAS = ("0.3", "1", "2.5", "5")
SIZES = (1, 4, 40, 150)


def _asked(name, chance, alpha):
    """A definition's question for a mechanism, with random sizes."""
    kind = next(kind for kind, names in FITTING.items() if name in names)
    d = chance.randint(2, 6)
    asked = {"key": "q", "kind": kind, "text": "?", "alpha": alpha, "mechanism": name}
    extra = {}
    if kind == "mean":
        asked |= {"low": "-2", "high": "6", "unit": ""}
    else:
        asked["options"] = [f"option {j}" for j in range(d)]
    if kind == "grid":
        asked["items"] = [f"item {i}" for i in range(chance.randint(2, 4))]
    if kind in ("grid", "multiple_choice"):
        extra["sample"] = asked_sample = chance.randint(1, 2)
        assert asked_sample <= d
    if name in WITH_DELTA:
        asked["delta"] = "0.000001"
        extra["delta"] = Fraction(asked["delta"])
    asked["table"] = MECHANISMS[name].table(Fraction(alpha), d, **extra)
    return asked


def _answer(asked, chance):
    d = len(asked.get("options", ()))
    if asked["kind"] == "mean":
        return f"{chance.choice([-2, 6, chance.uniform(-2, 6)]):.4f}"
    if asked["kind"] == "multiple_choice":
        return [chance.random() < 0.3 for _ in range(d)]
    if asked["kind"] == "grid":
        return [chance.randrange(d) for _ in asked["items"]]
    return min(chance.randrange(d), chance.randrange(d))


@pytest.mark.slow
@pytest.mark.parametrize("name", MECHANISMS)
@pytest.mark.parametrize("alpha", ALPHAS)
def test_another_program_finds_the_same_numbers(name, alpha):
    chance = random.Random(f"{name} {alpha}")
    for n in SIZES:
        try:
            asked = _asked(name, chance, alpha)
        except ValueError:
            return  # no table at so small an alpha
        reports = [randomize(asked, _answer(asked, chance), lambda: chance.getrandbits(53)) for _ in range(n)]
        for ours, theirs in zip(
            _published(asked, reports), recompute.question(asked, reports, CONFIDENCE), strict=True
        ):
            assert (ours["n_about"], ours["together"]) == (theirs["n_about"], theirs["together"])
            assert [method["method"] for method in ours["methods"]] == list(theirs["methods"])
            for method in ours["methods"]:
                for one, other in zip(method["categories"], theirs["methods"][method["method"]], strict=True):
                    _compare(one, other)


def _published(asked, reports):
    randomizer = of(asked)
    width, encode, *_ = randomizer.packing()
    codes = [encode(report) for report in reports]
    bits = np.array([[int(bit) for bit in f"{code:0{width}b}"] for code in codes], dtype=np.uint8)
    return results(asked, randomizer.tally(Field.of(bits)), len(reports), CONFIDENCE)


def _compare(one, other):
    assert one["estimate"] == pytest.approx(other["estimate"], abs=EXACTLY, rel=EXACTLY)
    for target in ("population", "respondents"):
        error, *ends = other[target]
        assert one[target]["standard_error"] == pytest.approx(error, abs=EXACTLY, rel=EXACTLY)
        assert [*one[target]["interval"], *one[target]["simultaneous"]] == pytest.approx(ends, abs=ENDS), target


def test_the_other_program_shares_no_code():
    source = Path(recompute.__file__).read_text(encoding="utf-8")
    imports = [line for line in source.splitlines() if line.startswith(("import", "from"))]
    assert not [line for line in imports if "ldp" in line or "surveys" in line or "tests" in line]
