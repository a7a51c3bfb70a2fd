"""A block's order comes from the operating system's generator. Knowing the code is not enough to repeat it."""

import itertools
import os
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest
from scipy.stats import chi2

from worker import blocks

ROWS = np.arange(64, dtype=np.uint8).reshape(64, 1)


def order(rows=ROWS, **options):
    return tuple(blocks.shuffled(rows, **options).reshape(-1).tolist())


def test_the_random_bytes_are_those_of_the_operating_system(monkeypatch):
    """The default is the system's own function. It is called once for 64 bits a row, and its bytes alone decide."""
    assert blocks.shuffled.__defaults__ == (os.urandom,)
    asked = []

    def drawn(count):
        asked.append(count)
        return os.urandom(count)

    order(random=drawn)
    assert asked == [8 * len(ROWS)]
    assert order(random=lambda count: bytes(count)) == tuple(range(64)), "equal keys leave the rows as they are"
    keys = np.arange(64, dtype=np.uint64)[::-1]
    assert order(random=lambda count: keys.tobytes()) == tuple(range(63, -1, -1))


ONE = "import sys; sys.path.insert(0, '.'); import random, numpy; random.seed(1); numpy.random.seed(1)\n"
ONE += "import numpy as np; from worker import blocks\n"
ONE += "print(blocks.shuffled(np.arange(64, dtype=np.uint8).reshape(64, 1)).reshape(-1).tolist())"


def test_two_fresh_processes_give_different_orders():
    """All that can be seeded is seeded; the orders are equal by chance once in 64! runs."""
    runs = [subprocess.run([sys.executable, "-c", ONE], capture_output=True, text=True) for _ in range(2)]
    first, second = (run.stdout.strip() for run in runs)
    assert first.startswith("[") and second.startswith("["), [run.stderr for run in runs]
    assert first != second


def test_no_seed_in_this_process_repeats_an_order():
    import random

    found = set()
    for _ in range(20):
        random.seed(7)
        np.random.seed(7)
        found.add(order())
    assert len(found) == 20


DRAWS, FALSE_ALARM = 24_000, 1e-8


@pytest.mark.parametrize("count", [2, 3, 4])
def test_every_order_is_equally_likely(count):
    """The chi-square test over all orders rejects a fair shuffle once in a hundred million runs."""
    rows = np.arange(count, dtype=np.uint8).reshape(count, 1)
    seen = Counter(order(rows) for _ in range(DRAWS))
    expected = DRAWS / len(list(itertools.permutations(range(count))))
    cells = [seen[permutation] for permutation in itertools.permutations(range(count))]
    statistic = sum((cell - expected) ** 2 / expected for cell in cells)
    assert statistic < chi2.isf(FALSE_ALARM, len(cells) - 1)
