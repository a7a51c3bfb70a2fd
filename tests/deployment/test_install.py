"""The script that installs a site, its units, and the compose file beside it, compared with each other.

tests/deployment/machine.py runs it on a bare machine."""

import re
import shlex
import shutil
import subprocess

import pytest
import yaml

from tests.services.deployed import BINARIES, UNITS
from tests.services.system import ROOT

DEPLOY = ROOT / "docs" / "deploy"
SCRIPT = DEPLOY / "install.sh"
TEXT = SCRIPT.read_text()
SERVICES = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]


def script(*arguments):
    return subprocess.run(["bash", SCRIPT, *arguments], capture_output=True, text=True)


def variable(name):
    return re.search(rf'^{name}="?([^"\n]*)"?', TEXT, re.MULTILINE)[1].split()


def heredoc(word):
    """The lines that the script writes into a file."""
    lines = re.search(rf"<<-'{word}'\n(.*?)\n\t*{word}\n", TEXT, re.DOTALL)[1].splitlines()
    return [line.strip() for line in lines]


def test_it_parses_and_says_how_it_is_called():
    assert subprocess.run(["bash", "-n", SCRIPT]).returncode == 0
    usage = script()
    assert usage.returncode == 2
    for action in re.findall(r"^    (\w+)\) \w+_site|^    (backup)\)", TEXT, re.MULTILINE):
        assert f"install.sh {''.join(action)}" in usage.stdout


def test_a_dry_run_says_every_step_and_does_none():
    options = ("--site", "survey.example.org", "--staff", "staff.example.org", "--owner", "ada", "--dry-run")
    done = script("install", *options)
    assert done.returncode == 0, done.stderr
    steps = [
        "createdb",
        "conf.d/deniable.conf",
        "deniable.env",
        "check --deploy",
        "migrate",
        "enable --quiet deniable-check",
        "nginx -q -t",
    ]
    places = [
        done.stdout.index(step) for step in [*steps, "certbot certonly", "owner ada", "https://survey.example.org/"]
    ]
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("arguments", "refusal"),
    [
        (["install", "--site", "https://a.example/"], "--site is the name"),
        (["install", "--site", "a.example", "--staff", "a.example"], "--staff has to be another name"),
        (["install", "--sites", "a.example"], "--sites is no option"),
        (["backup"], "Name the folder"),
    ],
)
def test_what_cannot_be_done_is_refused_in_a_sentence(arguments, refusal):
    done = script(*arguments, "--dry-run")
    assert done.returncode == 1 and done.stderr.startswith(refusal) and done.stderr.count("\n") == 1


def test_it_starts_every_unit():
    units = {re.sub(r"@\d", "@", name) for name in variable("UNITS")}
    assert units == {path.stem for path in UNITS.glob("*.service")}
    assert set(variable("WORKERS")) <= set(variable("UNITS"))


def test_systemd_finds_no_fault_in_the_units(tmp_path):
    if systemd := shutil.which("systemd-analyze"):
        for path in UNITS.glob("*.service"):  # their programs are not on this machine
            (tmp_path / path.name).write_text(re.sub(rf"{BINARIES}\w+", "/bin/true", path.read_text()))
        done = subprocess.run([systemd, "verify", *tmp_path.iterdir()], capture_output=True, text=True)
        assert "deniable-" not in done.stderr, done.stderr


def test_a_site_of_the_compose_file_is_the_same():
    dockerfile = (DEPLOY / "Dockerfile").read_text()
    copied = {words.split()[0] for words in re.findall(r"^COPY (.*)$", dockerfile, re.MULTILINE)}
    assert copied - {"requirements.txt"} == set(variable("PARTS"))
    given = shlex.split(SERVICES["database"]["command"])
    assert [setting.replace(" = ", "=") for setting in heredoc("POSTGRESQL")] == given[2::2]
    assert [word for line in heredoc("REDIS") for word in shlex.split(line)] == [
        word.removeprefix("--") for word in SERVICES["broker"]["command"][1:]
    ]
    named = re.findall(r"^(\w+)=", (DEPLOY / "deniable.env").read_text(), re.MULTILINE)
    assert set(named) == set(SERVICES["intake"]["environment"])
