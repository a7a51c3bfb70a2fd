"""Files of a release's reports have exactly the release's reports, in an order that reveals nothing (P11)."""

import collections
import csv
import gzip
import io
import zipfile
from datetime import timedelta

import numpy as np
import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from surveys.life import actions
from surveys.life.deletion import delete
from surveys.life.lifecycle import close_survey, create_draft, open_survey
from surveys.models import Export, ExportFile, ExportPart, Release
from surveys.models.jobs import STALE
from surveys.researcher.downloads import export_file, microdata_columns, requests
from tests.support.estimates import collect, work
from tests.support.exports import every_pair, exported, flip_a_bit, store
from tests.support.factories import opened_survey
from worker import exports, files, microdata, shuffle, tasks
from worker.job_expiry import TRIES_MAX

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]


def content(export, name):
    return b"".join(export_file.plain(export.files.get(name=name)))


def table(export):
    return list(csv.reader(io.StringIO(content(export, "microdata.csv").decode())))


def as_cells(question, value):
    """Return the cells of a report's value, computed by hand."""
    mechanism, d = question["mechanism"], len(question.get("options", [0, 1]))
    if mechanism in ("multiple", "ranking"):
        drawn = dict(map(tuple, value))
        return [str(drawn.get(place, "")) for place in range(d)]
    if mechanism == "grid":
        drawn, size = dict(map(tuple, value)), question["table"]["size"]
        empty = [""] * (1 if size == 1 else d)
        return [
            cell
            for place in range(len(question["items"]))
            for cell in (listed(drawn[place], d) if place in drawn else empty)
        ]
    if mechanism in ("randomized_response", "one_bit"):
        return listed(value, d)
    return [str(part) for part in value] if isinstance(value, (str, list)) else [str(value)]


def listed(options, d):
    """Return one option's number, or for several options a cell for each of the d."""
    return [str(options[0])] if len(options) == 1 else [str(int(j in options)) for j in range(d)]


def test_the_microdata_are_the_reports_that_were_sent_and_nothing_else():
    survey = create_draft(every_pair())
    open_survey(survey)
    sent = store(survey, 130)
    close_survey(survey)
    work(survey)
    export = exported(survey)
    header, *rows = table(export)
    assert header == [column.name for column in microdata_columns.of_definition(survey.definition)]
    by_hand = [[cell for q in survey.questions for cell in as_cells(q, report[q["key"]])] for report in sent]
    assert collections.Counter(map(tuple, rows)) == collections.Counter(map(tuple, by_hand))
    # One of 130! orders is the order of arrival.
    assert rows != by_hand


def test_a_bucket_for_every_report_and_every_report_once():
    rows = np.arange(3000, dtype=np.uint16).view(np.uint8).reshape(3000, 2)
    with shuffle.Buckets(7, 2, settings.DATA_DIR) as buckets:
        for start in range(0, 3000, 500):
            buckets.throw(rows[start : start + 500])
        thrown = list(buckets.shuffled())
    sizes = [len(bucket) for bucket in thrown]
    # Each size is 429 on average, with a deviation of 19: six of them happen once in 70 million runs.
    assert len(sizes) == 7 and sum(sizes) == 3000 and all(abs(size - 429) < 6 * 20 for size in sizes)
    order = np.concatenate(thrown).view(np.uint16).ravel()
    assert sorted(order) == list(range(3000))
    # The correlation with the order of arrival has a deviation of 1/sqrt(3000).
    assert abs(np.corrcoef(order, np.arange(3000))[0, 1]) < 6 / 3000**0.5
    for bucket in thrown:
        places = bucket.view(np.uint16).ravel().astype(float)
        assert abs(np.corrcoef(places, np.arange(len(places)))[0, 1]) < 6 / len(places) ** 0.5


def test_only_the_newest_release_has_files_and_they_are_its_reports(monkeypatch):
    survey = opened_survey()
    collect(survey, 350)
    old = Release.objects.get(survey=survey)
    collect(survey, 400)
    late = Export.objects.create(release=old, worked_at=timezone.now())
    exports.make(late.pk)
    late.refresh_from_db()
    assert (late.state, late.reason) == ("failed", "superseded") and not late.files.exists()
    export = exported(survey)
    assert export.state == "ready" and export.release.number == 2
    assert len(table(export)) - 1 == export.release.n == export.written


def test_nothing_is_handed_out_that_does_not_add_up_to_the_release():
    survey = opened_survey()
    collect(survey, 350)
    flip_a_bit(survey)
    export = exported(survey)
    assert (export.state, export.reason) == ("failed", "differs")
    assert not ExportFile.objects.exists() and not ExportPart.objects.exists()


@pytest.mark.parametrize("failing", ["microdata.parquet", "microdata.sav", "microdata.dta"])
def test_a_format_that_fails_leaves_a_sentence_and_the_other_files(failing, monkeypatch):
    def fail(*args):
        raise ValueError("no such label")

    if failing == "microdata.parquet":
        monkeypatch.setattr(microdata.labels, "batch", fail)
    else:
        monkeypatch.setitem(microdata.STATISTICAL, failing, fail)
    survey = opened_survey(results_public=True)
    collect(survey, 350)
    export = exported(survey)
    every = {"microdata.csv", "microdata.parquet", "microdata.sav", "microdata.dta", "release-1.zip"}
    assert export.state == "ready" and set(export.files.values_list("name", flat=True)) == every - {failing}
    assert not export.files.filter(sha256="").exists()
    with zipfile.ZipFile(io.BytesIO(content(export, "release-1.zip"))) as archive:
        assert f"release-1/{failing}" not in archive.namelist() and "release-1/microdata.csv" in archive.namelist()
    client = Client()
    client.force_login(User.objects.create_superuser("ada"))
    page = client.get(f"/r/{survey.slug}/1/downloads/").content.decode()
    assert f"Writing {failing} failed. All numbers are in the CSV." in page


def test_files_of_old_releases_are_removed(monkeypatch):
    monkeypatch.setattr(exports, "NEWEST", 1)
    survey = opened_survey()
    collect(survey, 350)
    first = exported(survey)
    collect(survey, 400)
    second = exported(survey)
    assert list(Export.objects.values_list("pk", flat=True)) == [second.pk] != [first.pk]


def test_files_that_are_kept_stay_until_the_survey_is_deleted(monkeypatch):
    monkeypatch.setattr(exports, "NEWEST", 1)
    survey, user = opened_survey(), User.objects.create_user("ada")
    collect(survey, 350)
    first = exported(survey)
    assert requests.keep(user, first.release, True) and not requests.keep(user, first.release, True)
    for n in (400, 450):
        collect(survey, n)
        last = exported(survey)
    assert set(Export.objects.values_list("pk", flat=True)) == {first.pk, last.pk}
    assert content(first, "microdata.csv").count(b"\n") == first.release.n + 1
    assert requests.keep(user, first.release, False)
    exports.remove_old(survey)
    assert list(Export.objects.values_list("pk", flat=True)) == [last.pk]
    requests.keep(user, last.release, True)
    close_survey(survey)
    work(survey)
    survey.refresh_from_db()
    assert delete(survey, user)
    assert not Export.objects.exists() and not ExportFile.objects.exists() and not ExportPart.objects.exists()


def test_a_survey_that_keeps_its_files_has_those_of_every_release(monkeypatch):
    monkeypatch.setattr(exports, "NEWEST", 1)
    survey, user = opened_survey(), User.objects.create_user("ada")
    collect(survey, 350)
    assert actions.keep_files(survey, user, True) and not actions.keep_files(survey, user, True)
    for n in (0, 400, 450):
        collect(survey, n)
        for pk in Export.waiting().values_list("pk", flat=True):
            exports.make(pk)
    kept = Export.objects.filter(kept=True, state="ready").values_list("release__number", flat=True)
    assert list(kept.order_by("release__number")) == [1, 2, 3]
    actions.keep_files(survey, user, False)
    collect(survey, 500)
    assert not Export.waiting().exists() and Export.objects.filter(kept=True).count() == 3


def test_a_worker_that_died_is_replaced_and_one_that_works_is_not():
    survey = opened_survey()
    collect(survey, 350)
    release = Release.objects.get(survey=survey)
    export = Export.objects.create(release=release, state="working", attempts=1, worked_at=timezone.now())
    assert not Export.waiting().exists()
    exports.make(export.pk)
    export.refresh_from_db()
    assert export.state == "working" and export.attempts == 1
    Export.objects.update(worked_at=timezone.now() - STALE - timedelta(seconds=1))
    assert Export.waiting().exists()
    exports.make(export.pk)
    export.refresh_from_db()
    assert export.state == "ready" and export.attempts == 2


def test_a_worker_whose_place_was_taken_stops(monkeypatch):
    survey = opened_survey()
    collect(survey, 350)

    monkeypatch.setattr(
        exports.microdata, "write_statistical", lambda *arguments: Export.objects.update(attempts=5) and None
    )
    export = exported(survey)
    assert export.state == "working" and export.attempts == 5


def test_what_keeps_failing_is_given_up(monkeypatch):
    survey = opened_survey()
    collect(survey, 350)
    release = Release.objects.get(survey=survey)
    export = Export.objects.create(release=release, attempts=TRIES_MAX, worked_at=timezone.now())
    exports.make(export.pk)
    export.refresh_from_db()
    assert (export.state, export.reason) == ("failed", "tried")


def test_too_many_numbers_have_no_files(monkeypatch):
    monkeypatch.setattr(exports, "NUMBERS_MAX", 1000)
    survey = opened_survey()
    collect(survey, 350)
    export = exported(survey)
    assert (export.state, export.reason) == ("failed", "too large")


def test_a_sweep_asks_for_files_that_wait(started, monkeypatch):
    survey, sent = opened_survey(), []
    collect(survey, 350)
    monkeypatch.setattr(tasks.export, "apply_async", lambda args, **options: sent.append(args[0]))
    export = Export.objects.create(release=Release.objects.get(survey=survey), worked_at=timezone.now())
    tasks.sweep()
    assert sent == [export.pk]
    exports.make(export.pk)
    tasks.sweep()
    assert sent == [export.pk]


# Contents -------------------------------------------------------------------------------------------------------------


def test_the_archive_holds_everything_and_no_time_of_day(monkeypatch):
    monkeypatch.setattr(files, "PART", 300)  # many parts
    survey = opened_survey()
    collect(survey, 350)
    export = exported(survey)
    with zipfile.ZipFile(io.BytesIO(content(export, "release-1.zip"))) as archive:
        assert archive.testzip() is None
        names = {name.removeprefix("release-1/") for name in archive.namelist()}
        assert archive.read("release-1/microdata.csv") == content(export, "microdata.csv")
        assert archive.read("release-1/microdata.parquet") == content(export, "microdata.parquet")
        assert {entry.date_time[3:] for entry in archive.infolist()} == {(0, 0, 0)}
    assert names == {"README.txt", "codebook.json", "estimates.csv", "estimates.json", "columns.csv", "recompute.R"} | {
        "models.py", "models.R", "weights.py", "weights.R", "likelihood.R", "shares.csv",
        "covariances.csv", "recompute.py", "microdata.csv", "microdata.parquet", "microdata.sav",
        "microdata.dta",
    }  # fmt: skip
    csv_file = export.files.get(name="microdata.csv")
    assert gzip.decompress(b"".join(export_file.parts(csv_file))) == content(export, "microdata.csv")
    assert csv_file.parts.count() > 1 and csv_file.size == len(content(export, "microdata.csv"))
