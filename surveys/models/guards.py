"""Rules that the database enforces, whatever the code does: SQL for the migrations.

A migration that alters a guarded table on SQLite makes the table anew, and must guard it again. A test checks that.
"""

from collections.abc import Callable, Sequence
from typing import Any

FROZEN = (
    *("id", "title", "slug", "canonical", "digest", "opened_at"),
    *("closes_after", "batch", "closes_at_half_width", "publishes_once", "takes_link"),
)
RELEASED = ("id", "survey_id", "number", "day", "final", "n", "tallies", "digest")
_MESSAGE = "an opened survey is frozen: its definition cannot change, and it can only be closed"
_RELEASED_MESSAGE = "a release never changes"
_AUDIT_MESSAGE = "what staff did is only ever added to"
_LOG_MESSAGE = "the log of what is served is only ever added to"
# PostgreSQL's statistics must not copy values of these columns: the copies would outlive deleted rows.
UNQUOTED = {
    "surveys_report": ("id", "packed", "form"),
    "surveys_reportid": ("id",),
    "surveys_block": ("columns",),
    "surveys_tally": ("tallies", "held"),
    "surveys_turnout": ("counts", "turning"),
}


def guard(apps: Any, schema_editor: Any) -> None:
    """Guard all tables, which must still be empty."""
    hide_arrival_order(schema_editor)
    quote_nothing(schema_editor)
    vacuum_no_reports(schema_editor)
    freeze_opened_surveys(schema_editor)
    keep_releases(schema_editor)
    only_add(schema_editor, "auditentry", _AUDIT_MESSAGE)
    only_add(schema_editor, "logentry", _LOG_MESSAGE)


def freeze_opened_surveys(schema_editor: Any) -> None:
    """Refuse changes to the columns FROZEN of an opened survey. Refuse all steps of its state except from draft to open
    and from open to closed."""
    _refuse(schema_editor, "survey", lambda different: _broken(FROZEN, different), _MESSAGE)


def keep_releases(schema_editor: Any) -> None:
    """Refuse changes to the columns RELEASED of a release, and all changes once its estimates are stored."""
    _refuse(schema_editor, "release", lambda different: _rewritten(RELEASED, different), _RELEASED_MESSAGE)


def only_add(schema_editor: Any, table: str, message: str) -> None:
    """Refuse changes and deletions of a table's rows."""
    for action in ("UPDATE", "DELETE"):
        _refuse(schema_editor, table, lambda different: "TRUE", message, action)


def hide_arrival_order(schema_editor: Any) -> None:
    """Make the tables of reports and ids anew without row numbers, in which SQLite would store the order of arrival."""
    if schema_editor.connection.vendor != "sqlite":
        return
    for name in ("surveys_report", "surveys_reportid"):
        with schema_editor.connection.cursor() as cursor:
            cursor.execute("SELECT sql FROM sqlite_master WHERE type = 'table' AND name = %s", [name])
            ((table,),) = cursor.fetchall()
            cursor.execute("SELECT count(*) FROM sqlite_master WHERE tbl_name = %s AND sql IS NOT NULL", [name])
            assert cursor.fetchone() == (1,), "an index would be lost with its table"
            cursor.execute(f"SELECT count(*) FROM {name}")
            assert cursor.fetchone() == (0,), "only an empty table can be remade"
        for statement in (f"DROP TABLE {name}", f"{table} WITHOUT ROWID"):
            schema_editor.execute(statement, params=None)


def quote_nothing(schema_editor: Any) -> None:
    """Keep PostgreSQL from sampling the columns UNQUOTED."""
    for table, columns in UNQUOTED.items() if schema_editor.connection.vendor == "postgresql" else ():
        for column in columns:
            schema_editor.execute(f"ALTER TABLE {table} ALTER COLUMN {column} SET STATISTICS 0", params=None)


def vacuum_no_reports(schema_editor: Any) -> None:
    """Turn off automatic vacuums of waiting reports, whose times would show when further reports had come. The table
    needs no vacuum, because worker/traces.py writes it anew after each batch."""
    if schema_editor.connection.vendor != "postgresql":
        return
    schema_editor.execute("ALTER TABLE surveys_report SET (autovacuum_enabled = false)", params=None)
    schema_editor.execute("ALTER TABLE surveys_report SET (toast.autovacuum_enabled = false)", params=None)


def _refuse(schema_editor: Any, table: str, broken: Callable[[str], str], message: str, action: str = "UPDATE") -> None:
    statements, different = {
        "postgresql": (_postgresql, "IS DISTINCT FROM"),
        "sqlite": (_sqlite, "IS NOT"),
    }[schema_editor.connection.vendor]
    for statement in statements(table, broken(different), message, action):
        schema_editor.execute(statement, params=None)


def _rewritten(columns: Sequence[str], different: str) -> str:
    return f"{_changed(columns, different)} OR OLD.document IS NOT NULL"


def _broken(columns: Sequence[str], different: str) -> str:
    return f"""
        (OLD.state = 'draft' AND NEW.state NOT IN ('draft', 'open'))
        OR (OLD.state = 'open' AND NEW.state = 'draft')
        OR (OLD.state = 'closed' AND NEW.state <> 'closed')
        OR (OLD.state <> 'draft' AND ({_changed(columns, different)}))
    """


def _changed(columns: Sequence[str], different: str) -> str:
    return " OR ".join(f"NEW.{column} {different} OLD.{column}" for column in columns)


def _sqlite(table: str, broken: str, message: str, action: str) -> list[str]:
    return [
        f"""
        CREATE TRIGGER {_trigger(table, action)} BEFORE {action} ON surveys_{table} WHEN {broken}
        BEGIN SELECT RAISE(ABORT, '{message}'); END
        """
    ]


def _postgresql(table: str, broken: str, message: str, action: str) -> list[str]:
    trigger = _trigger(table, action)
    return [
        f"""
        CREATE OR REPLACE FUNCTION {trigger}() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF {broken} THEN
                RAISE EXCEPTION '{message}' USING ERRCODE = 'integrity_constraint_violation';
            END IF;
            RETURN NEW;
        END $$
        """,
        f"""
        CREATE OR REPLACE TRIGGER {trigger} BEFORE {action} ON surveys_{table}
        FOR EACH ROW EXECUTE FUNCTION {trigger}()
        """,
    ]


def _trigger(table: str, action: str) -> str:
    return f"surveys_{table}_frozen" if action == "UPDATE" else f"surveys_{table}_kept"
