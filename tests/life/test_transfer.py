"""An ended survey moves to another site with its URL, releases, files and reports. No number of it differs."""

import gzip
import json
from datetime import date

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client

from surveys.life import deletion
from surveys.models import (
    AnalysisRun,
    Commitment,
    Disclosure,
    Export,
    ExportPart,
    LogEntry,
    Membership,
    Release,
    Survey,
)
from surveys.researcher.analyses.crossings.analysis import CROSSINGS
from surveys.transfer import archive
from surveys.transparency.log import entries
from tests.support.analyses import entered
from tests.support.estimates import released
from tests.support.factories import opened_survey
from worker import tasks

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]


@pytest.fixture
def survey(ada):
    """Return a survey that was opened after another one, so that row numbers differ."""
    opened_survey()
    survey = released(150, owner=ada, results_public=True, microdata_public=True)
    release = Release.objects.get(survey=survey)
    entries.commit_to(release)
    Disclosure.objects.create(survey=survey, sponsor="Nobody")
    tasks.analyze(entered(CROSSINGS, release, {"first": "yes", "second": "which"}, asked_by=ada).pk)
    Export.objects.update(kept=True)  # the site itself requested them, because they are published
    tasks.export(Export.objects.get().pk)
    entered(CROSSINGS, release, {"first": "yes", "second": "many"}, asked_by=ada)  # not made yet
    return survey


def pages(survey):
    """Return the public pages of the survey."""
    api = f"/api/v1/surveys/{survey.slug}"
    files = ("estimates", "estimates.csv", "covariances", "readings.csv", "pairs.csv", "trend.csv")
    answers = [Client().get(f"{api}/{name}") for name in ("definition", "releases")]
    answers += [Client().get(f"{api}/releases/1/{name}") for name in files]
    return [(answer.status_code, b"".join(answer) if answer.streaming else answer.content) for answer in answers]


def files():
    """Return the worker's files of the reports, bit by bit."""
    parts = ExportPart.objects.order_by("file__name", "number").values_list("file__name", "content")
    return [(name, bytes(content)) for name, content in parts]


def test_what_people_read_is_the_same_at_the_other_site(survey, ada, tmp_path, capsys):
    file, before, exported = tmp_path / "survey.gz", pages(survey), files()
    nonce = Commitment.objects.get().nonce
    assert {status for status, _ in before} == {200}
    call_command("transfer", "export", survey.slug, str(file))
    deletion.delete(survey, ada)
    bob = User.objects.create_user("bob")
    call_command("transfer", "import", str(file), "--owner", "bob")
    moved = Survey.objects.get(slug=survey.slug)
    assert pages(moved) == before and moved.pk != survey.pk
    call_command("recount", survey.slug, "--here")
    assert capsys.readouterr().out.endswith("The recount equals release 1: 150 reports.\n")
    assert list(Membership.objects.filter(survey=moved).values_list("user", "role")) == [(bob.pk, "owner")]
    assert Disclosure.objects.get(survey=moved).sponsor == "Nobody"
    [run] = AnalysisRun.objects.filter(release__survey=moved)
    assert (run.specification["second"], run.asked_by) == ("which", None)
    assert Export.objects.get(release__survey=moved).kept and len(exported) > 1 and files() == exported
    assert Commitment.objects.get(release__survey=moved).nonce == nonce, "it stands in the other log alike"
    entries.sweep("manifest", date(2999, 1, 1))
    assert {0, 1} <= set(LogEntry.objects.filter(survey=moved.pk).values_list("release", flat=True))


def test_only_what_has_ended_goes_out_and_nothing_comes_in_twice(survey, ada, tmp_path):
    file = tmp_path / "survey.gz"
    running = opened_survey()
    with pytest.raises(CommandError, match="has not ended"):
        call_command("transfer", "export", running.slug, str(file))
    assert not file.exists()
    archive.write(survey, file)
    with pytest.raises(FileExistsError):
        archive.write(survey, file)
    with pytest.raises(archive.TransferRefused, match="has the survey already"):
        archive.read(file, ada)
    with pytest.raises(CommandError, match="no active account of the name nobody"):
        call_command("transfer", "import", str(file), "--owner", "nobody")


def changed(file, how):
    """Change the lines of the file."""
    with gzip.open(file, "rt") as old:
        lines = [json.loads(line) for line in old]
    with gzip.open(file, "wt") as new:
        new.writelines(json.dumps(line) + "\n" for line in how(lines))


@pytest.mark.parametrize(
    ("how", "refusal"),
    [
        (lambda lines: [lines[0] | {"tables": "0000_before", "version": "0.0.1"}, *lines[1:]], "of version 0.0.1"),
        (lambda lines: lines[1:], "no file of a survey"),
        (lambda lines: lines[:1], "has no survey"),
        (lambda lines: [line for line in lines if line.get("model") != "surveys.release"], "not a whole file"),
        (lambda lines: [*lines, {"model": "auth.user", "fields": {"username": "eve"}}], "belongs to no survey"),
        (lambda lines: [*lines[:2], *lines[1:]], "more than one survey"),
        (
            lambda lines: [lines[0], lines[1] | {"fields": lines[1]["fields"] | {"canonical": "{}"}}, *lines[2:]],
            "another one than its digest",
        ),
    ],
)
def test_a_file_that_is_not_what_it_says_is_refused_and_leaves_nothing(survey, ada, tmp_path, how, refusal):
    file = tmp_path / "survey.gz"
    archive.write(survey, file)
    deletion.delete(survey, ada)
    changed(file, how)
    before = Survey.objects.count()
    with pytest.raises(archive.TransferRefused, match=refusal):
        archive.read(file, ada)
    assert Survey.objects.count() == before and not User.objects.filter(username="eve").exists()


def test_half_a_file_is_refused(survey, ada, tmp_path):
    file = tmp_path / "survey.gz"
    archive.write(survey, file)
    deletion.delete(survey, ada)
    for half in (file.read_bytes()[: file.stat().st_size // 2], b"", b"nothing"):
        file.write_bytes(half)
        with pytest.raises(archive.TransferRefused):
            archive.read(file, ada)
    assert not Release.objects.exists()
