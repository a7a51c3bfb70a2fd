"""The script that installs a site, and its units.

tests/deployment/machine.py runs it on a bare machine."""

import json
import os
import re
import secrets
import shlex
import shutil
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from tests.services.deployed import BINARIES, UNITS
from tests.services.postgres import binary
from tests.services.system import ROOT

DEPLOY = ROOT / "docs" / "deploy"
SCRIPT = DEPLOY / "install.sh"
TEXT = SCRIPT.read_text()


def script(*arguments):
    return subprocess.run(["bash", SCRIPT, *arguments], capture_output=True, text=True)


def variable(name):
    return re.search(rf'^{name}="?([^"\n]*)"?', TEXT, re.MULTILINE)[1].split()


def heredoc(word):
    """Return the lines that the script writes into a file."""
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
        (["install", "--site", "https://a.example/"], "--site is the host name"),
        (["install", "--site", "a.example", "--staff", "a.example"], "--staff must differ"),
        (["install", "--sites", "a.example"], "--sites is not an option"),
        (["install", "--site", "a.example", "--staff", "b.example", "--certificate", "./none"], "--certificate must"),
        (["install", "--site", "a.example", "--staff", "b.example", "--certificate", "/etc"], "--certificate must"),
        (["backup"], "Name the folder"),
    ],
)
def test_what_cannot_be_done_is_refused_in_a_sentence(arguments, refusal):
    done = script(*arguments, "--dry-run")
    assert done.returncode == 1 and done.stderr.startswith(refusal) and done.stderr.count("\n") == 1
    assert done.stdout == ""


# A machine with a site ------------------------------------------------------------------------------------------------

HERE = ["--site", "a.example.org", "--staff", "b.example.org", "--dry-run"]
FITTING = """\
# "Quotes" and \\ in a comment
MAIL_FROM=Deniable <a@b.org>
SITE_OPERATOR="Ministry; of $(id) `id` & Women's #1"
  SITE_CONTACT=https://a.example.org/?b=c&d=e#f \t
LOG_KEY=""
SOURCE_URL=
SITE_NOTICE='Über "uns" فريق'
SECRET_KEY=a=b'c|d&e;f
MAIL_FROM=Deniable, again <a@b.org>"""
READ = {
    "MAIL_FROM": "Deniable, again <a@b.org>",
    "SITE_OPERATOR": "Ministry; of $(id) `id` & Women's #1",
    "SITE_CONTACT": "https://a.example.org/?b=c&d=e#f",
    "LOG_KEY": "",
    "SOURCE_URL": "",
    "SITE_NOTICE": 'Über "uns" فريق',
    "SECRET_KEY": "a=b'c|d&e;f",
}
UNFIT = [
    "id",
    "A",
    "A=a\\",
    "A=a\\nb",
    'A="a"b',
    'A=a"b',
    "A='a b",
    "A='a'b'c'",
    "A=a\r",
    "A= a",
    "export A=a",
    "a=a",
    "A =a",
    ";A=a",
    "# a\\",
    'A="a',
]
PRINT = "import json, os, sys; print(json.dumps([dict(os.environ), sys.argv[1:]]))"


@pytest.fixture
def machine(tmp_path):
    """Return the script for a machine whose site, settings and units are in a folder. It can also run each function."""
    text = TEXT.replace('main "$@"', '"$@"').replace("runuser -u deniable -- ", "")
    for path in ("/etc/deniable.env", "/etc/systemd/system", "/srv/deniable", "/usr/local/sbin", "/etc/nginx"):
        text = text.replace(path, f"{tmp_path}{path}")
        (tmp_path / path[1:]).parent.mkdir(parents=True, exist_ok=True)
    for part in (*variable("PARTS"), "requirements.txt", "requirements-formats.txt"):
        (tmp_path / part).symlink_to(ROOT / part)
    shutil.copytree(DEPLOY, tmp_path / "docs/deploy")
    (tmp_path / "docs/deploy/install.sh").write_text(text)
    return tmp_path


def on(machine, *arguments, **variables):
    command = ["bash", machine / "docs/deploy/install.sh", *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=machine, env=os.environ | variables)


def test_the_sites_command_reads_the_settings_as_systemd_does_and_no_shell_acts_on_them(machine):
    """systemd's reader of a session's environment also expands $."""
    (machine / "etc/deniable.env").write_text(FITTING)
    code = machine / "srv/deniable"
    (code / ".venv/bin").mkdir(parents=True)
    (code / ".venv/bin/python").symlink_to(sys.executable)
    (code / "manage.py").write_text(PRINT)
    (machine / "usr/local/sbin").mkdir(parents=True)
    done = on(machine, "settings", DRY="", SITE="c.example.org", STAFF="d.example.org")
    assert done.returncode == 0, done.stderr
    assert (machine / "etc/deniable.env").read_text().splitlines() == FITTING.splitlines()
    ran = subprocess.run([machine / "usr/local/sbin/deniable", "a b", "$c"], capture_output=True, text=True)
    environment, arguments = json.loads(ran.stdout)
    assert {name: environment[name] for name in READ} == READ and arguments == ["a b", "$c"]
    generator = Path("/usr/lib/systemd/user-environment-generators/30-systemd-environment-d-generator")
    if generator.exists():
        (machine / "environment.d").mkdir()
        (machine / "environment.d/a.conf").write_text(FITTING.replace("$(", "("))
        own = {"XDG_CONFIG_HOME": str(machine), "HOME": str(machine)}
        printed = subprocess.run([generator], env=own, capture_output=True, text=True, check=True).stdout
        said = dict(line.split("=", 1) for line in printed.replace("\\`", "`").splitlines())
        for name, value in READ.items():
            assert shlex.split(said.get(name, "")) == [value.replace("$(", "(")] * (value != ""), name


@pytest.mark.parametrize("action", ["install", "upgrade", "backup", "restore", "rotate-key"])
def test_settings_that_systemd_would_read_differently_are_refused_before_anything_else(machine, action):
    for line in UNFIT if action == "install" else UNFIT[:3]:
        (machine / "etc/deniable.env").write_text(f"# Settings\n\nSITE_URL=https://a.example.org\n{line}\n")
        done = on(machine, "main", action, "--dry-run")
        assert (done.returncode, done.stdout) == (1, ""), line
        assert (
            done.stderr.startswith(f"{machine}/etc/deniable.env, line 4: must be NAME=value or NAME=")
            and "\\" in done.stderr
        )
    assert on(machine, "main", "uninstall", "--dry-run").returncode == 0


def test_keys_that_are_set_stay_and_empty_ones_are_made(machine):
    (machine / "usr/local/sbin").mkdir(parents=True)
    (machine / "etc/deniable.env").write_text(
        'SITE_URL="https://old"\nSTAFF_URL=\nSECRET_KEY=a|b&c\nMETRICS_TOKEN=""\n'
    )
    on(machine, "settings", DRY="", SITE="c.example.org", STAFF="d.example.org")
    site, staff, key, token = (machine / "etc/deniable.env").read_text().splitlines()
    assert (site, staff, key) == (
        "SITE_URL=https://c.example.org",
        "STAFF_URL=https://d.example.org",
        "SECRET_KEY=a|b&c",
    )
    assert re.fullmatch(r"METRICS_TOKEN=[\w-]{64}", token)


@pytest.mark.skipif(shutil.which("systemctl") is None, reason="systemd is not on this machine")
def test_an_upgrade_and_an_end_treat_every_worker_that_is_enabled(machine):
    shutil.copytree(UNITS, machine / "etc/systemd/system")
    subprocess.run(["systemctl", f"--root={machine}", "enable", "deniable-worker@3", "deniable-worker@10"], check=True)
    (machine / "etc/deniable.env").write_text("SITE_URL=https://a.example.org\nSTAFF_URL=https://b.example.org\n")
    workers = {f"deniable-worker@{number}" for number in (1, 2, 3, 10)}
    upgrade, end = (on(machine, "main", action, "--dry-run") for action in ("upgrade", "uninstall"))
    assert upgrade.returncode == end.returncode == 0, upgrade.stderr
    for action, printed in [*((each, upgrade) for each in ("stop", "enable", "restart", "start")), ("disable", end)]:
        (line,) = re.findall(rf"^   systemctl {action} (.*deniable-.*)$", printed.stdout, re.MULTILINE)
        assert {name for name in line.split() if "@" in name} == workers, action


def test_a_program_that_gets_the_certificate_is_found_from_where_the_script_was_called(machine):
    program = machine / "certify"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    done = on(machine, "main", "install", *HERE, "--certificate", "./certify")
    assert done.returncode == 0 and f"   {program} a.example.org b.example.org" in done.stdout, done.stderr
    (machine / "etc/nginx").mkdir()
    (machine / "etc/nginx/certified").write_text(f"{program}\n")
    assert f"   {program} a.example.org b.example.org" in on(machine, "main", "install", *HERE).stdout
    program.unlink()
    done = on(machine, "main", "install", *HERE)
    assert (done.returncode, done.stdout) == (1, "") and done.stderr.startswith(
        f"{program}, which got the last certificate, is missing"
    )


# A backup -------------------------------------------------------------------------------------------------------------


@pytest.fixture
def backup(tmp_path, postgres, monkeypatch):
    """Return a folder like the script's backup."""
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
    dump = f"{binary('pg_dump')} --format custom {database} | cat >{folder}/database.dump"  # as the script does
    subprocess.run(["bash", "-c", dump], check=True)
    return folder


def restoring(folder):
    done = script("restore", str(folder), "--dry-run")
    assert done.returncode == 1 and done.stderr.count("\n") == 1, done.stderr
    return done.stderr


def test_a_whole_backup_is_looked_at_and_a_damaged_one_refused_before_anything_changes(backup):
    assert restoring(backup).startswith("There is no site here"), "which is asked after the backup was looked at"
    for name, lacking in (("database.dump", 1), ("invitations.sqlite3", 5000)):
        whole = (backup / name).read_bytes()
        for damaged in (whole[: len(whole) // 2], whole[:-lacking], b"", b"nothing"):
            (backup / name).write_bytes(damaged)
            assert f"{name} is not a" in restoring(backup), damaged[:9]
        (backup / name).write_bytes(whole)
    with (backup / "database.dump").open("ab") as dump:  # newer programs end before a whole dump does
        dump.write(bytes(1_000_000))
    assert restoring(backup).startswith("There is no site here"), "what is behind the last table breaks no pipe"
    (backup / "log_key").write_text("root:x:0:0")
    assert "log_key is not a key of the log" in restoring(backup)
    (backup / "log_key").unlink()
    (backup / "invitations.sqlite3").unlink()
    assert restoring(backup).startswith("There is no site here"), "these two there need not be"
    (backup / "deniable.env").unlink()
    assert "has no deniable.env" in restoring(backup)


def test_the_documented_line_of_cron_makes_a_backup_of_the_day_and_removes_those_of_last_week(tmp_path):
    """The command is a dry run, with the search path that cron sets."""
    page = (ROOT / "docs/operators/install.md").read_text()
    path, command = re.search(r"^PATH=(.*)\n30 3 \* \* \* root (.*)$", page, re.MULTILINE).groups()
    for name, days in (("old", 8), ("new", 2)):
        (tmp_path / name).mkdir()
        os.utime(tmp_path / name, (time.time() - 86_400 * days,) * 2)
    here = {
        r"\%": "%",
        "/root/deniable": str(ROOT),
        "/var/backups/deniable": str(tmp_path),
        " && find": " --dry-run && find",
    }
    for written, done in here.items():
        command = command.replace(written, done)
    ran = subprocess.run(["sh", "-c", command], env={"PATH": path}, capture_output=True, text=True)
    assert ran.returncode == 0 and re.search(rf"The backup is in {tmp_path}/\d{{4}}-\d\d-\d\d:", ran.stdout), ran.stderr
    assert [each.name for each in tmp_path.iterdir()] == ["new"]
    assert shutil.which("runuser", path=path)


@pytest.mark.parametrize("name", ["database.dump", "deniable.env", "log_key", "invitations.sqlite3"])
def test_a_backup_in_which_a_file_is_a_link_is_refused(backup, tmp_path, name):
    """A backup's files become readable for the site's account, and root reads them."""
    secret = tmp_path / "secret"
    shutil.move(backup / name, secret)
    (backup / name).symlink_to(secret)
    assert f"{name} is a link" in restoring(backup)
    (backup / name).unlink()
    (backup / name).mkdir()
    assert f"{name} is not a file" in restoring(backup) or name == "deniable.env"


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ('SITE_OPERATOR="a"; id', ", line 5: must be NAME=value"),
        ("id", ", line 5: must be NAME=value"),
        ("LD_PRELOAD=/tmp/x.so", ": LD_PRELOAD must be a setting"),
        ("PATH=/tmp", ": PATH must be a setting"),
    ],
)
def test_what_is_no_setting_in_a_backup_is_refused(backup, line, rule):
    with (backup / "deniable.env").open("a") as settings:
        print(line, file=settings)
    assert f"deniable.env{rule}" in restoring(backup)


def test_where_the_sites_account_may_put_a_link_root_reads_and_writes_nothing():
    inside = [
        line.strip() for line in TEXT.splitlines() if re.search(r"\b(run|cat|mv|cp|install|chmod) .*\$DATA/", line)
    ]
    assert len(inside) == 3
    assert [line for line in inside if not re.search(r"\bas_site (cat|rm|install) ", line)] == []


def test_it_starts_every_unit():
    (started,) = re.findall("systemctl start (.*)", script("install", *HERE).stdout)
    assert {re.sub(r"@\d", "@", name) for name in started.split()} == {path.stem for path in UNITS.glob("*.service")}


def test_systemd_finds_no_fault_in_the_units(tmp_path):
    if systemd := shutil.which("systemd-analyze"):
        for path in UNITS.glob("*.service"):  # their programs are not on this machine
            (tmp_path / path.name).write_text(re.sub(rf"{BINARIES}\w+", "/bin/true", path.read_text()))
        done = subprocess.run([systemd, "verify", *tmp_path.iterdir()], capture_output=True, text=True)
        assert "deniable-" not in done.stderr, done.stderr


# Permissions that no unit has. A unit only runs as its account, writes its data and talks over sockets.
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
