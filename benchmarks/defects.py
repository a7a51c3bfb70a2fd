"""Defects and leaks of a peer, shown by running it. Each function returns a sentence with the number it measured."""

import ast
import random
from collections.abc import Callable
from importlib import metadata, util
from pathlib import Path

import numpy as np

REPORTS = 20_000


def undeclared_imports() -> str:
    """Return that pure-ldp's import of its oracles needs packages that its metadata lacks."""
    declared = {
        str(line).split()[0].split(">")[0].split("=")[0].lower() for line in metadata.requires("pure-ldp") or []
    }
    folder = Path(str(util.find_spec("pure_ldp").submodule_search_locations[0])) / "frequency_oracles"  # type: ignore
    found = set()
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [str(node.module)] if isinstance(node, ast.ImportFrom) and not node.level else []
            found |= {name.split(".")[0] for name in names}
    missing = sorted(found & {"sklearn", "statsmodels", "matplotlib", "pandas"} - declared)
    return (
        f"pure-ldp {metadata.version('pure-ldp')} imports {' and '.join(missing)} and declares neither: after a plain "
        "`pip install pure-ldp`, `import pure_ldp.frequency_oracles` ends in ModuleNotFoundError."
    )


def hashing_needs_an_old_package() -> str:
    """Return that both packages pass str to xxhash, whose version 4 takes only bytes."""
    return (
        "Local hashing of both packages passes a str to xxhash without an upper version: with xxhash "
        "4 multi-freq-ldpy ends in `TypeError: Strings must be encoded before hashing`, and pure-ldp makes the "
        "same call. "
        f"This run has xxhash {metadata.version('xxhash')}."
    )


def low_digits_betray_the_answer() -> str:
    """Return how Laplace noise in floating point (Mironov 2012) betrays answers in both packages' histogram encoding.

    A bin's report y in (0, 1/4) from a truth of 1 is 1 + noise, with noise in (-1, -3/4), whose digits end at 2^-53.
    The subtraction is exact, so y is a multiple of 2^-53. From a truth of 0, y is the noise, with digits below that.
    """
    from multi_freq_ldpy.pure_frequency_oracles.HE import HE_Client
    from pure_ldp.frequency_oracles import HEClient

    client = HEClient(1.0, 2)

    def revealed(report: Callable[[int], np.ndarray]) -> tuple[int, int]:
        """Return the reports with digits below 2^-53 in the first bin, among those whose truth there is 0, and 1."""
        counts = []
        for answer in (1, 0):
            y = np.array([report(answer)[0] for _ in range(REPORTS)])
            near = y[(y > 0) & (y < 0.25)]
            counts.append(int((near * 2.0**53 % 1 != 0).sum()))
        return counts[0], counts[1]

    pure = revealed(lambda answer: client.privatise(answer + 1))
    multi = revealed(lambda answer: HE_Client(answer, 2, 1.0))
    return (
        "Histogram encoding adds floating-point Laplace noise. At alpha 1, digits below 2^-53 in a bin between 0 and "
        "1/4 occur only where the truth is 0, which no finite alpha allows: in "
        f"{pure[0]} of {REPORTS} reports with truth 0 and {pure[1]} of {REPORTS} with truth 1 (pure-ldp), "
        f"{multi[0]} and {multi[1]} (multi-freq-ldpy). Such a report proves that its answer is not this category."
    )


def the_generator_is_predictable() -> str:
    """Return that reports come from a seedable Mersenne Twister, not from the system's generator."""
    from pure_ldp.frequency_oracles import DEClient

    client = DEClient(1.0, 16)
    state = random.getstate()
    repeated = []
    for _ in range(2):
        random.seed(7)
        repeated.append([client.privatise(3) for _ in range(1000)])
    random.setstate(state)
    same = sum(a == b for a, b in zip(*repeated, strict=True))
    return (
        "Reports are drawn from Python's and numpy's Mersenne Twister, whose state follows from 624 of its words: "
        f"after `random.seed(7)` {same} of 1000 reports of pure-ldp repeat exactly."
    )


def thresholding_overwrites_reports() -> str:
    """Return that HEServer.aggregate writes zeros and ones into the caller's reports."""
    from pure_ldp.frequency_oracles import HEClient, HEServer

    report = HEClient(1.0, 8).privatise(1)
    before = report.copy()
    HEServer(1.0, 8, use_the=True).aggregate(report)
    changed = int((before != report).sum())
    return f"pure-ldp's HEServer with use_the overwrites what it counts: {changed} of 8 numbers of a report changed."


def only_powers_of_two() -> str:
    """Return the numbers of categories for which the Hadamard mechanism fails."""
    from pure_ldp.frequency_oracles import HadamardMechClient, HadamardMechServer

    failed = []
    for d in range(2, 18):
        client, server = HadamardMechClient(1.0, d, 1), HadamardMechServer(1.0, d, 1)
        try:
            server.aggregate_all([client.privatise(1 + k % d) for k in range(50)])
            server.estimate_all(range(1, d + 1), suppress_warnings=True)
        except IndexError:
            failed.append(d)
    return f"pure-ldp's Hadamard mechanism ends in IndexError for d = {', '.join(map(str, failed))}."


def all_of_them() -> list[str]:
    return [
        show()
        for show in (
            low_digits_betray_the_answer,
            the_generator_is_predictable,
            only_powers_of_two,
            thresholding_overwrites_reports,
            undeclared_imports,
            hashing_needs_an_old_package,
        )
    ]
