"""The samplers are the published channels: enumerated where small, at every boundary where not (P2, P3)."""

from fractions import Fraction
from types import ModuleType

import pytest

from ldp import bitwise, laplace, randomized_response
from ldp.mechanisms import MECHANISMS
from tests.channels import SMALL, check_boundaries, check_small_channel
from tests.faults import PYTHON_FAULTS


@pytest.mark.parametrize("name", MECHANISMS)
def test_no_report_is_likelier_than_alpha_allows(name):
    check_small_channel(name, MECHANISMS[name].randomize)


@pytest.mark.parametrize("name", MECHANISMS)
@pytest.mark.parametrize("alpha", ["0.01", "1", "10"])
@pytest.mark.parametrize("d", [2, 3, 10])
def test_every_position_decides_exactly_at_its_threshold(name, alpha, d):
    table = MECHANISMS[name].table(Fraction(alpha), d)
    check_boundaries(name, MECHANISMS[name].randomize, d, table)


@pytest.mark.parametrize(("name", "d"), [("randomized_response", 256), ("bitwise", 256), ("laplace", 32)])
def test_boundaries_hold_with_many_categories(name, d):
    table = MECHANISMS[name].table(Fraction(1), d)
    first_middle_last = range(0, d, (d - 1) // 2)
    check_boundaries(name, MECHANISMS[name].randomize, d, table, first_middle_last)


def test_laplace_magnitude_is_the_truncated_geometric_law():
    """Independent digits with the stated chances are exactly P(j) proportional to r^j (M5)."""
    _, table, resolution, *_ = SMALL["laplace"]
    ratios = [Fraction(b, resolution - b) for b in (1, 1)]
    assert table["magnitude"] == [1, 2]
    # With exact chances r^(2^k)/(1+r^(2^k)) the law of j is the product of r^(2^k) over its digits, that is r^j.
    r = ratios[0]
    chances = [r ** (2**k) / (1 + r ** (2**k)) for k in range(3)]
    law = []
    for j in range(8):
        weight = Fraction(1)
        for k, chance in enumerate(chances):
            weight *= chance if j >> k & 1 else 1 - chance
        law.append(weight)
    assert [weight / law[0] for weight in law] == [r**j for j in range(8)]
    assert sum(law) == 1


@pytest.mark.parametrize(("alpha", "digits"), [("0.01", 13), ("0.5", 7), ("1", 6), ("4", 4), ("16", 2)])
def test_laplace_tail_is_below_one_in_a_billion(alpha, digits):
    table = laplace.table(Fraction(alpha), 4)
    assert len(table["magnitude"]) == digits
    r = float((2**53 - table["flip"]) / table["flip"]) ** -1
    assert r ** (2**digits) < 2**-30


@pytest.mark.parametrize("name", PYTHON_FAULTS)
def test_seeded_faults_are_caught(name):
    mechanism, old, new = PYTHON_FAULTS[name]
    mutant = _mutant(mechanism, old, new)
    with pytest.raises(AssertionError):
        _check_everything(mechanism.__name__.split(".")[-1], mutant)


@pytest.mark.parametrize("mechanism", [randomized_response, bitwise, laplace])
def test_the_checks_pass_without_a_fault(mechanism):
    _check_everything(mechanism.__name__.split(".")[-1], mechanism)


def _check_everything(name: str, module: ModuleType) -> None:
    check_small_channel(name, module.randomize)
    table = module.table(Fraction(1), 4)
    # The certificate of the real package judges the mutant's table, as the browser and the server would.
    assert MECHANISMS[name].certified(table, Fraction(1), 4)
    check_boundaries(name, module.randomize, 4, table)


def _mutant(module: ModuleType, old: str, new: str) -> ModuleType:
    with open(str(module.__file__), encoding="utf-8") as file:
        source = file.read()
    assert source.count(old) >= 1, f"the fault no longer fits the code: {old}"
    mutant = ModuleType(module.__name__)
    exec(compile(source.replace(old, new), f"mutant of {module.__name__}", "exec"), mutant.__dict__)
    return mutant
