"""The error of our default mechanism over that of every frequency oracle of pure-ldp and multi-freq-ldpy.

Run `python -m benchmarks.peers [--seconds 1.5]` in an environment with benchmarks/requirements.txt. All get the same
answers at the same alpha. The truth is the share among these respondents, so randomization is the only error.
"""

import argparse
import time
from collections.abc import Callable
from fractions import Fraction
from importlib import metadata

import numpy as np

from benchmarks import defects, simulation, tables
from benchmarks.peer_oracles import Oracle, oracles
from ldp import mechanisms
from ldp.inference import estimates
from ldp.kinds import best
from ldp.scores import ScoreMoments

CATEGORIES = (2, 4, 16, 64, 256)
ALPHAS = ("0.5", "1", "2", "4")
RESPONDENTS = 1000
SURVEYS = (8, 600)  # least and most surveys for a peer; its time decides in between
OURS = 400


def people(d: int) -> np.ndarray:
    """Return the answers, with shares proportional to 1/1, 1/2, ..., 1/d rounded to whole people."""
    weights = 1 / np.arange(1, d + 1)
    ends = np.round(RESPONDENTS * np.cumsum(weights) / weights.sum()).astype(np.int64)
    return np.repeat(np.arange(d), np.diff(ends, prepend=0))


def default_law(alpha: str, d: int) -> tuple[str, ScoreMoments]:
    name = best("single_choice", Fraction(alpha), d)
    mechanism = mechanisms.MECHANISMS[name]
    table = mechanism.table(Fraction(alpha), d)
    return name, next(iter(mechanism.moments(table, d).values()))


def our_estimates(alpha: str, d: int, generator: np.random.Generator) -> np.ndarray:
    """Return estimates by our default mechanism for OURS surveys of the same people, shape (OURS, d)."""
    name, moments = default_law(alpha, d)
    answers = people(d)
    counts = np.broadcast_to(np.bincount(answers, minlength=d), (OURS, d))
    listed = mechanisms.MECHANISMS[name].table(Fraction(alpha), d).get("sizes", [1])[0]
    if listed > 1:
        totals = np.array([simulation.subsets(answers, d, listed, moments, generator).sum(axis=0) for _ in range(OURS)])
    else:
        draw = {"randomized_response": simulation.randomized_response_totals, "bitwise": simulation.bit_totals}[name]
        totals = draw(counts, moments, generator)
    return estimates.shares(totals, RESPONDENTS, moments)


def errors(found: np.ndarray, d: int) -> np.ndarray:
    """Return the total squared error of each survey, times n."""
    true = np.bincount(people(d), minlength=d) / RESPONDENTS
    return RESPONDENTS * ((found - true) ** 2).sum(axis=1)


def cut_and_rescaled(shares: np.ndarray) -> np.ndarray:
    """Return estimates as multi-freq-ldpy changes them."""
    positive = np.clip(shares, 0, None)
    return positive / positive.sum()


def peer_errors(oracle: Oracle, alpha: str, d: int, seconds: float) -> np.ndarray:
    answers, found = people(d), []
    oracle.estimate(answers[:20], float(alpha), d)  # the first call compiles
    started = time.perf_counter()
    while len(found) < SURVEYS[0] or (len(found) < SURVEYS[1] and time.perf_counter() - started < seconds):
        found.append(oracle.estimate(answers, float(alpha), d))
    return errors(np.array(found), d)


def same_estimates() -> list[str]:
    """Return a table of the largest difference of two shares, between peers and our estimators on their reports."""
    by_name = {(oracle.package, oracle.name): oracle for oracle in oracles()}

    def one_hot(reports: list, d: int) -> np.ndarray:
        return np.bincount(reports, minlength=d)

    def chosen(reports: list, d: int) -> np.ndarray:
        return np.bincount(np.concatenate(reports), minlength=d)

    def bits(reports: list, d: int) -> np.ndarray:
        return np.sum(reports, axis=0)

    pairs: list[tuple[str, str, str, Callable[[list, int], np.ndarray]]] = [
        ("pure-ldp", "DE", "randomized_response", one_hot),
        ("pure-ldp", "SUE", "bitwise", bits),
        ("multi-freq-ldpy", "GRR", "randomized_response", one_hot),
        ("multi-freq-ldpy", "SUE", "bitwise", bits),
        ("multi-freq-ldpy", "SS", "randomized_response", chosen),
    ]
    rows = []
    for package, name, ours, total in pairs:
        if ours not in mechanisms.MECHANISMS:
            continue
        worst, cells, surely = 0.0, 0, by_name[package, name]
        for d in CATEGORIES:
            for alpha in ALPHAS:
                client, server = surely.session(float(alpha), d)
                reports = [client(int(answer)) for answer in people(d)]
                mechanism = mechanisms.MECHANISMS[ours]
                # The peer rounds d/(e^alpha + 1), or reports one option.
                listed = {"size": len(reports[0]) if name == "SS" else 1} if ours == "randomized_response" else {}
                table = mechanism.table(Fraction(alpha), d, **listed)
                moments = next(iter(mechanism.moments(table, d).values()))
                shares = estimates.shares(total(reports, d), len(reports), moments)
                if not surely.unbiased:
                    shares = cut_and_rescaled(shares)
                worst, cells = max(worst, float(np.abs(shares - server(reports)).max())), cells + 1
        rows.append([package, name, ours, f"{cells} of {len(CATEGORIES) * len(ALPHAS)}", f"{worst:.0e}"])
    header = ["package", "oracle", "our estimator", "settings compared", "largest difference"]
    return tables.table(header, rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=1.5, help="time for each oracle and setting")
    seconds = parser.parse_args().seconds
    generator = np.random.default_rng(20_000)
    known = oracles()
    unbiased, biased = [o for o in known if o.unbiased], [o for o in known if not o.unbiased]
    raw_rows, cut_rows, spread = [], [], []
    for d in CATEGORIES:
        for alpha in ALPHAS:
            name, moments = default_law(alpha, d)
            found = our_estimates(alpha, d, generator)
            expected = (float(moments.v_a) + (d - 1) * float(moments.v_b)) / float(moments.gap) ** 2
            measured = errors(found, d)
            if abs(measured.mean() - expected) > 5 * measured.std() / np.sqrt(OURS):
                raise SystemExit(f"our own error at d = {d}, alpha = {alpha} is not what the law says")
            simplex = errors(np.array([estimates.onto_simplex(row) for row in found]), d).mean()
            cut = errors(np.array([cut_and_rescaled(row) for row in found]), d).mean()
            peers = {o: peer_errors(o, alpha, d, seconds) for o in known}
            spread += [values.std() / values.mean() / np.sqrt(len(values)) for values in peers.values()]
            raw_rows.append([d, alpha, name, *(f"{expected / peers[o].mean():.2f}" for o in unbiased)])
            cut_rows.append([d, alpha, name, *(f"{cut / peers[o].mean():.2f}" for o in biased)])
            cut_rows[-1].append(f"{simplex / cut:.2f}")
            print(raw_rows[-1], cut_rows[-1][3:], flush=True)
    lines = [
        "Squared error of our default mechanism over the squared error of each oracle, on the same "
        f"{RESPONDENTS} answers (shares falling as 1/j) and at the same alpha: below 1 ours is nearer to the truth. "
        f"The standard errors of the peers' averages are {100 * np.median(spread):.0f}% at the median and "
        f"{100 * max(spread):.0f}% at most.",
        "",
        f"## pure-ldp {metadata.version('pure-ldp')}: unbiased estimates against our unbiased estimates",
        "",
        *tables.table(["d", "alpha", "our default", *(o.name for o in unbiased)], raw_rows),
        "",
        f"## multi-freq-ldpy {metadata.version('multi-freq-ldpy')}: shares cut at zero and rescaled, ours treated "
        "alike",
        "",
        "Its estimates are always cut at zero and divided by their sum, so they are biased, and there is no "
        "unbiased one to be had. Here ours are cut and rescaled too. The last column is the error of our shares "
        "projected on the simplex, which `ldp.inference.estimates` gives and the results do not show, over that of "
        "ours cut and rescaled: where the reports say little, cutting and rescaling shrinks more and errs less, "
        "where they say much the projection "
        "does.",
        "",
        *tables.table(["d", "alpha", "our default", *(o.name for o in biased), "projected"], cut_rows),
        "",
        "## The same reports give the same estimates",
        "",
        "Reports of a peer through our estimator, where both have the mechanism (cut and rescaled where the peer "
        "does it).",
        "",
        *same_estimates(),
        "",
        "## What is broken in the peers, as measured in this run",
        "",
        *(f"- {line}" for line in defects.all_of_them()),
    ]
    tables.write("peers", "Error against published packages", lines, ".venv-peers/bin/python -m benchmarks.peers")


if __name__ == "__main__":
    main()
