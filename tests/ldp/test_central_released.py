"""A curator's releases are drawn from uniform integers and keep their promise: the tests read the code, and enumerate
small cases from end to end."""

import ast
import math
from fractions import Fraction
from itertools import combinations_with_replacement, pairwise, product
from pathlib import Path

import pytest
from scipy import integrate, stats

from ldp import central, exact
from ldp.central import laplace, offset, quantiles

CENTRAL = Path(central.__file__).parent
MEDIAN = [Fraction(1, 2)]


def _functions():
    for path in sorted(CENTRAL.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                yield path.stem, node


def _arguments(node):
    return {argument.arg: ast.unparse(argument.annotation or ast.Constant(None)) for argument in node.args.args}


def _names(node):
    """Return the names and attributes in the body of a function."""
    found = {name.id for name in ast.walk(node) if isinstance(name, ast.Name)}
    return found | {name.attr for name in ast.walk(node) if isinstance(name, ast.Attribute)}


# Drawn, or simulated --------------------------------------------------------------------------------------------------


def test_what_is_released_takes_uniform_integers_and_no_floating_point_number_or_generator():
    drawn = {f"{module}.{node.name}" for module, node in _functions() if "uniform" in _arguments(node)}
    released = {f"{module}.{node.name}" for module, node in _functions() if node.name in ("release", "draw")}
    assert released <= drawn and len(drawn) > 10
    for module, node in _functions():
        arguments = _arguments(node)
        if "uniform" in arguments:
            assert arguments["uniform"] == "Uniform", (module, node.name)
            floating = {"float", "random", "exp", "log", "sqrt", "special", "stats", "generator"}
            assert not _names(node) & floating, (module, node.name)
            assert "float" not in set(arguments.values()), (module, node.name)


def test_nothing_takes_a_generator_of_floating_point_numbers():
    for module, node in _functions():
        assert "np.random.Generator" not in _arguments(node).values(), (module, node.name)


def test_nothing_makes_its_own_chance():
    for path in sorted(CENTRAL.glob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        assert not _names(tree) & {"default_rng", "urandom", "getrandbits", "SystemRandom"}, path.name
        imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
        assert not imported & {"random", "secrets", "os", "time"}, path.name


# Privacy, from end to end ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("alpha", ["1/5", "1", "3"])
def test_two_counts_of_a_question_released_together_keep_alpha(alpha, monkeypatch):
    """A replaced answer moves two counts by one. Every pair of released counts is enumerated."""
    alpha, rates = Fraction(alpha), []
    monkeypatch.setattr(laplace.draws, "laplace", lambda rate, _: rates.append(rate) or 0)
    assert laplace.release([3, 4], alpha, None, sensitivity=2) == [3, 4]
    assert rates == [alpha / 2] * 2, "what is drawn has the rate of the law below"
    logs = {
        counts: [
            -alpha / 2 * sum(abs(at - count) for at, count in zip(z, counts, strict=True))
            for z in product(range(-20, 28), repeat=2)
        ]
        for counts in ((3, 4), (4, 3))
    }
    assert max(abs(one - two) for one, two in zip(*logs.values(), strict=True)) == alpha


@pytest.mark.parametrize("kept", [0.5, 2.0])
@pytest.mark.parametrize("alpha", [0.0, 0.3, 1.9, 2.5])
def test_laplace_delta_is_the_integral_of_the_excess(kept, alpha):
    def excess(y):
        return max(stats.laplace.pdf(y, scale=1 / kept) - math.exp(alpha) * stats.laplace.pdf(y, 1, 1 / kept), 0.0)

    ends = sorted([-60 / kept, -5, 0, max(0.0, (1 - alpha / kept) / 2), 1, 5])
    total = sum(integrate.quad(excess, low, high, limit=400)[0] for low, high in pairwise(ends))
    assert laplace.delta(alpha, kept) == pytest.approx(total, rel=1e-6, abs=1e-10)


@pytest.mark.parametrize(("m", "s"), [(0.0, 2.0), (3.0, math.sqrt(40)), (40.0, 3.0)])
def test_offset_error_bounds_are_exact(m, s):
    for failure in (0.5, 0.05, 1e-6):
        reach = offset.error_bound(m, s, failure)
        far = reach + 40 * s * s / (m + s)
        beyond = 2 * integrate.quad(offset.density, reach, far, args=(m, s), epsabs=1e-15, limit=400)[0]
        assert beyond == pytest.approx(failure, rel=1e-5)


@pytest.mark.parametrize("alpha", [Fraction(1, 2), Fraction(2)])
def test_quantiles_of_moved_answers_keep_alpha_over_all_moves(alpha):
    """Two answers on a grid of four move by -1, 0 or 1 each. The law over all nine moves is exact, in fractions."""
    size, bound = 4, exact.exp_below(alpha)
    laws = {answers: _moved_law(answers, size, alpha) for answers in combinations_with_replacement(range(size + 1), 2)}
    for (_, second), law in laws.items():
        for changed in range(size + 1):
            other = laws[tuple(sorted((changed, second)))]
            for p, q in zip(law, other, strict=True):
                assert p <= bound * q and q <= bound * p


def _moved_law(answers, size, alpha):
    moves = list(product(range(3), repeat=len(answers)))
    laws = [_median_law(_moved(answers, size, iter(move)), size, alpha) for move in moves]
    return [sum(chances, Fraction(0)) / len(moves) for chances in zip(*laws, strict=True)]


def _moved(answers, size, places):
    """Return what `smoothed` returns for these choices."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(quantiles.words, "choice", lambda count, _: next(places))
        return quantiles.smoothed(answers, size, 1, None)


def _median_law(answers, size, alpha):
    """Return the chance of each cell: the weights of the intervals, spread evenly over their cells."""
    program = quantiles.joint(answers, size, MEDIAN, alpha)
    total, law = int(sum(program.ends)), []
    for length, weight in zip(program.lengths, program.ends, strict=True):
        law += [Fraction(int(weight), total * int(length)) for _ in range(int(length))]
    return law
