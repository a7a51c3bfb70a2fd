"""From a million stored reports to estimates: the speed against that of memory, and against published packages.

`python -m benchmarks.aggregation`, in an environment with benchmarks/requirements.txt; without the packages the rest is
measured. Our work begins with the stored bytes and ends with the shares and their standard errors. A peer begins with
reports in its client's format, fewer of them if a million do not fit, and ends with its shares.
"""

import contextlib
import time
from collections.abc import Callable
from fractions import Fraction

import numpy as np

from benchmarks import tables
from ldp import kernels
from ldp.inference import estimates
from ldp.mechanisms import bitwise, randomized_response
from ldp.scores import ScoreMoments

REPORTS = 1_000_000
CATEGORIES = (2, 16, 64, 256)
ALPHA = Fraction(1)
PACKAGES = ("pure-ldp", "multi-freq-ldpy")
PEER_NUMBERS = 8_000_000  # a peer's reports hold at most this many numbers together


def best_time(work: Callable[[], object], repeats: int = 9) -> float:
    """Return the least of several times, in seconds: the machine's speed while no one else uses it."""
    times = []
    for _ in range(repeats):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return min(times)


def bandwidth() -> float:
    """Return the bytes per second that one core reads from memory: the fastest of three reductions over .5 GB."""
    numbers = np.random.default_rng(1).integers(0, 2**63, 1 << 26, dtype=np.int64)
    reductions = (np.max, np.sum, np.bitwise_or.reduce)
    return numbers.nbytes / min(best_time(lambda reduce=reduce: reduce(numbers), 5) for reduce in reductions)


def finish(totals: np.ndarray, moments: ScoreMoments) -> tuple[np.ndarray, np.ndarray]:
    shares = estimates.shares(totals, REPORTS, moments)
    return shares, estimates.standard_errors(shares, REPORTS, moments, "population")


def peers(d: int, bits: bool) -> dict[str, float]:
    """Return the seconds for a million reports, by installed package."""
    count = min(REPORTS, PEER_NUMBERS // d) if bits else REPORTS
    generator = np.random.default_rng(2)
    values = generator.integers(0, 2, (count, d)) if bits else generator.integers(0, d, count)
    found = {}
    for package, build in zip(PACKAGES, (_pure_ldp, _multi_freq), strict=True):
        with contextlib.suppress(ModuleNotFoundError):
            found[package] = best_time(build(values, d, bits), 2) * REPORTS / count
    return found


def _pure_ldp(values: np.ndarray, d: int, bits: bool) -> Callable[[], object]:
    from pure_ldp.frequency_oracles import DEServer, UEServer

    reports = list(values) if bits else values.tolist()

    def aggregate() -> object:
        server = (UEServer if bits else DEServer)(1.0, d)
        server.aggregate_all(reports)
        return server.estimate_all(range(1, d + 1), suppress_warnings=True)

    return aggregate


def _multi_freq(values: np.ndarray, d: int, bits: bool) -> Callable[[], object]:
    from multi_freq_ldpy.pure_frequency_oracles import GRR, UE

    if bits:
        vectors = list(values.astype(np.float64))
        return lambda: UE.UE_Aggregator_MI(vectors, 1.0, False)
    reports = values.tolist()
    return lambda: GRR.GRR_Aggregator_MI(reports, d, 1.0)


def codes(d: int) -> tuple[int, Callable[[], object], Callable[[], object]]:
    """Return the bytes, our work and the plain work for randomized response, with the index in a separate byte."""
    moments = randomized_response.moments(randomized_response.table(ALPHA, d, 1), d)["support"]
    width = (d - 1).bit_length()
    index = np.random.default_rng(d).integers(0, d, REPORTS, dtype=np.uint8)
    stored = (index << (8 - width)).astype(np.uint8).reshape(-1, 1)
    plain = lambda: finish(np.bincount(stored[:, 0] >> (8 - width), minlength=d), moments)  # noqa: E731
    return stored.nbytes, lambda: finish(kernels.code_counts(kernels.codes(stored, 0, width), d), moments), plain


def rows(d: int) -> tuple[int, Callable[[], object], Callable[[], object]]:
    """Return the same for bits, one packed row for each report."""
    moments = bitwise.moments(bitwise.table(ALPHA, d), d)["support"]
    stored = np.random.default_rng(d).integers(0, 256, (REPORTS, (d + 7) // 8), dtype=np.uint8)
    plain = lambda: finish(np.unpackbits(stored, axis=1).sum(axis=0, dtype=np.int64)[:d], moments)  # noqa: E731
    return stored.nbytes, lambda: finish(kernels.column_sums(stored)[:d], moments), plain


def columns(d: int) -> tuple[int, Callable[[], object], Callable[[], object]]:
    """Return the same for bits, one bitmap of all reports for each category."""
    moments = bitwise.moments(bitwise.table(ALPHA, d), d)["support"]
    stored = np.random.default_rng(d).integers(0, 256, (d, REPORTS // 8), dtype=np.uint8)
    plain = lambda: finish(np.unpackbits(stored, axis=1).sum(axis=1, dtype=np.int64), moments)  # noqa: E731
    return stored.nbytes, lambda: finish(bitmap_sums(stored), moments), plain


def bitmap_sums(bitmaps: np.ndarray) -> np.ndarray:
    """Return how many ones each row has. Reports are stored by column: a row of bits per category, (d, w) bytes."""
    even = bitmaps.shape[1] // 8 * 8
    words = np.ascontiguousarray(bitmaps[:, :even]).view(np.uint64)
    rest = np.bitwise_count(bitmaps[:, even:]).sum(axis=1, dtype=np.int64)
    return np.bitwise_count(words).sum(axis=1, dtype=np.int64) + rest


def main() -> None:
    global REPORTS
    REPORTS = tables.number("reports", REPORTS)
    speed = bandwidth()
    ratios, times = [], []
    for form, build in (("index", codes), ("bits, rows", rows), ("bits, columns", columns)):
        for d in CATEGORIES:
            size, ours, plain = build(d)
            seconds, plain_seconds = best_time(ours), best_time(plain, 3)
            others = peers(d, form != "index")
            factors = [f"{others[name] / seconds:,.0f}" if name in others else "—" for name in PACKAGES]
            share = size / seconds / speed
            ratios.append([form, d, f"{100 * share:.0f}%", f"{plain_seconds / seconds:.1f}", *factors])
            times.append([form, d, f"{size / 1e6:.1f}", f"{1000 * seconds:.2f}"])
    lines = [
        f"From {REPORTS:,} stored reports to shares and standard errors. First the bytes that are read in a second as "
        "a share of this machine's memory bandwidth for one core, then how many times longer others take: the plain "
        "numpy sum over unpacked bits or codes, and two packages on reports in their own form.",
        "",
        *tables.table(["stored as", "d", "of bandwidth", "plain sum", *PACKAGES], ratios),
        "",
        f"Where that came from (bandwidth {speed / 1e9:.0f} GB/s):",
        "",
        *tables.table(["stored as", "d", "megabytes", "milliseconds"], times),
    ]
    tables.write("aggregation", "Aggregation", lines, ".venv-peers/bin/python -m benchmarks.aggregation")


if __name__ == "__main__":
    main()
