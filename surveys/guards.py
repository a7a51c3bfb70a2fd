"""What the database itself holds, beneath the forms and the code: SQL for the migrations.

A migration that alters a guarded table on SQLite remakes it and must call the matching function again; a test looks.
"""

from typing import Any

FROZEN = ("id", "title", "slug", "definition", "digest", "opened_at", "closes_after")
_MESSAGE = "an opened survey is frozen: its definition cannot change, and it can only be closed"


def freeze_opened_surveys(apps: Any, schema_editor: Any) -> None:
    """Refuse any change to what an opened survey froze, and any step of its state but draft, open, closed."""
    for statement in {"postgresql": _postgresql, "sqlite": _sqlite}[schema_editor.connection.vendor]():
        schema_editor.execute(statement, params=None)


def hide_arrival_order(apps: Any, schema_editor: Any) -> None:
    """SQLite numbers the rows of a table as they come, unless it has no row numbers at all."""
    if schema_editor.connection.vendor != "sqlite":
        return
    with schema_editor.connection.cursor() as cursor:
        cursor.execute(
            "SELECT sql FROM sqlite_master WHERE tbl_name = 'surveys_report' AND sql IS NOT NULL ORDER BY type DESC"
        )
        table, *indexes = [sql for (sql,) in cursor.fetchall()]
        cursor.execute("SELECT count(*) FROM surveys_report")
        assert cursor.fetchone() == (0,), "only an empty table can be remade"
    for statement in ("DROP TABLE surveys_report", f"{table} WITHOUT ROWID", *indexes):
        schema_editor.execute(statement, params=None)


def _broken(different: str) -> str:
    changed = " OR ".join(f"NEW.{column} {different} OLD.{column}" for column in FROZEN)
    return f"""
        (OLD.state = 'draft' AND NEW.state NOT IN ('draft', 'open'))
        OR (OLD.state = 'open' AND NEW.state = 'draft')
        OR (OLD.state = 'closed' AND NEW.state <> 'closed')
        OR (OLD.state <> 'draft' AND ({changed}))
    """


def _sqlite() -> list[str]:
    return [
        f"""
        CREATE TRIGGER surveys_survey_frozen BEFORE UPDATE ON surveys_survey WHEN {_broken("IS NOT")}
        BEGIN SELECT RAISE(ABORT, '{_MESSAGE}'); END
        """
    ]


def _postgresql() -> list[str]:
    return [
        f"""
        CREATE OR REPLACE FUNCTION surveys_survey_frozen() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF {_broken("IS DISTINCT FROM")} THEN
                RAISE EXCEPTION '{_MESSAGE}' USING ERRCODE = 'integrity_constraint_violation';
            END IF;
            RETURN NEW;
        END $$
        """,
        """
        CREATE OR REPLACE TRIGGER surveys_survey_frozen BEFORE UPDATE ON surveys_survey
        FOR EACH ROW EXECUTE FUNCTION surveys_survey_frozen()
        """,
    ]
