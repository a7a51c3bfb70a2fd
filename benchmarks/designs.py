"""The worth of product subsets and overlapping forms, and whether they keep their promises: `python -m
benchmarks.designs`.

Each part describes itself above its rows. Status 0 only if every row holds.
"""

import argparse
import inspect
import sys
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor

from benchmarks import designs_audiences, designs_coverage, designs_planner, tables

# Each has a TITLE, a HEADER, a FULL scale and `rows(scale, processes)`, which starts the work and returns pairs:
# whether a row holds, and the row.
PARTS = (designs_coverage, *designs_planner.PARTS, designs_planner.Part(*designs_audiences.PART))


def lines(short: bool, processes: Executor) -> tuple[list[str], int]:
    """Return the report, and the number of rows that do not hold."""
    found, failed = [__doc__.partition("\n\n")[2].strip()], 0
    # Coverage is started last: its simulations fill the processes that other parts leave free.
    started = [part.rows(part.SHORT if short else part.FULL, processes) for part in PARTS[::-1]][::-1]
    for part, rows in zip(PARTS, started, strict=True):
        judged = list(rows)
        failed += sum(not holds for holds, _ in judged)
        table = [[*row, "yes" if holds else "NO"] for holds, row in judged]
        said = inspect.getdoc(part).partition("\n\n")[2].strip()
        found += ["", f"## {part.TITLE}", "", said, "", *tables.table([*part.HEADER, "holds"], table)]
    return [*found, "", f"Rows that do not hold: {failed}."], failed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--short", action="store_true", help="few surveys of few people, as the tests do")
    short = parser.parse_args().short
    with ThreadPoolExecutor(1) if short else ProcessPoolExecutor() as processes:
        report, failed = lines(short, processes)
    tables.write("designs", "Product subsets and overlapping forms", report)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
