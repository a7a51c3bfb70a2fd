"""Faults put into copies of the samplers; each must be caught by the same checks that pass on the real ones."""

from ldp import bitwise, laplace, randomized_response

_SIGNED = "((uniform() ^ (1 << 52)) - (1 << 52))"

# name: (module, text of the sampler, text with the fault)
PYTHON_FAULTS = {
    "bitwise: alpha not halved": (bitwise, "exact.threshold(alpha / 2, 2)", "exact.threshold(alpha, 2)"),
    "bitwise: one word shared by all bits": (
        bitwise,
        'flips = [uniform() < table["flip"] for _ in range(d)]',
        'flips = [uniform() < table["flip"]] * d',
    ),
    "bitwise: last bit never flipped": (
        bitwise,
        'flips = [uniform() < table["flip"] for _ in range(d)]',
        'flips = [uniform() < table["flip"] for _ in range(d - 1)] + [False]',
    ),
    "bitwise: zeros never flipped": (bitwise, "flip != (j == answer)", "(not flip and j == answer)"),
    "bitwise: signed compare": (bitwise, 'uniform() < table["flip"]', f'{_SIGNED} < table["flip"]'),
    "bitwise: low byte compared": (bitwise, 'uniform() < table["flip"]', '(uniform() & 255) < (table["flip"] & 255)'),
    "bitwise: at most instead of less": (bitwise, 'uniform() < table["flip"]', 'uniform() <= table["flip"]'),
    "randomized response: another category too often": (
        randomized_response,
        "u < k * table",
        "u < (k + 1) * table",
    ),
    "randomized response: last category never reached": (randomized_response, "range(1, d)", "range(1, d - 1)"),
    "randomized response: signed compare": (randomized_response, "u = uniform()", f"u = {_SIGNED}"),
    "randomized response: two categories' alpha for all": (
        randomized_response,
        "exact.threshold(alpha, d)",
        "exact.threshold(alpha, 2)",
    ),
    "laplace: alpha not halved": (
        laplace,
        "bitwise.table(alpha, d)",
        "{'flip': exact.threshold(alpha, 2)}",
    ),
    "laplace: magnitude from the flip's word": (
        laplace,
        'magnitude = sum((uniform() < b) << k for k, b in enumerate(table["magnitude"]))',
        'magnitude = sum(flip << k for k, b in enumerate(table["magnitude"]))',
    ),
    "laplace: magnitude tells the answer": (laplace, "else -magnitude", "else -magnitude * (j != answer)"),
    "laplace: last bin without noise": (
        laplace,
        'flip = uniform() < table["flip"]',
        'flip = uniform() < table["flip"] and j < d - 1',
    ),
}

# name: (mechanism, text of the served module, text with the fault)
BROWSER_FAULTS = {
    "one word shared by all bits": (
        "bitwise",
        "const flips = Array.from({ length: d }, () => uniform() < table.flip);",
        "const shared = uniform(); const flips = Array.from({ length: d }, () => shared < table.flip);",
    ),
    "last bit never flipped": (
        "bitwise",
        "() => uniform() < table.flip)",
        "(_, j) => uniform() < table.flip && j < d - 1)",
    ),
    "zeros never flipped": ("bitwise", "flip !== (j === answer)", "!flip && j === answer"),
    "signed compare": ("bitwise", "() => uniform() < table.flip", "() => (uniform() | 0) < (table.flip | 0)"),
    "low byte compared": ("bitwise", "() => uniform() < table.flip", "() => uniform() % 256 < table.flip % 256"),
    "flips half as often": ("bitwise", "uniform() < table.flip", "uniform() < table.flip / 2"),
    "rounded division": (
        "randomized_response",
        "for (let k = 1; k < d; k += 1) shift += u < k * table.other ? 1 : 0;",
        "shift = Math.max(0, d - 1 - Math.round(u / table.other));",
    ),
    "last category never reached": ("randomized_response", "k < d;", "k < d - 1;"),
    "magnitude from the flip's word": ("laplace", "uniform() < threshold ? 2 ** k : 0", "flip ? 2 ** k : 0"),
    "last bin without noise": (
        "laplace",
        "const flip = uniform() < table.flip",
        "const flip = uniform() < table.flip && j < d - 1",
    ),
}
