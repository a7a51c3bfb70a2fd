"""Every survey of every site has the same page, and independent observers see a site's statements about it (P14). A
real browser, the verifier and two independent witnesses query the deployed pair."""

import hashlib
import os
import re
import subprocess
import sys
import time

import pytest

from surveys.transparency.check import verify
from tests.services.deployed import DeployedSystem
from tests.services.system import ROOT
from tests.support import canary
from tests.support.journeys import open_survey, request
from tests.support.respondents import DRAFT, Visit, open_page

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.slow]

PLAIN = [sys.executable, "-I", "surveys/transparency/check/verify.py"]
NAMES = ("one.example/w", "two.example/w")
GERMAN = {"title": "Andere", "introduction": "", "language": "de"}


@pytest.fixture(scope="module")
def witnesses(tmp_path_factory):
    """Return the folder of each witness, with its verifier key."""
    folders = [tmp_path_factory.mktemp(name.partition(".")[0]) for name in NAMES]
    seeds = [verify.witness_seed(name, folder / "witness_key") for name, folder in zip(NAMES, folders, strict=True)]
    keys = [str(verify.Key(name, 4, verify.public_of(seed))) for name, seed in zip(NAMES, seeds, strict=True)]
    return dict(zip(folders, keys, strict=True))


@pytest.fixture(scope="module")
def deployed(postgres, witnesses):
    system = DeployedSystem(postgres, LOG_WITNESSES=",".join(witnesses.values()), LOG_QUORUM="2")
    yield system
    system.stop()


@pytest.fixture(scope="module")
def manifest(tmp_path_factory):
    """Return the manifest of the source, made by plain Python."""
    file = tmp_path_factory.mktemp("source") / "manifest.json"
    made = subprocess.run(
        [sys.executable, "-I", "-S", "surveys/transparency/check/manifest_file.py"], cwd=ROOT, capture_output=True
    )
    file.write_bytes(made.stdout)
    return file


@pytest.fixture
def browser_page(browser):
    with browser.new_context(ignore_https_errors=True, locale="en") as context:
        yield context.new_page()


def verified(*arguments):
    return ended(subprocess.run([*PLAIN, *map(str, arguments)], cwd=ROOT, capture_output=True, text=True))


def witnessed(site, folder):
    """Return the answers to each of the two witnesses. This program runs one, the single file alone runs the other."""
    if folder.name.startswith("one"):
        command = [sys.executable, "manage.py", "witness", f"{site}/", "--name", NAMES[0]]
        env = os.environ | {"DATA_DIR": str(folder), "SITE_URL": "https://one.example"}
        return ended(subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True))
    files = ("--key", folder / "witness_key", "--remember", folder / "witnessed.json")
    return verified(f"{site}/", "--witness", NAMES[1], *files)


def ended(done):
    assert done.stderr == "" and (done.returncode == 1) == ("WRONG" in done.stdout), done
    return done.stdout


def documents(page, system, slugs):
    """Return the digests of the document that a browser got for each survey."""
    for slug in slugs:
        page.goto("about:blank")
        with page.expect_response(f"{system.url}/s/") as answer:
            page.goto(f"{system.url}/s/#{slug}")
        yield hashlib.sha256(answer.value.body()).hexdigest()


def test_three_surveys_of_two_sites_have_one_document(deployed, systems, browser_page, tmp_path):
    found = set()
    for system in (deployed, systems("embedded")):
        drafts = (DRAFT, DRAFT | {"title": "Another"}, DRAFT | GERMAN)
        slugs = [open_survey(system, tmp_path, draft=draft) for draft in drafts]
        each = list(documents(browser_page, system, slugs))
        assert len(each) == len(set(slugs)) == 3
        found |= set(each)
    assert len(found) == 1


def test_no_log_names_a_survey_whatever_someone_does_with_its_link(
    deployed, browser_page, manifest, postgres, tmp_path
):
    survey = open_page(deployed, tmp_path)
    visit = Visit(browser_page, survey).load()
    browser_page.get_by_text("Check it yourself").click()
    browser_page.locator("#check .fingerprint").first.wait_for()
    visit.answer().send().is_thanked()
    for changed in ("/s/{}/", "/s/%23{}?utm_source=x", "/S/{}", "//s/{}", "/s%2F{}", "/s/%2523{}"):
        served = request(deployed.url + changed.format(survey.slug))[2]
        assert served == request(f"{deployed.url}/s/")[2], changed
    browser_page.goto(f"{deployed.url}/r/{survey.slug}/")
    browser_page.goto(f"{deployed.url}/check/")
    browser_page.locator("#link").fill(survey.page)
    browser_page.keyboard.press("Enter")
    browser_page.locator("#verdict[data-state=right]").wait_for()
    assert "WRONG" not in verified(survey.page, "--manifest", manifest)

    planted = os.urandom(8).hex()
    assert request(f"{deployed.url}/lab/{planted}/")[0] == 404
    others = [postgres.directory / "postgres.log", *deployed.certificate.parent.glob("*.log")]
    assert {path.name for path in others} >= {"access.log", "nginx.log"}
    places, deadline = [], time.monotonic() + 60
    while not any("access.log" in where for where in canary.found({planted.encode(): "it"}, places)):
        assert time.monotonic() < deadline, "nginx logs a request once its answer is on the way"
        places = list(canary.logs(deployed, *others))
    assert canary.found({survey.slug.encode(): "a link"}, places) == []


def test_two_witnesses_see_the_log_grow_its_key_change_and_that_one_was_lost(deployed, witnesses, manifest, tmp_path):
    survey = open_page(deployed, tmp_path)
    trusted = [word for key in witnesses.values() for word in ("--trust", key)]
    wanted = (survey.page, "--manifest", manifest, *trusted, "--quorum", "2")
    assert "0 of the witnesses that you trust have signed" in verified(*wanted)
    for folder, key in witnesses.items():
        assert re.search(rf"right +Signed its \d+ entries as {re.escape(key)}", witnessed(deployed.url, folder))
    assert "2 of the witnesses that you trust have signed a tree with the survey" in verified(*wanted)
    assert "This site names 2 witnesses, and 2 make a quorum" in request(f"{deployed.url}/check/")[2].decode()

    assert "signs the log." in deployed.manage("log", "rotate")
    for folder in witnesses:
        assert "right        The log continues the one of" in witnessed(deployed.url, folder)
    assert "2 of the witnesses that you trust have signed a tree with the survey" in verified(*wanted)

    (deployed.data / "log_key").unlink()
    assert request(f"{deployed.url}/check/log/checkpoint")[0] == 503
    deployed.manage("migrate")
    assert "the new key that signs the log: the previous one was lost" in request(f"{deployed.url}/check/")[2].decode()
    for folder in witnesses:
        assert "WRONG        the key was lost: entry" in witnessed(deployed.url, folder)
    assert "right        This survey is entry" in verified(*wanted)
