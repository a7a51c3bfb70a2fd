"""The script that installs a site, its units, and the compose file beside it, compared with each other.

tests/deployment/machine.py runs it on a bare machine."""

import os
import re
import secrets
import shlex
import shutil
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
import yaml

from tests.services.deployed import BINARIES, UNITS
from tests.services.postgres import binary
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


@pytest.fixture
def backup(tmp_path, postgres, monkeypatch):
    """A folder such as the script makes."""
    monkeypatch.setenv("PATH", f"{Path(binary('pg_dump')).parent}:{os.environ['PATH']}")
    folder = tmp_path / "backup"
    folder.mkdir()
    with closing(sqlite3.connect(folder / "invitations.sqlite3")) as book:
        book.executescript("CREATE TABLE one (a); INSERT INTO one VALUES (zeroblob(100000))")
    (folder / "log_key").write_text("PRIVATE+KEY+name+0+secret")
    (folder / "deniable.env").write_text('# A comment\nSITE_URL=https://a.example.org\nSITE_OPERATOR="A & B"\n\n')
    database = postgres.create(f"backup_{secrets.token_hex(4)}")
    with psycopg.connect(database) as connection:
        connection.execute("CREATE TABLE many AS SELECT md5(i::text) FROM generate_series(1, 9000) AS i")
    dump = [binary("pg_dump"), "--format", "custom", "--file", folder / "database.dump", database]
    subprocess.run(dump, check=True)
    return folder


def restoring(folder):
    done = script("restore", str(folder), "--dry-run")
    assert done.returncode == 1 and done.stderr.count("\n") == 1, done.stderr
    return done.stderr


def test_a_whole_backup_is_looked_at_and_a_damaged_one_refused_before_anything_changes(backup):
    assert restoring(backup).startswith("There is no site here"), "which is asked after the backup was looked at"
    for name in ("database.dump", "invitations.sqlite3"):
        whole = (backup / name).read_bytes()
        for damaged in (whole[: len(whole) // 2], b"", b"nothing"):
            (backup / name).write_bytes(damaged)
            assert f"{name} is no" in restoring(backup), damaged[:9]
        (backup / name).write_bytes(whole)
    (backup / "log_key").write_text("root:x:0:0")
    assert "log_key is no key of the log" in restoring(backup)
    (backup / "log_key").unlink()
    (backup / "invitations.sqlite3").unlink()
    assert restoring(backup).startswith("There is no site here"), "these two there need not be"
    (backup / "deniable.env").unlink()
    assert "has no deniable.env" in restoring(backup)


@pytest.mark.parametrize("name", ["database.dump", "deniable.env", "log_key", "invitations.sqlite3"])
def test_a_backup_in_which_a_file_is_a_link_is_refused(backup, tmp_path, name):
    """The files of a backup become readable for the site's account, and root reads them."""
    secret = tmp_path / "secret"
    shutil.move(backup / name, secret)
    (backup / name).symlink_to(secret)
    assert f"{name} is a link" in restoring(backup)
    (backup / name).unlink()
    (backup / name).mkdir()
    assert f"{name} is no file" in restoring(backup) or name == "deniable.env"


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("SITE_URL=$(id)", "must be NAME=value"),
        ("SITE_URL=`id`", "must be NAME=value"),
        ("SITE_URL=a;id", "must be NAME=value"),
        ("SITE_URL=a id", "must be NAME=value"),
        ('SITE_OPERATOR="a$(id)"', "must be NAME=value"),
        ('SITE_OPERATOR="a"; id', "must be NAME=value"),
        ("id", "must be NAME=value"),
        ("LD_PRELOAD=/tmp/x.so", "LD_PRELOAD must be a setting"),
        ("PATH=/tmp", "PATH must be a setting"),
    ],
)
def test_settings_of_a_backup_that_a_shell_would_act_on_are_refused(backup, line, rule):
    with (backup / "deniable.env").open("a") as settings:
        print(line, file=settings)
    assert f"deniable.env, line 5: {rule}" in restoring(backup)


def test_where_the_sites_account_may_put_a_link_root_reads_and_writes_nothing():
    inside = [
        line.strip() for line in TEXT.splitlines() if re.search(r"\b(run|cat|mv|cp|install|chmod) .*\$DATA/", line)
    ]
    assert len(inside) > 3
    assert [line for line in inside if not re.search(r"\bas_site (cat|rm|install) |/sbin/deniable copy_", line)] == []


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


# What every unit may not do: all but to run as its account, to write its data and to talk over sockets.
HARDENED = """\
UMask=0077
ReadWritePaths=/var/lib/deniable
NoNewPrivileges=true
CapabilityBoundingSet=
PrivateDevices=true
PrivateTmp=true
ProtectClock=true
ProtectControlGroups=true
ProtectHome=true
ProtectHostname=true
ProtectKernelLogs=true
ProtectKernelModules=true
ProtectKernelTunables=true
ProtectProc=invisible
ProtectSystem=strict
LockPersonality=true
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6
RestrictNamespaces=true
RestrictRealtime=true
RestrictSUIDSGID=true
SystemCallArchitectures=native
SystemCallErrorNumber=EPERM
SystemCallFilter=@system-service
SystemCallFilter=~@privileged
"""


def test_every_unit_may_do_little_beside_its_work(tmp_path):
    for path in UNITS.glob("*.service"):
        assert HARDENED in path.read_text(), path.name
        if systemd := shutil.which("systemd-analyze"):
            exposed = [systemd, "security", "--offline=true", "--threshold=20", "--no-pager", path]
            done = subprocess.run(exposed, capture_output=True, text=True)
            assert done.returncode == 0, done.stdout[-200:]


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


def test_every_image_is_named_by_a_digest_without_which_nothing_is_built_or_started():
    """No registry is asked here, and none is made up: the command that looks them up stands at the top."""
    compose, dockerfile = (DEPLOY / "compose.yaml").read_text(), (DEPLOY / "Dockerfile").read_text()
    needed = [service["image"] for service in SERVICES.values() if "image" in service]
    needed += [image.replace("}", ":?see above}") for image in re.findall(r"^FROM (\S+)", dockerfile, re.MULTILINE)]
    listed = re.search(r"for image in (.*); do", compose)[1].split()
    named = [f"{image}@${{{image.partition(':')[0].upper()}_DIGEST:?see above}}" for image in listed]
    assert sorted(named) == sorted(needed)
    assert SERVICES["intake"]["build"]["args"] == {"PYTHON_DIGEST": "${PYTHON_DIGEST:?see above}"}
