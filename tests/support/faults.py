"""Faults put into copies of the samplers; each must be caught by the same checks that pass on the real ones."""

from types import ModuleType
from typing import NamedTuple

from ldp import sampling
from ldp.mechanisms import (
    bitwise,
    exponential,
    gaussian,
    grid,
    laplace,
    laplace_mean,
    multiple,
    one_bit,
    osgt,
    randomized_response,
    subset,
)
from ldp.tables import channel, noise
from tests.support.mutation import Edit, Start, Swap


class Fault(NamedTuple):
    """A fault in the mechanism by edits of a module: its own, or one that it imports."""

    mechanism: ModuleType
    module: ModuleType
    edits: tuple[Edit, ...]


def fault(mechanism: ModuleType, *edits: Edit, module: ModuleType | None = None) -> Fault:
    return Fault(mechanism, module or mechanism, edits)


SIGNED = "((uniform() ^ (1 << 52)) - (1 << 52))"


def draw(old: str, new: str, inside: str = "") -> Swap:
    return Swap("randomize", old, new, inside)


def signed() -> Swap:
    return draw("uniform()", SIGNED)


def low_byte(entry: str) -> Swap:
    return draw(f'uniform() < table["{entry}"]', f'(uniform() & 255) < (table["{entry}"] & 255)')


AT_MOST = draw("c <= u", "c < u")
LOW_BYTES = draw("c <= u", "(c & 255) <= (u & 255)")
FLIPS = '[uniform() < table["flip"] for _ in range(d)]'
OTHERS = '[uniform() < table["other"] for _ in items]'

BINS = {"osgt": osgt, "gaussian": gaussian}
NOISE_FAULTS: dict[str, Edit] = {
    "one word for all bins": draw("[uniform() for _ in range(d)]", "[uniform()] * d"),
    "noise reused": draw("enumerate(noise)", "enumerate(noise[:1] * d)"),
    "last bin without noise": draw("enumerate(noise)", "enumerate([*noise[:-1], 0])"),
    "noise only where the answer is": draw("value + (j == answer)", "(value + 1) * (j == answer)"),
    "at most instead of less": AT_MOST,
    "signed compare": signed(),
    "low byte compared": LOW_BYTES,
    "positive noise only": draw('len(table["noise"]) // 2', "0"),
    "twice the alpha": Start("_thresholds", "alpha *= 2"),
}

PYTHON_FAULTS = {
    "bitwise: alpha not halved": fault(bitwise, Swap("table", "alpha / 2", "alpha")),
    "bitwise: one word shared by all bits": fault(bitwise, draw(FLIPS, '[uniform() < table["flip"]] * d')),
    "bitwise: last bit never flipped": fault(
        bitwise, draw(FLIPS, '[*(uniform() < table["flip"] for _ in range(d - 1)), False]')
    ),
    "bitwise: zeros never flipped": fault(bitwise, draw("flip != (j == answer)", "(not flip and j == answer)")),
    "bitwise: signed compare": fault(bitwise, signed()),
    "bitwise: low byte compared": fault(bitwise, low_byte("flip")),
    "bitwise: at most instead of less": fault(bitwise, draw('uniform() < table["flip"]', 'uniform() <= table["flip"]')),
    "randomized response: another category too often": fault(randomized_response, draw("k", "(k + 1)")),
    "randomized response: last category never reached": fault(
        randomized_response, draw("range(1, d)", "range(1, d - 1)")
    ),
    "randomized response: signed compare": fault(randomized_response, signed()),
    "randomized response: two categories' alpha for all": fault(
        randomized_response, Swap("table", "d", "2", inside="threshold")
    ),
    "laplace: alpha not halved": fault(
        laplace, Swap("table", "bitwise.table(...)", "{'flip': exact.threshold(alpha, 2)}")
    ),
    "laplace: magnitude from the flip's word": fault(laplace, draw("uniform() < b", "flip")),
    "laplace: magnitude tells the answer": fault(laplace, draw("-magnitude", "-magnitude * (j != answer)")),
    "laplace: last bin without noise": fault(
        laplace, draw('uniform() < table["flip"]', 'uniform() < table["flip"] and j < d - 1')
    ),
    "subset: the answer in too often": fault(subset, draw('uniform() < table["in"]', 'uniform() < table["in"] + 1')),
    "subset: the answer never in": fault(subset, draw("inside", "False")),
    "subset: draws that depend on the answer": fault(
        subset, draw("shuffled(d - 1, m, uniform)", "shuffled(d - 1, m - inside, uniform) + [0] * inside")
    ),
    "subset: signed compare": fault(subset, draw("uniform() < table['in']", f"{SIGNED} < table['in']")),
    "subset: low byte compared": fault(subset, low_byte("in")),
    "subset: last other category never drawn": fault(subset, draw("d - 1", "d - 2", inside="shuffled")),
    "subset: one category too few": fault(subset, Swap("table", "m * bound + d - m", "m * bound + d - m - 1", "floor")),
    "sampling: one word for all choices": fault(
        subset,
        Start("shuffled", "u = uniform()"),
        Swap("shuffled", "uniform", "lambda: u >> 1", inside="choice"),
        module=sampling,
    ),
    "sampling: remainders without rejection": fault(subset, Swap("choice", "u >= end", "False"), module=sampling),
    "sampling: the place itself never chosen": fault(
        multiple,
        Swap("shuffled", "i + choice(n - i, uniform)", "min(i + 1 + choice(n - i, uniform), n - 1)"),
        module=sampling,
    ),
    "sampling: choices among all again": fault(
        multiple, Swap("shuffled", "choice(n - i, uniform)", "choice(n, uniform) % (n - i)"), module=sampling
    ),
    "exponential: at most instead of less": fault(exponential, AT_MOST, module=channel),
    "exponential: last output never reached": fault(
        exponential, draw('table["rows"][answer]', 'table["rows"][answer][:-1]'), module=channel
    ),
    "exponential: the row of another answer": fault(
        exponential, draw('table["rows"][answer]', 'table["rows"][answer - 1]'), module=channel
    ),
    "exponential: signed compare": fault(exponential, signed(), module=channel),
    "exponential: low byte compared": fault(exponential, LOW_BYTES, module=channel),
    "exponential: twice the rate": fault(exponential, Swap("_table", "alpha", "(2 * alpha)", inside="steepest")),
    "laplace mean: at most instead of less": fault(laplace_mean, AT_MOST, module=channel),
    "laplace mean: not shifted": fault(laplace_mean, draw("beyond(...)", "0")),
    "laplace mean: shifted by the answer": fault(laplace_mean, draw("beyond(table)", "(beyond(table) - answer)")),
    "laplace mean: two grid points' alpha for all": fault(
        laplace_mean, Swap("_table", "alpha", "(alpha * steps)", inside="steepest")
    ),
    "one bit: never flipped": fault(one_bit, draw("randomized_response.randomize(...)", "(uniform(), answer)[1]")),
    "one bit: twice the alpha": fault(one_bit, Swap("table", "alpha", "2 * alpha", inside="table")),
    "multiple: alpha not shared": fault(multiple, Swap("table", "alpha / sample", "alpha")),
    "multiple: one word for all bits": fault(multiple, draw(OTHERS, '[uniform() < table["other"]] * len(items)')),
    "multiple: zeros never flipped": fault(multiple, draw("answer[item] != flip", "(answer[item] and not flip)")),
    "multiple: signed compare": fault(multiple, signed()),
    "multiple: low byte compared": fault(multiple, low_byte("other")),
    "multiple: the order of items tells the answer": fault(
        multiple,
        draw(
            'sorted(shuffled(d, table["sample"], uniform))',
            'sorted(shuffled(d, table["sample"], uniform), key=lambda i: not answer[i])',
        ),
    ),
    "multiple: last item never drawn": fault(multiple, draw("d", "d - 1", inside="shuffled")),
    "grid: alpha not shared": fault(grid, Swap("table", "alpha / sample", "alpha")),
    "grid: two categories' alpha for all": fault(grid, Swap("table", "d", "2", inside="threshold")),
    "grid: last item never drawn": fault(grid, draw("len(answer)", "len(answer) - 1")),
    "grid: last option never reached": fault(grid, draw("d", "d - 1", inside="randomize")),
    "grid: noise of one item for all": fault(
        grid,
        draw('sorted(shuffled(len(answer), table["sample"], uniform))', "chosen(uniform)"),
        draw("uniform", "lambda: shared", inside="randomize"),
        Start(
            "randomize",
            "def chosen(uniform):\n"
            "    nonlocal shared\n"
            '    items = sorted(shuffled(len(answer), table["sample"], uniform))\n'
            "    shared = uniform()\n"
            "    return items",
        ),
        Start("randomize", "shared = 0"),
    ),
    "grid: the first item's answer for all": fault(grid, draw("answer[item]", "answer[0]")),
} | {
    f"{name}: {wrong}": fault(mechanism, edit, module=noise)
    for name, mechanism in BINS.items()
    for wrong, edit in NOISE_FAULTS.items()
}
