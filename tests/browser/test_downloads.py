"""A researcher requests a release's reports, watches the progress and downloads them, with a real system's worker."""

import json
import zipfile

import openpyxl
import pytest

from tests.support.accessibility import violations
from tests.support.journeys import ended_survey, request
from tests.support.respondents import DRAFT
from tests.support.widths import beyond

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

PASSWORD = "correct horse battery staple"


@pytest.fixture
def survey(system, tmp_path):
    return ended_survey(system, tmp_path, 150, DRAFT)


def test_a_researcher_takes_away_everything(system, survey, page, browser, tmp_path):
    system.env["DJANGO_SUPERUSER_PASSWORD"] = PASSWORD
    system.manage("createsuperuser", "--noinput", "--username", "rita", "--email", "rita@example.org")
    said = []
    page.on("console", lambda message: said.append(message.text))
    downloads = f"{system.url}/r/{survey}/downloads/"
    page.goto(f"{system.url}/account/login/?next=/r/{survey}/downloads/")
    page.get_by_label("Name").fill("rita")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(downloads)
    assert violations(page) == []
    page.get_by_role("button", name="Prepare the files").click()
    # The page shows by itself that the worker has finished.
    page.get_by_role("link", name="Results").last.focus()
    page.get_by_role("link", name="Download everything").wait_for(timeout=60_000)
    assert page.evaluate("document.activeElement.textContent") == "Results"
    assert violations(page) == [] and said == []
    with page.expect_download() as taken:
        page.get_by_role("link", name="Download everything").click()
    path = tmp_path / "all.zip"
    taken.value.save_as(path)
    with zipfile.ZipFile(path) as archive:
        rows = archive.read("release-1/microdata.csv").decode().splitlines()
        book = json.loads(archive.read("release-1/codebook.json"))
    assert len(rows) == 151 and book["n"] == 150
    plain = browser.new_context(java_script_enabled=False)
    plain.add_cookies(page.context.cookies())
    unscripted = plain.new_page()
    unscripted.goto(downloads)
    assert unscripted.get_by_role("link", name="Download everything").is_visible()
    plain.close()
    page.set_viewport_size({"width": 320, "height": 600})
    assert beyond(page) == 0
    page.get_by_role("link", name="Codebook", exact=True).click()
    page.get_by_role("heading", name="Codebook: ").wait_for()
    assert violations(page) == []
    assert beyond(page) == 0
    takes_the_workbook(page, downloads, tmp_path)
    status, _, _ = request(f"{system.url}/r/{survey}/1/downloads/microdata.csv")
    assert status == 404


def takes_the_workbook(page, downloads, tmp_path):
    """Check that the page shows its progress and then the file."""
    page.goto(downloads)
    page.get_by_role("link", name="tables.xlsx").click()
    page.get_by_role("link", name="Download the workbook").wait_for(timeout=60_000)
    assert violations(page) == []
    assert beyond(page) == 0
    with page.expect_download() as downloaded:
        page.get_by_role("link", name="Download the workbook").click()
    path = tmp_path / "tables.xlsx"
    downloaded.value.save_as(path)
    assert openpyxl.load_workbook(path).sheetnames[0] == "Release"
    with page.expect_download():  # now the URL is the file
        page.evaluate("document.location.reload()")
