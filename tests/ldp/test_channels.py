"""The samplers are the published channels: enumerated if small, otherwise at every boundary (P2, P3)."""

import sys
from fractions import Fraction
from types import ModuleType
from typing import Any

import pytest

from ldp.mechanisms import MECHANISMS, WITH_DELTA, laplace
from tests.support.channels import SMALL, answers, check_boundaries, check_small_channel
from tests.support.faults import PYTHON_FAULTS
from tests.support.mutation import executed, mutant, tree_of

# Noise for a smaller alpha would be wider than a table may be.
LEAST_WITH_DELTA = "0.2"


def table_of(mechanism: Any, alpha: Fraction, d: int) -> Any:
    """Return a table as in a definition. A report about several items is about two."""
    found = mechanism.table(alpha, d, **({"sample": 2} if "sample" in mechanism.EXTRAS else {}))
    return found | {"items": 3} if mechanism.__name__ == "ldp.mechanisms.grid" else found


@pytest.mark.parametrize("name", MECHANISMS)
def test_no_report_is_likelier_than_alpha_allows(name):
    check_small_channel(name, MECHANISMS[name].randomize)


@pytest.mark.parametrize("name", MECHANISMS)
@pytest.mark.parametrize("alpha", ["0.01", "1", "10"])
@pytest.mark.parametrize("d", [2, 3, 10])
def test_every_position_decides_exactly_at_its_threshold(name, alpha, d):
    alpha = LEAST_WITH_DELTA if name in WITH_DELTA and alpha == "0.01" else alpha
    table = table_of(MECHANISMS[name], Fraction(alpha), d)
    given = answers(name, d, table)
    some = given[:: max(1, len(given) // 4)] + given[-1:]
    check_boundaries(name, MECHANISMS[name].randomize, d, table, some)


@pytest.mark.parametrize(
    ("name", "d"),
    [("randomized_response", 256), ("bitwise", 256), ("laplace", 32), ("exponential", 32)],
)
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
def test_seeded_faults_are_caught(name, monkeypatch):
    mechanism, faulty, edits = PYTHON_FAULTS[name]
    broken = mutant(faulty, edits)
    if faulty is not mechanism:
        broken = _rebuilt(mechanism, faulty, broken, monkeypatch)
    with pytest.raises(AssertionError):
        _check_everything(mechanism.__name__.split(".")[-1], broken)


@pytest.mark.parametrize("name", MECHANISMS)
def test_the_checks_pass_without_a_fault(name):
    _check_everything(name, MECHANISMS[name])


def _check_everything(name: str, module: Any) -> None:
    check_small_channel(name, module.randomize)
    table = table_of(module, Fraction(1), 4)
    # The certificate of the real package judges the mutant's table, as the browser and the server would.
    assert MECHANISMS[name].certified(table, 4, Fraction(1))
    check_boundaries(name, module.randomize, 4, table)


def _rebuilt(mechanism: ModuleType, faulty: ModuleType, broken: ModuleType, monkeypatch: Any) -> ModuleType:
    """Return the mechanism rebuilt with the broken module in place of the imported one."""
    monkeypatch.setitem(sys.modules, faulty.__name__, broken)
    package, _, name = faulty.__name__.rpartition(".")
    monkeypatch.setattr(sys.modules[package], name, broken)
    return executed(mechanism, tree_of(mechanism))
