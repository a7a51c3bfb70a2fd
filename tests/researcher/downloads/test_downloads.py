"""The page of downloads and its files: who may download them, and what the page says."""

import copy
import gzip
import io
import re
import subprocess
import sys
import zipfile
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.test import Client

from surveys.life.lifecycle import close_survey
from surveys.models import AuditEntry, Export, Membership, Release
from surveys.researcher.downloads import catalog
from tests.support.estimates import ODD, collect, found_again, work
from tests.support.exports import closed, exported
from tests.support.factories import DRAFT, opened_survey
from worker import exports

pytestmark = pytest.mark.django_db

OPEN = [*catalog.ESTIMATES, "columns.csv", *catalog.STREAMED, *catalog.SCRIPTS, "codebook.json"]
CLOSED = [*catalog.MICRODATA, "release-1.zip"]


@pytest.fixture(scope="module")
def closed_once(outer_transaction):
    return closed(DRAFT, 120)


@pytest.fixture
def survey(closed_once, db):
    return found_again(closed_once)


def somebody(survey, role):
    user = User.objects.create_user(role)
    Membership.objects.create(survey=survey, user=user, role=role)
    client = Client()
    client.force_login(user)
    return client


def address(survey, name=""):
    return f"/r/{survey.slug}/1/downloads/{name}"


def test_estimates_codebook_and_scripts_are_for_anyone_who_sees_the_results(survey):
    export = exported(survey)
    assert export.state == "ready"
    stranger = Client()
    for name in OPEN:
        response = stranger.get(address(survey, name))
        body = b"".join(response) if response.streaming else response.content
        assert response.status_code == 200 and body
        assert "Accept-Language" not in response.get("Vary", "")
        assert re.fullmatch(rf'attachment; filename="{name}"', response["Content-Disposition"])
    type(survey).objects.update(results_public=False)
    assert {stranger.get(address(survey, name)).status_code for name in ["", *OPEN, *CLOSED]} == {404}
    viewer = somebody(survey, "viewer")
    assert {viewer.get(address(survey, name)).status_code for name in ["", *OPEN]} == {200}


def test_the_reports_are_for_researchers_alone(survey):
    exported(survey)
    viewer, researcher = somebody(survey, "viewer"), somebody(survey, "researcher")
    for name in CLOSED:
        assert Client().get(address(survey, name)).status_code == 404
        assert viewer.get(address(survey, name)).status_code == 404
        assert researcher.get(address(survey, name)).status_code == 200
    for other in ("microdata.xls", "release-2.zip", "..", "recompute"):
        assert researcher.get(address(survey, other)).status_code == 404
    assert "Randomized raw data" not in viewer.get(address(survey)).content.decode()
    assert viewer.post(address(survey, "prepare")).status_code == 404
    assert Client().post(address(survey, "prepare")).status_code == 302  # to sign in
    assert researcher.get(address(survey, "prepare")).status_code == 405


def test_a_researcher_asks_for_the_files_sees_how_far_they_are_and_takes_them(survey):
    researcher = somebody(survey, "researcher")
    page = researcher.get(f"/r/{survey.slug}/downloads/").content.decode()
    assert "Prepare the files" in page and "Keep this release’s files.</label> They stay until" in page
    for _ in range(2):  # a second request changes nothing
        response = researcher.post(address(survey, "prepare"))
        assert (response.status_code, response["Location"]) == (302, address(survey))
    (export,) = Export.objects.all()
    page = researcher.get(address(survey)).content.decode()
    assert f'data-refresh="{address(survey)}"' in page and "Load the page again" in page
    assert '<progress id="written" max="120" value="0">' in page
    assert researcher.get(address(survey, "microdata.csv")).status_code == 404
    exports.make(export.pk)
    page = researcher.get(address(survey)).content.decode()
    assert "data-refresh" not in page and all(f'href="{address(survey, name)}"' in page for name in [*OPEN, *CLOSED])
    whole = b"".join(researcher.get(address(survey, "release-1.zip")))
    with zipfile.ZipFile(io.BytesIO(whole)) as archive:
        assert archive.testzip() is None
    assert int(researcher.get(address(survey, "release-1.zip"))["Content-Length"]) == len(whole)


def test_a_researcher_keeps_the_files_of_a_release_and_the_page_promises_no_more_than_that(survey):
    researcher, viewer = somebody(survey, "researcher"), somebody(survey, "viewer")
    page = researcher.get(address(survey)).content.decode()
    assert "deleted after two newer releases unless someone keeps it" in page
    researcher.post(address(survey, "prepare"), {"keep": "yes"})
    export = Export.objects.get()
    assert export.kept and "the archive alone" not in researcher.get(address(survey)).content.decode()
    exports.make(export.pk)
    for client in (researcher, viewer):
        assert "the archive alone is enough to recompute every estimate" in client.get(address(survey)).content.decode()
    assert "Stop keeping them" not in viewer.get(address(survey)).content.decode()
    for client, status in ((viewer, 404), (Client(), 302)):
        assert client.post(address(survey, "keep"), {"to": "no"}).status_code == status and Export.objects.get().kept
    assert researcher.post(address(survey, "keep"), {"to": "perhaps"}).status_code == 404
    assert researcher.post(address(survey, "keep"), {"to": "no"})["Location"] == address(survey)
    page = researcher.get(address(survey)).content.decode()
    assert not Export.objects.get().kept and "Keep this release’s files" in page and "the archive alone" not in page
    log = AuditEntry.objects.filter(survey_number=survey.pk).values_list("detail", flat=True)
    assert {"keeps the files of release 1", "no longer keeps the files of release 1"} <= set(log)


def test_the_archive_of_kept_files_alone_finds_the_estimates_of_an_old_release_again(tmp_path):
    """Three newer releases exist. The programs come from the archive, and nothing is read from the site."""
    survey = opened_survey(DRAFT, results_public=True)
    collect(survey, 350)
    researcher = somebody(survey, "researcher")
    researcher.post(address(survey, "prepare"), {"keep": "yes"})
    exports.make(Export.objects.get().pk)
    for newer in (400, 450, 500):
        collect(survey, newer)
        exported(survey)
    assert Release.objects.latest_of(survey).number == 4 and Export.objects.get(release__number=1).kept
    archive = b"".join(researcher.get(address(survey, "release-1.zip")))
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        opened.extractall(tmp_path)
    command = [sys.executable, "-I", "recompute.py", "microdata.csv", "codebook.json", "estimates.csv"]
    done = subprocess.run(command, cwd=tmp_path / "release-1", capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and re.match(r"[1-9]\d* rows recomputed", done.stdout), done.stdout + done.stderr


def test_a_designer_has_the_files_of_each_release_kept(survey):
    designer, address = somebody(survey, "designer"), f"/surveys/{survey.pk}/"
    assert "Keep the files of each release" in designer.get(address).content.decode()
    assert designer.post(f"{address}files/keep/", {"to": "yes"}).status_code == 302
    assert Export.objects.get().kept and "Keep no more files" in designer.get(address).content.decode()
    designer.post(f"{address}files/keep/", {"to": "no"})
    assert Export.objects.get().kept  # a kept export stays


def test_what_failed_says_why_and_can_be_asked_for_again(survey):
    researcher = somebody(survey, "researcher")
    researcher.post(address(survey, "prepare"))
    Export.objects.update(state="failed", reason="tried", attempts=4)
    page = researcher.get(address(survey)).content.decode()
    assert "making the files failed several times" in page and "Prepare the files" in page
    researcher.post(address(survey, "prepare"))
    assert Export.objects.get().state == "asked" and Export.objects.get().attempts == 0


def test_files_of_an_older_release_cannot_be_asked_for():
    survey = opened_survey(results_public=True)
    collect(survey, 350, 400)
    researcher = somebody(survey, "researcher")
    researcher.post(address(survey, "prepare"))
    assert not Export.objects.exists() and Release.objects.filter(survey=survey).count() == 2
    assert "the newest release only" in researcher.get(address(survey)).content.decode()


def test_the_microdata_come_compressed_to_anyone_who_takes_it_and_plain_to_others(survey):
    exported(survey)
    researcher = somebody(survey, "researcher")
    plain = researcher.get(address(survey, "microdata.csv"))
    packed = researcher.get(address(survey, "microdata.csv"), headers={"accept-encoding": "gzip"})
    text = b"".join(plain)
    assert packed["Content-Encoding"] == "gzip" and gzip.decompress(b"".join(packed)) == text
    assert "Content-Encoding" not in plain and plain["Vary"] == packed["Vary"] == "Accept-Encoding, Cookie"
    assert len(text.splitlines()) == 121 and text.startswith(b"yes,which.1,which.2")
    assert b"".join(researcher.get(address(survey, "microdata.csv"))) == text


def test_nothing_is_offered_before_the_first_release():
    survey = opened_survey(results_public=True)
    assert "No release yet" in Client().get(f"/r/{survey.slug}/downloads/").content.decode()
    assert Client().get(address(survey)).status_code == 404
    assert Client().get(f"/r/{survey.slug}/1/codebook/").status_code == 404


def test_the_codebook_and_its_page_say_for_how_many_looks_the_intervals_are():
    survey = opened_survey(results_public=True)
    collect(survey, 300)
    close_survey(survey)
    work(survey)
    every, one = "at all releases of the survey together", "for one look at the survey's last"
    alone = closed(DRAFT, 120)  # its only release is at its end, which no result could move
    for its, number, said in ((survey, 1, every), (survey, 2, every), (alone, 1, one)):
        for name in ("codebook/", "downloads/codebook.json"):
            content = Client().get(f"/r/{its.slug}/{number}/{name}").content.decode()
            assert said in unescape(content), (number, name)


def test_the_codebook_shows_a_note_with_its_markup():
    noted = copy.deepcopy(DRAFT)
    noted["questions"][0]["note"] = "**Ever**, <i>that</i> is:\n- once\n- often"
    page = Client().get(f"/r/{closed(noted, 120).slug}/1/codebook/").content.decode()
    assert "<p><strong>Ever</strong>, &lt;i&gt;that&lt;/i&gt; is:</p><ul><li>once</li><li>often</li></ul>" in page


def test_the_codebook_is_a_page_that_escapes_what_designers_wrote():
    survey = closed(ODD, 120)
    page = Client().get(f"/r/{survey.slug}/1/codebook/").content.decode()
    assert "&lt;b&gt;=HYPERLINK" in page and "<b>=HYPERLINK" not in page
    for question in survey.questions:
        assert str(next(iter(question["table"].values()))) in page
    assert "income.4" in page and "The bit sent for this option is 1" in page
