"""A thief of every file of a running system, before a batch was taken and after it: what does he learn of its reports?

    python -m benchmarks.thief [--batch 200] [--pair embedded] [--forms]

The search covers the files of the database, of Redis and of the proxy, logs and temporary files, and the answers of
Redis and every table. It looks for reports' bytes, for ids in the order of arrival and for moments in the time of the
reports. PostgreSQL's write-ahead log is searched apart: docs/operators/inside.md says how long it holds reports. Status
1 if anything else shows a report. Needs requirements-dev.txt.
"""

import argparse
import sys
import tempfile
from pathlib import Path
from typing import Any

import benchmarks.site  # noqa: F401
from tests.services.deployed import DeployedSystem
from tests.services.postgres import Postgres
from tests.services.system import EmbeddedSystem
from tests.support import observation, theft, thief


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--batch", type=int, default=200, help="reports of the batch (default: 200)")
    options.add_argument("--pair", choices=["embedded", "deployed"], default="embedded")
    options.add_argument(
        "--forms", action="store_true", help="of twenty overlapping forms, while another's reports wait"
    )
    chosen = options.parse_args()
    stolen = _rob(chosen.batch, chosen.pair, observation.IN_FORMS if chosen.forms else observation.DRAFT)
    before, after = theft.findings_before(stolen), theft.findings(stolen)
    log = thief.bytes_of_reports(thief.only_log(stolen.after), stolen.reports)
    log += thief.orders(thief.only_log(stolen.after), stolen.reports)
    size = sum(len(piece.content) for piece in stolen.after)
    print(
        f"{len(stolen.after)} files, keys and tables, {size / 1e6:.0f} MB; {len(stolen.reports)} reports of one batch."
    )
    _tell("Before the batch was taken", before)
    _tell("In PostgreSQL's write-ahead log afterwards", log)
    _tell("Anywhere else afterwards", after)
    sys.exit(1 if after else 0)


def _rob(batch: int, pair: str, draft: dict[str, Any]) -> theft.Stolen:
    with tempfile.TemporaryDirectory() as drafts, tempfile.TemporaryDirectory() as temporary:
        settings = {"BATCH": str(batch), "TMPDIR": temporary}
        postgres = None if pair == "embedded" else Postgres()
        system = EmbeddedSystem(**settings) if postgres is None else DeployedSystem(postgres, **settings)
        try:
            return theft.rob(system, Path(drafts), batch, postgres, Path(temporary), draft=draft)
        finally:
            system.stop()
            if postgres is not None:
                postgres.stop()


def _tell(where: str, found: list[str]) -> None:
    print(f"{where}: {len(found) or 'nothing'}")
    for line in found:
        print(f"  {line[:200]}")


if __name__ == "__main__":
    main()
