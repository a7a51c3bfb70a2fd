"""Exactly once, under fire: the complete system while its parts are killed, its network cut and its disk full.

    python -m benchmarks.faults [--reports 5000] [--kills 50] [--seed 1] [--pair production]
    python -m benchmarks.faults --calamities [NAME ...] [--reports 5000]

Prints the reports acknowledged, stored and counted, the kills by part and the faults of the network. With --calamities
each calamity strikes one site while people answer: a full disk, a clock that jumps by a day, a PostgreSQL that restarts
or fails over to a replica, a lost Redis. Then the answers that browsers got are printed too. Status 1 unless 0 reports
were lost and 0 doubled. Needs requirements-dev.txt; as root it mounts a small disk to fill.
"""

import argparse
import sys
import time
from collections.abc import Sequence

import benchmarks.site  # noqa: F401
from tests.services import calamities
from tests.services.fragile import FragileEmbedded, FragileProduction
from tests.services.turmoil import Outcome, Storm, run

PAIRS = {"production": FragileProduction, "embedded": FragileEmbedded}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--reports", type=int, default=5000, help="acknowledged at least (default: 5000)")
    options.add_argument("--kills", type=int, default=50, help="how many (default: 50)")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--pair", choices=PAIRS, default="production")
    names = tuple(calamities.CALAMITIES)
    options.add_argument(
        "--calamities", nargs="*", choices=names, metavar="NAME", help=f"some or all of: {', '.join(names)}"
    )
    chosen = options.parse_args()
    if chosen.calamities is not None:
        sys.exit(_befall(chosen.calamities or names, chosen.reports))
    started = time.monotonic()
    system = PAIRS[chosen.pair](BLOCK_SIZE="200")
    try:
        outcome = run(system, Storm(chosen.reports, chosen.kills, chosen.seed), _say)
    finally:
        system.stop()
    _say("")
    _print(outcome, time.monotonic() - started)
    sys.exit(1 if outcome.wrongs else 0)


def _befall(names: Sequence[str], reports: int) -> int:
    """Print a line for each calamity in turn, and return the status."""
    wrongs: list[str] = []
    print("| calamity | acknowledged = stored = counted | lost, doubled | told | longest wait | counted again after |")
    print("|---|---|---|---|---|---|")
    for name in names:
        with calamities.site(BLOCK_SIZE="200") as site:
            outcome = calamities.run(name, site, reports, calamities.AWAY)
        books, told = outcome.books, ", ".join(f"{word} {n}" for word, n in sorted(outcome.seen.items()))
        counts = f"{books.acknowledged}, {books.stored}, {books.counted}"
        waits = f"{outcome.longest:.1f} s | {outcome.counted_after:.1f} s"
        print(f"| {name} | {counts} | {books.lost}, {books.doubled} | {told} | {waits} |", flush=True)
        wrongs += [f"{name}: {wrong}" for wrong in books.wrongs]
    for wrong in wrongs:
        print(f"WRONG: {wrong}")
    return 1 if wrongs else 0


def _say(text: str) -> None:
    print(f"\r{text:<70}", end="\r", file=sys.stderr, flush=True)


def _print(outcome: Outcome, seconds: float) -> None:
    books = outcome.books
    print(f"{books.acknowledged} reports acknowledged, {books.stored} stored, {books.counted} counted.")
    print(f"{books.lost} lost, {books.doubled} doubled; {books.unacknowledged} stored without an acknowledgement.")
    print(f"{books.blocks} blocks; the recount {'differs' if outcome.wrongs else 'equals the tally'}.")
    for title, counts in (
        (f"{outcome.kills.total()} kills", outcome.kills),
        ("Requests", outcome.fates),
        ("Reports refused", outcome.refused),
    ):
        print(f"{title}: " + ", ".join(f"{name} {count}" for name, count in counts.most_common()))
    print(f"{seconds:.0f} s")
    for wrong in outcome.wrongs:
        print(f"WRONG: {wrong}")


if __name__ == "__main__":
    main()
