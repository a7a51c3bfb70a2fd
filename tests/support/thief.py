"""A thief of everything that a running system keeps: all files, and the contents of Redis and of all tables.

The thief knows when each report came. The thief looks for anything that would reveal this to another person: bytes of
reports, ids in order of arrival, and moments of the reports' period in any notation.
"""

import os
import re
import struct
import uuid
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import psycopg

from tests.services.deployed import DeployedSystem
from tests.services.postgres import Postgres
from tests.services.system import ProductionSystem, System
from tests.support import canary


class Piece(NamedTuple):
    """A file, an answer of Redis, or a table. A file has the times that the file system stores."""

    place: str
    content: bytes
    moments: tuple[float, ...] = ()


class Came(NamedTuple):
    """A report that the thief knows: its id, its packed bytes, and when it was acknowledged (unix seconds)."""

    id: uuid.UUID
    packed: bytes
    at: float


# The loot -------------------------------------------------------------------------------------------------------------


def loot(system: System, postgres: Postgres | None = None, *others: Path) -> list[Piece]:
    """Return everything, while the system runs. PostgreSQL first writes its memory to disk."""
    directories = {"data": system.data} | {f"other {k}": path for k, path in enumerate(others)}
    names: dict[str, str] = {}
    if isinstance(system, ProductionSystem):
        assert postgres is not None, "the server of the database"
        directories |= {"redis": system.redis.directory, "postgres": postgres.directory}
        names = _relations(system, postgres)
    if isinstance(system, DeployedSystem):
        directories["proxy"] = system.certificate.parent
    pieces = [piece for name, path in directories.items() for piece in _files(name, path, names)]
    pieces += [Piece(place, content) for place, content in canary.broker(system)]
    pieces += [Piece(place, content) for place, content in canary.tables(system)]
    return [*pieces, *_deleted(directories.values())]


def _relations(system: ProductionSystem, postgres: Postgres) -> dict[str, str]:
    """Make a checkpoint. Return the names of PostgreSQL's relations by their files' paths."""
    with psycopg.connect(postgres.url("postgres"), autocommit=True) as connection:
        connection.execute("CHECKPOINT")
    listed = "SELECT pg_relation_filepath(oid), oid::regclass::text FROM pg_class WHERE relfilenode != 0 OR oid < 16384"
    with psycopg.connect(system.database_url) as connection:
        return {path: name for path, name in connection.execute(listed).fetchall() if path}


def _files(name: str, directory: Path, relations: dict[str, str]) -> Iterator[Piece]:
    for path in [directory, *sorted(directory.rglob("*"))]:
        with suppress(FileNotFoundError):
            found, shown = path.lstat(), str(path.relative_to(directory))
            content = path.read_bytes() if path.is_file() and not path.is_symlink() else b""
            relation = relations.get(re.sub(r"(\.\d+|_fsm|_vm)$", "", shown.removeprefix("data/")), "")
            place = f"{name}/{shown}" + (f" ({relation})" if relation else "")
            yield Piece(place, content, (found.st_mtime, found.st_ctime))


def _deleted(directories: Iterable[Path]) -> Iterator[Piece]:
    """Yield deleted files that a process holds open. They stay on the disk until the process ends."""
    for link in Path("/proc").glob("[0-9]*/fd/*"):
        with suppress(OSError):
            target = os.readlink(link)
            if target.endswith(" (deleted)") and any(target.startswith(str(path)) for path in directories):
                yield Piece(f"deleted {target}", link.read_bytes())


# Bytes and orders -----------------------------------------------------------------------------------------------------

# By chance, a rank correlation exceeds this many standard deviations once in 500 million times. Two neighbours in the
# order of arrival are expected; by chance, this many come once in 2,000 million times. About ten places hold all ids,
# so a search of unordered places has a finding in fewer than one of 10 million runs.
DEVIATIONS = 6.0
NEIGHBOURS = 16
LEAST = 38  # fewer ids cannot deviate this far


def notations(report: Came) -> dict[str, bytes]:
    return {
        "id": report.id.bytes,
        "id in hex": report.id.hex.encode(),
        "id as text": str(report.id).encode(),
        "id turned round": report.id.bytes_le,
    }


def bytes_of_reports(pieces: Sequence[Piece], reports: Sequence[Came]) -> list[str]:
    """Return the places that contain packed reports as they were sent."""
    found = []
    for piece in pieces:
        whole = [r for r in reports if r.packed in piece.content or r.packed.hex().encode() in piece.content]
        if whole:
            found.append(f"{len(whole)} packed reports in {piece.place}")
    return found


def orders(pieces: Sequence[Piece], reports: Sequence[Came]) -> list[str]:
    """Return the places that contain ids or bytes of reports in an order similar to their arrival."""
    found = []
    names: list[tuple[str, list[bytes]]] = [(name, []) for name in notations(reports[0])]
    for name, needles in names:
        needles += [notations(report)[name] for report in reports]
    names.append(("packed reports", [report.packed for report in reports]))
    for piece in pieces:
        for name, needles in names:
            told = tells_order(piece.content, needles)
            if told:
                found.append(f"{name} in {piece.place}: {told}")
    return found


def tells_order(content: bytes, needles: Sequence[bytes]) -> str:
    """Return how the content reveals the needles' order, or "". DEVIATIONS has the chance of a false alarm."""
    first = [content.find(needle) for needle in needles]
    present = [k for k, at in enumerate(first) if at >= 0]
    if len(present) < LEAST:
        return ""
    for which, at in (("first", first), ("last", [content.rfind(needle) for needle in needles])):
        correlation = rank_correlation([at[k] for k in present])
        if abs(correlation) * (len(present) - 1) ** 0.5 > DEVIATIONS:
            return f"the {which} occurrences of {len(present)} correlate by {correlation:.2f} with their arrival"
        ranks = [k for _, k in sorted((at[k], k) for k in present)]
        near = sum(abs(a - b) == 1 for a, b in pairwise(ranks))
        if near >= NEIGHBOURS:
            return f"{near} of {len(present)} stand beside one that came just before or after"
    return ""


def rank_correlation(values: Sequence[float]) -> float:
    """Return Spearman's rank correlation of the values with 0, 1, 2, .... All values differ."""
    ranks = np.argsort(np.argsort(values))
    return float(np.corrcoef(ranks, np.arange(len(values)))[0, 1])


def together(pieces: Sequence[Piece], reports: Sequence[Came], distance: int = 256) -> list[str]:
    """Return the places where an id is near its report."""
    found: Counter[str] = Counter()
    for piece in pieces:
        for report in reports:
            for at in _all(piece.content, report.packed):
                near = piece.content[max(0, at - distance) : at + distance]
                found[piece.place] += any(needle in near for needle in notations(report).values())
    return [f"{count} ids beside their reports in {place}" for place, count in found.items() if count]


def _all(content: bytes, needle: bytes) -> Iterator[int]:
    at = content.find(needle)
    while at >= 0:
        yield at
        at = content.find(needle, at + 1)


def transactions(system: System, reports: Sequence[Came]) -> list[str]:
    """Return tables whose rows show different transactions. PostgreSQL stores with each row the transaction that wrote
    it, and transactions are numbered as they come."""
    if not isinstance(system, ProductionSystem):
        return []
    found = []
    with psycopg.connect(system.database_url) as connection:
        for table in ("surveys_reportid", "surveys_report"):
            rows = connection.execute(f"SELECT id, xmin::text::bigint FROM {table}").fetchall()  # type: ignore[arg-type]
            by_id = dict(rows)
            numbers = [by_id[report.id] for report in reports if report.id in by_id]
            if len(set(numbers)) > 1:
                found.append(f"{len(numbers)} rows of {table} were written by {len(set(numbers))} transactions")
    return found


# Times ----------------------------------------------------------------------------------------------------------------

_TO_2000 = datetime(2000, 1, 1, tzinfo=UTC).timestamp()
_JULIAN = 2440587.5  # the Julian day at which unix time begins

UNITS = {  # functions of a moment in unix seconds
    "seconds": lambda t: t,
    "milliseconds": lambda t: t * 1e3,
    "microseconds": lambda t: t * 1e6,
    "nanoseconds": lambda t: t * 1e9,
    "microseconds since 2000": lambda t: (t - _TO_2000) * 1e6,
    "seconds since 2000": lambda t: t - _TO_2000,
    "milliseconds, then 16 bits": lambda t: t * 1e3 * 2**16,  # as in an id that begins with its time
    "Julian day": lambda t: t / 86400 + _JULIAN,
    "day": lambda t: t / 86400,
}
ALONE = ("seconds", "milliseconds", "microseconds", "microseconds since 2000", "seconds since 2000")
# Some random bytes look like one of these numbers. In everything that a site keeps of 120 reports, this happens once in
# 200 searches of a period of 14 s. So these notations count only if several different numbers appear, in any places. By
# chance that happens in fewer than one of 10 million searches.
SEVERAL = 3
NUMBERS = {
    **{("i8", unit): 1 for unit in ALONE},
    **{("i8", unit): SEVERAL for unit in ("nanoseconds", "milliseconds, then 16 bits")},
    **{("f8", unit): SEVERAL for unit in ("seconds", "milliseconds", "seconds since 2000", "Julian day", "day")},
    **{("u4", unit): SEVERAL for unit in ("seconds", "seconds since 2000")},
}
TEXTS = ("%H:%M:%S", "%Y%m%d%H%M%S", "%d%b%Y%H%M%S")


def moments(content: bytes, start: float, end: float) -> dict[str, set[Any]]:
    """Return the moments from `start` to `end` (unix seconds) that the content may have, by notation."""
    numbers = {
        f"{order}{kind} {unit}": set(_between(content, f"{order}{kind}", UNITS[unit](start), UNITS[unit](end)))
        for kind, unit in NUMBERS
        for order in "<>"
    }
    texts: dict[str, set[Any]] = {}
    for notation, text in _texts(content, start, end):
        texts.setdefault(notation, set()).add(text)
    return {notation: values for notation, values in (numbers | texts).items() if values}


def _least(notation: str) -> int:
    kind, _, unit = notation[1:].partition(" ")
    return NUMBERS.get((kind, unit), 1)


def _between(content: bytes, kind: str, low: float, high: float) -> list[Any]:
    """Return the numbers of this kind between two numbers, at any place in the content."""
    size, found = np.dtype(kind).itemsize, list[Any]()
    for shift in range(min(size, len(content) - size + 1)):
        values = np.frombuffer(content, kind, (len(content) - shift) // size, shift)
        found += values[(values >= low) & (values <= high)].tolist()
    return found


def _texts(content: bytes, start: float, end: float) -> Iterator[tuple[str, bytes]]:
    for second in range(int(start), int(end) + 1):
        moment = datetime.fromtimestamp(second, UTC)
        # A pickled datetime of Python, for example in the schedule's file.
        pickled = struct.pack(">H5B", *moment.timetuple()[:6])
        texts = {f"text {form}": moment.strftime(form).encode() for form in TEXTS} | {"pickled datetime": pickled}
        yield from ((notation, text) for notation, text in texts.items() if text in content)
    for digits in re.findall(rb"(?<![\d.])(\d{10})(?:\d{3}|\d{6}|\d{9})?(?!\d)", content):
        if start <= int(digits) <= end:
            yield "text in digits", digits


class Period(NamedTuple):
    """The period in which reports came, without its ends: the batch itself reveals these."""

    start: float
    end: float


HOUR = 3600
COUNTED_WITHIN = 10  # seconds after a full hour; the turnout is counted then, whether or not a report comes


def period(reports: Sequence[Came]) -> Period:
    """Return the period of the reports. If a full hour lies in it, return the longer part before or after this hour."""
    whole = Period(reports[0].at + 1, reports[-1].at - 1)
    hour = whole.end // HOUR * HOUR
    if hour + COUNTED_WITHIN < whole.start:
        return whole
    parts = (Period(whole.start, hour - 1), Period(max(whole.start, hour + COUNTED_WITHIN), whole.end))
    return max(parts, key=lambda part: part.end - part.start)


# Clocks that run whether or not a report comes. They contain nothing of a report and only show that the system ran.
CLOCKS = {
    r"data/(beat-)?schedule": "the schedule's own file: when it last sent its two tasks",
    r"redis/": "files of a broker that keeps some: a message of the sweep every second",
    r"Redis key b'(celery|unacked\w*|_kombu.*|estimates|deniable:alive)'": "the sweep's messages and its sign of life",
    r"data/redis\.log|redis/redis\.log": "what Redis says of its own files",
    r"postgres/postgres\.log": "checkpoints and connections that failed",
    r"postgres/data/global/pg_control$": "when PostgreSQL's last checkpoint was",
    r"postgres/data/pg_wal": "PostgreSQL's write-ahead log: docs/operators/inside.md says for how long",
}


def excused(place: str) -> bool:
    return any(re.match(clock, place) for clock in CLOCKS)


def times(pieces: Sequence[Piece], before: Sequence[Piece], reports: Sequence[Came]) -> list[str]:
    """Return the places with moments of the reports' period. Numbers that were there before the period are left out:
    they are no moments of it."""
    start, end = period(reports)
    known = {piece.place: piece.content for piece in before}
    found, values, places = list[str](), dict[str, set[Any]](), dict[str, set[str]]()
    for piece in pieces:
        if excused(piece.place):
            continue
        new = moments(piece.content, start, end)
        old = moments(known.get(piece.place, b""), start, end) if new else {}
        for notation in new:
            if fresh := new[notation] - old.get(notation, set()):
                values.setdefault(notation, set()).update(fresh)
                places.setdefault(notation, set()).add(piece.place)
        # PostgreSQL writes its files at moments of its choice, minutes after a report.
        if not piece.place.startswith("postgres/") and any(start <= moment <= end for moment in piece.moments):
            found.append(f"the file system's time of {piece.place}")
    sure = (notation for notation in values if len(values[notation]) >= _least(notation))
    return [*found, *(f"{len(values[notation])} of {notation} in {sorted(places[notation])}" for notation in sure)]


def without_log(pieces: Sequence[Piece]) -> list[Piece]:
    """Return the pieces without PostgreSQL's write-ahead log. The documents say what this log keeps."""
    return [piece for piece in pieces if not piece.place.startswith("postgres/data/pg_wal")]


def changed(pieces: Sequence[Piece], before: Sequence[Piece]) -> list[Piece]:
    """Return the pieces whose content or time changed."""
    known = {piece.place: piece for piece in before}
    return [piece for piece in pieces if known.get(piece.place) != piece]


def only_log(pieces: Sequence[Piece]) -> list[Piece]:
    return [piece for piece in pieces if piece.place.startswith("postgres/data/pg_wal")]
