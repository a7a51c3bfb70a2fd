"""The API of a running system: the programs of its page run, and schemathesis finds nothing but what is described."""

import html
import os
import re
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from tests.support.journeys import ended_survey, request
from tests.support.respondents import DRAFT

pytestmark = [pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

SEED, EXAMPLES = "13", "4"
MAKE_TOKEN = """
from django.contrib.auth.models import User
from surveys.models import Membership, Scope, Survey
from surveys.people import tokens
survey = Survey.objects.get(slug="{slug}")
user, _ = User.objects.get_or_create(username="programmer-{slug}")
Membership.objects.get_or_create(survey=survey, user=user, role="researcher")
print(tokens.make(user, "a program", list(Scope), 1)[1])
"""


@pytest.fixture(scope="module")
def survey(system, tmp_path_factory):
    """An ended survey with published results."""
    return ended_survey(system, tmp_path_factory.mktemp("draft"), 150, DRAFT)


@pytest.fixture(scope="module")
def token(system, survey):
    """A real one of a researcher, made in a process of the system's own."""
    (text,) = re.findall(r"^dnb_[\w-]{43}$", system.manage("shell", "-c", MAKE_TOKEN.format(slug=survey)), re.MULTILINE)
    return text


# The programs of the page ---------------------------------------------------------------------------------------------


def program(system, language):
    """Its text as the page shows it."""
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


# Whatever the description allows, and more ----------------------------------------------------------------------------

CONFIG = """
[parameters]
"path.slug" = "{slug}"

# Which values a report may have, and which models and weights there are, follows from the survey's definition:
# well-formed ones are refused all the same.
"""
CONFIG += "".join(
    f"""
[[operations]]
include-operation-id = "{operation}"
checks.positive_data_acceptance.enabled = false
"""
    for operation in ("report", "regression", "ask_regression", "regression_csv", "raking", "ask_raking", "raking_csv")
)


PHASES = {"token": "examples,coverage,fuzzing", "nobody": "examples,fuzzing"}


@pytest.mark.slow
@pytest.mark.statistical
@pytest.mark.parametrize("who", PHASES)
def test_schemathesis_finds_no_fault_and_nothing_that_is_not_described(system, survey, token, tmp_path, who, nightly):
    """Every edge of every parameter is tried daily with a token, and nightly without one too."""
    config = tmp_path / "schemathesis.toml"
    config.write_text(CONFIG.replace("{slug}", survey))
    command = [str(Path(sys.executable).with_name("schemathesis")), "--config-file", str(config), "run"]
    command += [f"{system.url}/api/v1/schema?format=json", "--url", system.url, "--no-color"]
    phases = PHASES["token" if nightly else who]
    command += ["--phases", phases, "--seed", SEED, "--max-examples", EXAMPLES, "--request-timeout", "120"]
    command += ["--header", f"Authorization: Bearer {token}"] if who == "token" else []
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=500)
    assert done.returncode == 0, done.stdout[-20_000:]
    assert int(re.findall(r"(\d+) generated", done.stdout)[0]) > 100
