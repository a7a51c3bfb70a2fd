"""A workbook is made once for all readers with the same rights, by one worker, and reported while it is made."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.test import Client, RequestFactory
from django.utils import timezone
from django.utils.translation import override

from surveys.models import Release, Workbook
from surveys.models.jobs import STALE
from surveys.researcher.analyses.waves.changes import visible
from surveys.researcher.workbook import requests, tables, views
from tests.support.estimates import found_again
from tests.support.exports import closed
from tests.support.factories import DRAFT
from worker import workbooks
from worker.job_expiry import TRIES_MAX, Abandoned

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def ended(outer_transaction):
    return closed(DRAFT, 120)


@pytest.fixture
def release(ended, db):
    return Release.objects.select_related("survey").get(survey=found_again(ended))


def wanted(release):
    return requests.ask(release, visible(lambda _slug: AnonymousUser(), release)[0], AnonymousUser())


def test_anyone_who_asks_again_gets_the_same(release):
    first = wanted(release)
    workbooks.make(first.pk)
    again = wanted(release)
    assert again.pk == first.pk and again.state == "ready" and bytes(again.content)[:2] == b"PK"
    with override("de"):
        assert wanted(release).pk != first.pk


def test_the_row_of_one_that_is_made_does_not_say_when_someone_came(release):
    row = wanted(release)
    workbooks.make(row.pk)
    row.refresh_from_db()
    assert row.worked_at.time().isoformat() == "00:00:00"
    assert row.asked_by is None


def test_one_that_newer_ones_displace_meanwhile_still_reaches_who_asked(release):
    workbooks.make(wanted(release).pk)
    row = wanted(release)
    Workbook.objects.all().delete()
    assert views.file(RequestFactory().get("/"), row).content[:2] == b"PK"


def test_its_page_says_how_far_it_is_until_the_file_is_there(release, ended):
    address = f"/r/{ended.slug}/1/downloads/tables.xlsx?language=en"
    page = Client().get(address)
    assert page.status_code == 202 and "0% done" in page.content.decode() and page["Cache-Control"] == "no-store"
    Workbook.objects.update(state="working", written=tables.steps(release) // 5, worked_at=timezone.now())
    part = Client().get(address, headers={"X-Fragments": "1"})
    assert "20% done" in part.content.decode() and f'data-refresh="{address}"' in part.content.decode()
    Workbook.objects.update(worked_at=timezone.now() - STALE - timedelta(seconds=1))
    workbooks.make(Workbook.objects.get().pk)
    part = Client().get(address, headers={"X-Fragments": "1"}).content.decode()
    assert "Download the workbook" in part and "data-refresh" not in part
    assert "spreadsheetml" in Client().get(address)["Content-Type"]


def test_steps_are_as_many_as_are_counted_at_most(release):
    count = 0

    def step():
        nonlocal count
        count += 1

    tables.workbook_bytes(release, (), step)
    assert tables.steps(release) / 2 < count <= tables.steps(release)


def test_anyone_who_lost_it_to_another_worker_stores_nothing(release, monkeypatch):
    monkeypatch.setattr(workbooks, "NOTED_EVERY", 0)
    row = wanted(release)
    mine = Workbook.claim(row.pk)
    Workbook.objects.update(attempts=2)
    with pytest.raises(Abandoned):
        workbooks._noted(mine)()
    workbooks.make(row.pk)
    assert Workbook.objects.get().content is None, "another worker has it"


def test_one_that_kept_failing_is_tried_again_later_and_not_at_each_visit(release):
    row = wanted(release)
    Workbook.objects.update(attempts=TRIES_MAX)
    workbooks.make(row.pk)
    assert wanted(release).state == "failed"
    page = Client().get(f"/r/{release.survey.slug}/1/downloads/tables.xlsx?language=en")
    assert page.status_code == 503 and "failed several times" in page.content.decode()
    assert Workbook.objects.get().worked_at.time().isoformat() == "00:00:00"
    Workbook.objects.update(worked_at=timezone.now() - timedelta(days=1))
    assert wanted(release).state == "asked"


def test_no_one_keeps_the_workers_busy_with_one_survey(release):
    for language in ("en", "de"):
        with override(language):
            wanted(release)
    with override("ar"), pytest.raises(requests.WorkbookBusy):
        wanted(release)
    page = Client().get(f"/r/{release.survey.slug}/1/downloads/tables.xlsx?language=ar")
    assert page.status_code == 503 and page["Retry-After"]


def test_a_survey_keeps_its_newest_alone(release, monkeypatch):
    monkeypatch.setattr(workbooks, "NEWEST", 2)
    rows = []
    for language in ("en", "de", "ar"):
        with override(language):
            rows.append(wanted(release).pk)
        workbooks.make(rows[-1])
    assert set(Workbook.objects.values_list("pk", flat=True)) == set(rows[1:])


def test_strangers_have_none_made_of_an_older_release_and_get_one_that_is_there(release, ended):
    Release.objects.create(survey=release.survey, number=2, day=release.day, n=release.n, tallies=release.tallies,
                           document=release.document, final=True)  # fmt: skip
    address = f"/r/{ended.slug}/1/downloads/tables.xlsx?language=en"
    page = Client().get(address)
    assert page.status_code == 404 and "people with a role on the survey" in page.content.decode()
    assert Client().get(f"/api/v1/surveys/{ended.slug}/releases/1/tables.xlsx").status_code == 409
    member, made = Client(), User.objects.create(username="ada", is_superuser=True)
    member.force_login(made)
    assert member.get(address).status_code == 202
    workbooks.make(Workbook.objects.get().pk)
    assert Client().get(address).status_code == 200
