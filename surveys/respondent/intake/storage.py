"""Storage of reports: one statement and one commit for each group of waiting reports.

A survey that closes at a number of reports has its group stored and counted in one transaction.
"""

import enum
import time
import uuid
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from itertools import groupby
from typing import Any, NamedTuple

from django.db import connection, transaction
from django.db.models import BooleanField, ExpressionWrapper, Q
from django.db.models.functions import Now

from surveys.models import Report, ReportId, Survey
from surveys.operation.faults import FAULTS
from surveys.respondent.intake import statements
from surveys.respondent.intake.reconnection import forget_connection, persistently
from surveys.respondent.intake.statements import Prepared

# A group that fails sooner is tried again row by row. If it took longer, the database is in trouble, and each row would
# wait as long again and delay all others.
QUICKLY = 2.0  # seconds


class Row(NamedTuple):
    report_id: str  # a UUID in lower case
    survey_id: int
    packed: bytes
    limited: bool = False  # its survey closes at a number of reports
    form: int = 0

    @property
    def key(self) -> "Key":
        return self.survey_id, self.report_id


Key = tuple[int, str]


class Outcome(enum.Enum):
    RECORDED = enum.auto()  # stored by this call, and durable
    # Recorded before. The outcome does not reveal whether the bytes are the same. They can be compared only while the
    # report waits, so a client that sent other bytes would learn when the batch filled, and so when another person
    # answered.
    KNOWN = enum.auto()
    # Not recorded:
    CLOSED = enum.auto()
    EARLY = enum.auto()  # the survey has not begun
    GONE = enum.auto()  # the survey was deleted


# The inserting statement reads the survey's state, so no report enters a survey that was seen closed. An id that waits,
# committed or about to be, inserts nothing: the database waits for the other transaction and reports the conflict. An
# id whose report is just being taken may be inserted again on PostgreSQL; taking it again counts nothing
# (worker/batches.py). All statements insert in the order of ids, so two with common ids cannot deadlock.
_INSERT = f"""
    WITH sent (id, survey_id, packed, form) AS ({{sent}})
    INSERT INTO {Report._meta.db_table} (id, survey_id, packed, form)
    SELECT sent.id, survey.id, sent.packed, sent.form
    FROM sent JOIN {Survey._meta.db_table} AS survey ON survey.id = sent.survey_id
    WHERE survey.state = 'open' AND (survey.closes_at IS NULL OR survey.closes_at > {{now}})
    AND (survey.opens_at IS NULL OR survey.opens_at <= {{now}})
    AND NOT EXISTS (
        SELECT 1 FROM {ReportId._meta.db_table} AS taken WHERE taken.survey_id = sent.survey_id AND taken.id = sent.id
    )
    {{bound}}
    ON CONFLICT DO NOTHING RETURNING survey_id, id
"""
_IN_ORDER = "ORDER BY sent.survey_id, sent.id"
# Inserts as many rows as there is room for. Under the lock of the survey's row no one else inserts, so all known ids
# are visible.
_IN_ROOM = f"""
    AND NOT EXISTS (
        SELECT 1 FROM {Report._meta.db_table} AS waits WHERE waits.survey_id = sent.survey_id AND waits.id = sent.id
    )
    {_IN_ORDER} LIMIT coalesce(
        (SELECT closes_after - stored FROM {Survey._meta.db_table} AS room WHERE room.id = {{survey}}), 0
    )
"""
# This lock lets other statements refer to the row, but not change it.
_LOCK = f"SELECT 1 FROM {Survey._meta.db_table} WHERE id = %s FOR NO KEY UPDATE"
# The last report closes the survey. The end is stored as a day, because a time would be the last report's.
_COUNT = f"""
    UPDATE {Survey._meta.db_table}
    SET stored = stored + %s,
        state = CASE WHEN stored + %s < closes_after THEN state ELSE 'closed' END,
        closed_at = CASE WHEN stored + %s < closes_after THEN closed_at ELSE %s END
    WHERE id = %s
"""
_KNOWN = """
    WITH sent (id, survey_id) AS ({sent})
    SELECT found.survey_id, found.id FROM sent
    JOIN {table} AS found ON found.survey_id = sent.survey_id AND found.id = sent.id
"""


def store(rows: Sequence[Row]) -> list[Outcome]:
    """Store the rows; return their outcomes once they are durable, as if the rows had come one by one. Safe to repeat.
    Either all rows belong to one survey that closes at a number, or none belongs to such a survey."""
    limited = bool(rows) and rows[0].limited
    stored = (_insert_and_count if limited else _insert)(rows)
    others = iter(_not_stored([row for row, new in zip(rows, stored, strict=True) if not new]))
    return [Outcome.RECORDED if new else next(others) for new in stored]


def _not_stored(rows: Sequence[Row]) -> list[Outcome]:
    known = recorded(rows)
    reasons = _reasons({row.survey_id for row, is_known in zip(rows, known, strict=True) if not is_known})
    return [Outcome.KNOWN if is_known else reasons[row.survey_id] for row, is_known in zip(rows, known, strict=True)]


def _reasons(surveys: set[int]) -> dict[int, Outcome]:
    """Return the reasons why no new report of these surveys is stored."""
    if not surveys:
        return {}
    running = dict(Survey.objects.filter(pk__in=surveys).annotate(running=_RUNNING).values_list("pk", "running"))
    outcomes = {True: Outcome.EARLY, False: Outcome.CLOSED, None: Outcome.GONE}
    return {pk: outcomes[running.get(pk)] for pk in surveys}


# An open survey before its end refuses reports only if it has not begun.
_RUNNING = ExpressionWrapper(
    Q(state=Survey.State.OPEN) & (Q(closes_at=None) | Q(closes_at__gt=Now())), output_field=BooleanField()
)


def store_all(rows: Sequence[Row]) -> list[Outcome | Exception]:
    """Store rows of any surveys; return an outcome or an error for each. An error affects only its own row."""
    if rows and not any(row.limited for row in rows):
        return _singly(rows, list(range(len(rows))))
    outcomes: dict[int, Outcome | Exception] = {}

    def batch(k: int) -> int:
        return rows[k].survey_id if rows[k].limited else 0

    for _, group in groupby(sorted(range(len(rows)), key=batch), key=batch):
        places = list(group)
        outcomes |= zip(places, _singly(rows, places), strict=True)
    return [outcomes[k] for k in range(len(rows))]


def _singly(rows: Sequence[Row], places: list[int]) -> list[Outcome | Exception]:
    started = time.monotonic()
    try:
        return list(store([rows[k] for k in places]))
    except Exception as error:
        forget_connection()
        if len(places) == 1 or time.monotonic() - started > QUICKLY:
            _say(error, len(places))
            return [error] * len(places)
    outcomes: list[Outcome | Exception] = []
    for k in places:
        late = time.monotonic() - started > QUICKLY
        outcomes += [TimeoutError()] if late else _singly(rows, [k])
    return outcomes


def _say(error: Exception, reports: int) -> None:
    FAULTS.add("Reports could not be stored", (type(error), error, error.__traceback__), reports)


@persistently
def _insert(rows: Sequence[Row]) -> list[bool]:
    return _news(rows, lambda first: _stored(first, None))


@persistently
def _insert_and_count(rows: Sequence[Row]) -> list[bool]:
    """Insert rows of a survey that closes at a number: none beyond that, and the last one closes it."""
    survey_id = rows[0].survey_id

    def insert(first: list[Row]) -> set[Key]:
        with transaction.atomic(), connection.cursor() as cursor:
            if connection.vendor == "postgresql":  # SQLite has one writer at a time
                cursor.execute(_LOCK, [survey_id])
            stored = _stored(first, survey_id)
            if stored:
                today = _now().replace(hour=0, minute=0, second=0, microsecond=0)
                cursor.execute(_COUNT, [len(stored), len(stored), len(stored), today, survey_id])
        return stored

    return _news(rows, insert)


def _news(rows: Sequence[Row], insert: Callable[[list[Row]], set[Key]]) -> list[bool]:
    """Return which of the rows `insert` stored. If an id comes twice, the first row counts."""
    keys = [row.key for row in rows]
    if len(set(keys)) == len(keys):
        stored = insert(list(rows))
        return [key in stored for key in keys]
    first: dict[Key, int] = {}
    for k, key in enumerate(keys):
        first.setdefault(key, k)
    stored = insert([rows[k] for k in first.values()])
    return [key in stored and first[key] == k for k, key in enumerate(keys)]


@persistently
def recorded(rows: Sequence[Row]) -> list[bool]:
    """Return whether each row's id is known. Waiting reports are read first, because one may be taken in between."""
    waiting = _known(rows, Report._meta.db_table)
    known = _known([row for row in rows if row.key not in waiting], ReportId._meta.db_table)
    return [row.key in waiting or row.key in known for row in rows]


def _stored(rows: list[Row], closing: int | None) -> set[Key]:
    """Return the keys that one statement stored; for the survey `closing`, no more than there is room for."""
    if connection.vendor == "sqlite":
        return _insert_on_sqlite(rows, closing)
    columns = [
        _array(row.report_id for row in rows),
        _array(str(row.survey_id) for row in rows),
        _array(f'"\\\\x{row.packed.hex()}"' for row in rows),
        _array(str(row.form) for row in rows),
    ]
    statement, room = (_POSTGRESQL, []) if closing is None else (_POSTGRESQL_IN_ROOM, [str(closing)])
    new = statements.on_postgresql(statement, [*columns, _now().isoformat(), *room])
    return {row.key for row in rows} if new.ntuples == len(rows) else _keys(statements.rows(new))


# Arrays as texts: the driver would adapt each element by itself, which costs as much as the rest of the statement.
_SENT = "SELECT * FROM unnest($1::uuid[], $2::bigint[], $3::bytea[], $4::smallint[])"
_POSTGRESQL = Prepared("intake_insert", _INSERT.format(sent=_SENT, now="$5", bound=_IN_ORDER))
_POSTGRESQL_IN_ROOM = Prepared(
    "intake_insert_in_room", _INSERT.format(sent=_SENT, now="$5", bound=_IN_ROOM.format(survey="$6"))
)


def _insert_on_sqlite(rows: list[Row], closing: int | None) -> set[Key]:
    sent = f"VALUES {', '.join(['(?, ?, ?, ?)'] * len(rows))}"
    bound = _IN_ORDER if closing is None else _IN_ROOM.format(survey=closing)
    values = [value for row in rows for value in (_hex(row), row.survey_id, row.packed, row.form)]
    # As Django writes times on SQLite, so that texts compare like times.
    values += [_now().replace(tzinfo=None).isoformat(sep=" ")] * 2
    new = statements.on_sqlite(_INSERT.format(sent=sent, now="?", bound=bound), values)
    return {row.key for row in rows} if len(new) == len(rows) else _keys(new)


def _known(rows: Sequence[Row], table: str) -> set[Key]:
    if not rows:
        return set()
    if connection.vendor == "sqlite":
        sent = f"VALUES {', '.join(['(?, ?)'] * len(rows))}"
        values = [value for row in rows for value in (_hex(row), row.survey_id)]
        return _keys(statements.on_sqlite(_KNOWN.format(sent=sent, table=table), values))
    statement = Prepared(
        f"intake_{table}", _KNOWN.format(sent="SELECT * FROM unnest($1::uuid[], $2::bigint[])", table=table)
    )
    columns = _array(row.report_id for row in rows), _array(str(row.survey_id) for row in rows)
    return _keys(statements.rows(statements.on_postgresql(statement, columns)))


def _array(elements: Iterable[str]) -> str:
    return f"{{{','.join(elements)}}}"


def _hex(row: Row) -> str:
    """Return the report's id as SQLite stores it."""
    return row.report_id.replace("-", "")


def _keys(returned: Iterable[tuple[Any, ...]]) -> set[Key]:
    """Return the keys of rows that the database returned."""
    return {(int(survey_id), str(uuid.UUID(report_id))) for survey_id, report_id in returned}


def _now() -> datetime:
    return datetime.now(UTC)
