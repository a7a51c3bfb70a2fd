"""The scripts that are handed out with the microdata find every published number again, from the files alone."""

import csv
import re
import subprocess
import sys

import pytest

from ldp.mechanisms import FITTING
from tests.support.exported import PAIRS, closed, every_pair, exported, unpack

pytestmark = pytest.mark.django_db

REPORTS = 150


@pytest.fixture(scope="module")
def files(django_db_setup, django_db_blocker, tmp_path_factory):
    """The files of a survey with every kind and mechanism."""
    with django_db_blocker.unblock():
        from django.db import transaction

        with transaction.atomic():
            export = exported(closed(every_pair(), REPORTS))
            assert export.state == "ready"
            folder = unpack(export, tmp_path_factory.mktemp("files"))
            transaction.set_rollback(True)
    return folder


def run(*command, folder):
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)


def test_every_kind_and_mechanism_is_there(files):
    with (files / "estimates.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert {(row["kind"], row["mechanism"]) for row in rows} == set(PAIRS)
    assert {row["kind"] for row in rows} == set(FITTING)
    methods = {"exact", "unseen_respondent", "answers_at_ends", "widest_noise"}
    assert {row["interval_method"] for row in rows} == methods
    assert {row["confidence"] for row in rows} == {"0.9", "0.95", "0.99"}


SCRIPTS = [("recompute.py", [sys.executable, "-I"]), ("recompute.R", ["Rscript", "--vanilla"])]


@pytest.mark.parametrize(("script", "program"), SCRIPTS, ids=["numpy", "R"])
def test_a_script_finds_every_published_number_again(files, script, program):
    done = run(*program, script, "microdata.csv", "codebook.json", "estimates.csv", folder=files)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.match(r"\d{3,} rows recomputed", done.stdout)
