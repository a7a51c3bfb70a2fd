"""An upgrade from any version finds the migrations it knows. A version that cannot be upgraded is refused."""

import hashlib
from pathlib import Path

import pytest
from django.core.checks import run_checks
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from surveys import __version__
from surveys.operation.checks import later_version
from tests.services.system import ROOT

LANDED = Path(__file__).with_name("migrations.sha256")
REPAIR = (
    f"write a new migration: a site may have run this one. New ones: sha256sum surveys/migrations/NAME.py >> {LANDED}"
)


def test_no_migration_that_landed_was_edited():
    listed = dict(reversed(line.split()) for line in LANDED.read_text().splitlines())
    for name, digest in listed.items():
        assert hashlib.sha256((ROOT / name).read_bytes()).hexdigest() == digest, f"{name} was edited; {REPAIR}"
    files = {str(path.relative_to(ROOT)) for path in (ROOT / "surveys" / "migrations").glob("0*.py")}
    assert all(name > max(listed) for name in files - listed.keys()), f"between others; {REPAIR}"


def test_each_version_says_what_an_operator_must_do():
    headings = [line for line in (ROOT / "CHANGELOG.md").read_text().splitlines() if line.startswith("##")]
    assert headings[0].startswith(f"## {__version__}") and headings[1] == "### What an operator must do"


@pytest.mark.database
@pytest.mark.django_db
def test_a_database_of_a_later_version_is_refused_in_one_sentence():
    assert later_version("default") == []
    MigrationRecorder(connection).record_applied("surveys", "0999_later")
    (refusal,) = (message for message in run_checks(databases=["default"]) if message.id.startswith("deniable"))
    assert (refusal.id, refusal.msg) == (
        "deniable.E006",
        f"This database was made by a later version, which has 0999_later; this is {__version__}.",
    )
