"""The API of a running system. The programs of its page run, and schemathesis finds no undescribed behaviour."""

import html
import http.client
import json
import os
import re
import subprocess
import sys
import urllib.request
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.support.journeys import ended_survey, request
from tests.support.respondents import DRAFT

pytestmark = [pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

ROOT = Path(__file__).parents[2]
SEED, EXAMPLES = "13", "4"
MAKE_TOKEN = """
import json
from surveys.life.lifecycle import begin_draft
from django.contrib.auth.models import User
from surveys.models import Membership, Scope, Survey
from surveys.accounts import tokens
survey = Survey.objects.get(slug="{slug}")
user, _ = User.objects.get_or_create(username="programmer-{slug}")
Membership.objects.get_or_create(survey=survey, user=user, role="researcher")
print("draft", begin_draft(user, json.loads({draft!r})).pk)
print(tokens.make(user, "a program", list(Scope), 1)[1])
"""


@pytest.fixture(scope="module")
def survey(system, tmp_path_factory):
    """Return an ended survey with published results."""
    return ended_survey(system, tmp_path_factory.mktemp("draft"), 150, DRAFT)


@pytest.fixture(scope="module")
def made(system, survey):
    """Return the output of a process in the system: a researcher's token and the number of their draft."""
    return system.manage("shell", "-c", MAKE_TOKEN.format(slug=survey, draft=json.dumps(DRAFT)))


@pytest.fixture(scope="module")
def token(made):
    (text,) = re.findall(r"^dnb_[\w-]{43}$", made, re.MULTILINE)
    return text


@pytest.fixture(scope="module")
def draft(made):
    """Return the draft's number in the studio."""
    return re.search(r"^draft (\d+)$", made, re.MULTILINE)[1]


# The page's programs --------------------------------------------------------------------------------------------------


def program(system, language):
    """Return a program's text from the page."""
    text = request(f"{system.url}/api/")[2].decode()
    (found,) = re.findall(rf'aria-labelledby="example-{language}"><code>(.*?)</code>', text, re.DOTALL)
    return html.unescape(found)


def run(command, folder, survey, token):
    env = os.environ | {"DENIABLE_TOKEN": token, "DENIABLE_SURVEY": survey}
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


COMMANDS = {
    "curl": ["sh", "-eu", "-c"],
    "python": [sys.executable, "-I", "-c"],
    "r": ["Rscript", "--vanilla", "-e"],
}


@pytest.mark.parametrize("language", COMMANDS)
def test_the_programs_of_the_page_run_as_they_stand_there(system, survey, token, tmp_path, language):
    folder = tmp_path / "program"
    folder.mkdir()
    said = run([*COMMANDS[language], program(system, language)], folder, survey, token)
    api = f"{system.url}/api/v1/surveys/{survey}"
    if language == "curl":
        assert (folder / "estimates.csv").read_bytes() == request(f"{api}/estimates.csv")[2]
        assert survey in said
    else:
        assert "affair" in said
    if language == "r":
        assert (folder / "codebook.json").read_bytes() == request(f"{api}/releases/latest/codebook")[2]
    else:
        assert (folder / "microdata.csv").read_text().count("\n") == 151


def test_a_download_that_broke_off_goes_on(system, survey, token, tmp_path):
    run([*COMMANDS["curl"], program(system, "curl")], tmp_path, survey, token)
    file = Path(tmp_path / "microdata.csv")
    whole = file.read_bytes()
    file.write_bytes(whole[:1000])
    address = f"{system.url}/api/v1/surveys/{survey}/releases/latest/microdata/microdata.csv"
    header = f"Authorization: Bearer {token}"
    run(["curl", "-sSf", "-H", header, "-C", "-", "-o", str(file), address], tmp_path, survey, token)
    assert file.read_bytes() == whole
    asked = urllib.request.Request(address, headers={"Authorization": f"Bearer {token}", "Range": "bytes=-10"})
    with urllib.request.urlopen(asked, timeout=60) as response:
        assert response.status == 206 and response.read() == whole[-10:]


# The clients ----------------------------------------------------------------------------------------------------------

R_LIFE = r"""
source("deniable.R")
site <- deniable(Sys.getenv("DENIABLE_SITE"), Sys.getenv("DENIABLE_TOKEN"))
questions <- list(list(key = "a", kind = "yes_no", text = "A?"), list(key = "b", kind = "yes_no", text = "B?"))
survey <- begin_survey(site, list(title = "\u00dcber \"R\"", introduction = "", questions = questions))
wrong <- tryCatch(begin_survey(site, list(title = 5)), error = conditionMessage)
stopifnot(grepl("422 draft: title: must be a text", wrong, fixed = TRUE))
stopifnot(length(propose(site, survey$number, 2, n = 500)$proposal$half_widths) == 2)
take_proposal(site, survey$number, 2, n = 500)
read <- read_draft(site, survey$number)
replace_draft(site, survey$number, c(read$draft, list(thanks = "Danke")), read$mark)
preview <- survey_preview(site, survey$number)
report <- list(report_id = "0b9a7a2e-6c1e-4d0a-9d0c-0e6a2a8f7b11", digest = preview$digest)
report$answers <- list(a = list(1), b = list(0))
stopifnot(send_test_answer(site, survey$number, report)$says[[1]]$items[[1]] == "No")
stopifnot(preview$effort$minutes$low == 1, is.null(preview$effort$level))
stopifnot(length(test_answers(site, survey$number)) == 1, length(survey_trial(site, survey$number, seed = 2)) == 4)
stopifnot(length(forget_test_answers(site, survey$number)$items) == 0)
opened <- open_survey(site, survey$number, closes_after = 100)
cat(opened$title, opened$state, nchar(opened$link) > 20, "\n")
stopifnot(close_survey(site, survey$number)$state == "closed")
stopifnot(survey_people(site, survey$number)$members[[1]]$role == "owner")
rows <- estimates(site, Sys.getenv("DENIABLE_SURVEY"))
crossed <- count_rows(site, Sys.getenv("DENIABLE_SURVEY"), "crossings/affair/work")
cat(nrow(rows) > 10, nrow(crossed) > 1, "\n")
"""


def fetched(system, name, folder):
    """Save a client as the site serves it."""
    (folder / name).write_bytes(request(f"{system.url}/api/programs/{name}")[2])


def test_every_cell_of_the_notebook_runs(system, survey, token, tmp_path, monkeypatch):
    fetched(system, "deniable.py", tmp_path)
    cells = json.loads((ROOT / "docs" / "notebooks" / "studio.ipynb").read_text(encoding="utf-8"))["cells"]
    code = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    monkeypatch.setenv("DENIABLE_SITE", system.url)
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}:{ROOT}")
    said = run([sys.executable, "-c", code], tmp_path, survey, token)
    assert "'field': 'title'" in said and "2 moderate" in said and "400 reports" in said
    assert "bike Yes" in said and "statement.en.html" in said


def test_the_client_for_r_drafts_opens_ends_and_reads(system, survey, token, tmp_path, monkeypatch):
    fetched(system, "deniable.R", tmp_path)
    monkeypatch.setenv("DENIABLE_SITE", system.url)
    said = run(["Rscript", "--vanilla", "-e", R_LIFE], tmp_path, survey, token)
    assert "open TRUE" in said and said.endswith("TRUE TRUE \n")


# Requests that the description allows, and others ---------------------------------------------------------------------

CONFIG = """
[parameters]
"path.slug" = "{slug}"
"path.survey" = {draft}

# Which values a report may have, and which models and weights there are, follows from the survey's definition:
# well-formed ones are refused all the same.
"""
CONFIG += "".join(
    f"""
[[operations]]
include-operation-id = "{operation}"
checks.positive_data_acceptance.enabled = false
"""
    for operation in (
        *("report", "regression", "ask_regression", "regression_csv", "raking", "ask_raking", "raking_csv"),
        # Many well-formed drafts break the rules.
        *("begin_survey", "change_settings", "delete_survey", "replace_draft", "open_survey"),
        *("close_survey", "new_version", "propose", "take_proposal", "set_alpha", "move_question", "set_form"),
        # Some URLs are not a webhook's, other questions have no comments, and a key of another request is
        # refused.
        *("add_webhook", "take_question", "write_comment"),
        # Only a report of the current draft is a test answer.
        "send_test_answer",
        # A share is at most 100. The values of a mean depend on its unit.
        *("value_comparison", "value_comparison_csv"),
        *("disclose", "evidence", "form_xlsx", "give_role", "invite_to_role"),
    )
)


# With a token, its check `ignored_auth` also requests each operation without one. tests/accounts and tests/api/studio
# try each URL without an account.
WHO = ["token", pytest.param("nobody", marks=pytest.mark.long)]


@pytest.mark.slow
@pytest.mark.statistical
@pytest.mark.parametrize("who", WHO)
def test_schemathesis_finds_no_fault_and_nothing_that_is_not_described(
    system, survey, draft, token, tmp_path, who, nightly
):
    """Nightly, every edge of every parameter is tried. Daily, some random requests are tried, and tests/api has the
    refused requests field by field."""
    config = tmp_path / "schemathesis.toml"
    config.write_text(CONFIG.replace("{slug}", survey).replace("{draft}", draft))
    command = [str(Path(sys.executable).with_name("schemathesis")), "--config-file", str(config), "run"]
    command += [f"{system.url}/api/v1/schema?format=json", "--url", system.url, "--no-color"]
    phases = "examples,coverage,fuzzing" if nightly else "examples,fuzzing"
    command += ["--exclude-operation-id", "import_form"]  # it writes no spreadsheets; tests/api/studio has them
    command += ["--phases", phases, "--seed", SEED, "--max-examples", EXAMPLES, "--request-timeout", "120"]
    command += ["--suppress-health-check", "too_slow"]  # a busy machine is slow everywhere
    command += ["--header", f"Authorization: Bearer {token}"] if who == "token" else []
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=1500)
    assert done.returncode == 0, done.stdout[-20_000:]
    assert int(re.findall(r"(\d+) generated", done.stdout)[0]) > 100


@pytest.mark.parametrize(
    "key", ["Schlüssel-Schlüssel".encode(), "Schlüssel-Schlüssel".encode("latin-1"), b"x" * 16 + b"\xff"]
)
def test_a_key_that_is_not_ascii_is_refused_and_not_lost_on_the_way(system, token, key):
    body = b'{"template": "health"}'
    head = [
        b"POST /api/v1/studio HTTP/1.1",
        f"Host: {urlsplit(system.url).netloc}".encode(),
        f"Authorization: Bearer {token}".encode(),
        b"Content-Type: application/json",
        f"Content-Length: {len(body)}".encode(),
        b"Idempotency-Key: " + key,
        b"Connection: close",
    ]
    with system.connect() as connection:
        connection.sendall(b"\r\n".join(head) + b"\r\n\r\n" + body)
        answer = http.client.HTTPResponse(connection)
        answer.begin()
        assert answer.status == 400, answer.read()
