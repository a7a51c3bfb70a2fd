"""One slow, careless or malicious client stops no one else: an honest respondent among a thousand hostile ones.

    python -m benchmarks.starving [--pair embedded|deployed] [--reports 300] [--only half_bodies ...] [--rate 2000]

Hostile are 1,000 half-sent bodies, 2,000 idle connections, 64 wrong logins at a time, a flood of well-formed forged
reports at one survey, 64 clients that ask for signatures without end, and the largest allowed definition, one by one
and together. Prints for the honest respondents of another survey how many were acknowledged, how long that took, and
the time from the last to the results. Deployed means the units' commands behind nginx over TLS, on PostgreSQL.
Everything stays on this machine's loopback addresses.
"""

import argparse
import sys

import benchmarks.site  # noqa: F401
from tests.services.deployed import DeployedSystem
from tests.services.ledger import DRAFT
from tests.services.postgres import Postgres
from tests.services.starving import LARGEST, Met, Survey, meet
from tests.services.system import EmbeddedSystem, System

KINDS = {"half_bodies": 1000, "idle": 2000, "logins": 64, "flood": 64, "signatures": 64}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--pair", choices=("embedded", "deployed"), default="embedded")
    options.add_argument("--reports", type=int, default=330, help="of honest respondents (default: 330)")
    options.add_argument("--every", type=float, default=0.05, help="seconds between two of them (default: 0.05)")
    options.add_argument("--rate", type=int, default=2000, help="forged reports a second (default: 2000)")
    options.add_argument("--only", nargs="+", choices=["nobody", *KINDS, "largest", "all"])
    chosen = options.parse_args()
    postgres = Postgres() if chosen.pair == "deployed" else None
    system: System = DeployedSystem(postgres) if postgres else EmbeddedSystem()
    try:
        _print_head()
        for name in chosen.only or ["nobody", *KINDS, "largest", "all"]:
            plan = {"all": KINDS, "nobody": {}, "largest": {}}.get(name, {name: KINDS.get(name, 0)})
            largest = Survey(system, LARGEST) if name in ("largest", "all") else None
            target = largest or Survey(system, DRAFT)
            if largest:
                plan = plan | {"flood": KINDS["flood"], "rate": chosen.rate // 20}
            else:
                plan = plan | {"rate": chosen.rate}
            _print(name, meet(system, target, plan, chosen.reports, chosen.every, settle=5))
    finally:
        system.stop()
        if postgres:
            postgres.stop()


def _print_head() -> None:
    print(f"{'':<12} {'acknowledged':>14} {'p50 ms':>8} {'p99 ms':>8} {'results s':>10}  others", flush=True)


def _print(name: str, met: Met) -> None:
    results = "never" if met.results is None else f"{met.results:.1f}"
    others = ", ".join(f"{what} {n}" for what, n in sorted(met.hostile.items()))
    acknowledged = f"{met.acknowledged} of {met.sent}"
    print(
        f"{name:<12} {acknowledged:>14} {1e3 * met.p50:>8.0f} {1e3 * met.p99:>8.0f} {results:>10}  {others}", flush=True
    )


if __name__ == "__main__":
    sys.exit(main())
