"""The compose file and its image, compared with what install.sh installs.

tests/deployment/containers.py runs them."""

import ipaddress
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.deployment.test_install import heredoc, variable
from tests.services import compose
from tests.services.deployed import BINARIES, UNITS
from tests.services.system import OURS

DEPLOY = compose.FILE.parent
DOCKERFILE = (DEPLOY / "Dockerfile").read_text()
DOCUMENT = yaml.safe_load(compose.FILE.read_text())
SERVICES = DOCUMENT["services"]
OF_SITE = {name: service for name, service in SERVICES.items() if "build" in service}
REQUIRED = (
    "SITE_URL",
    "STAFF_URL",
    "SECRET_KEY",
    "POSTGRES_PASSWORD",
    *map("{}_DIGEST".format, ("PYTHON", "POSTGRES", "REDIS", "NGINX")),
)


def test_containers_run_the_same_commands_as_the_units():
    """So the tests that start the units' commands also cover the compose file."""
    units = {name: name for name in ("intake", "pages", "estimates", "schedule")} | {"worker": "worker@"}
    assert OF_SITE.keys() == units.keys() | {"migrate"}
    for service, unit in units.items():
        (started,) = re.findall(r"^ExecStart=(.*)$", (UNITS / f"deniable-{unit}.service").read_text(), re.MULTILINE)
        started = (
            started.replace(BINARIES, "")
            .replace(" --hostname %i@%%h", "")
            .replace("%%", "%")
            .replace("127.0.0.1", "0.0.0.0")
        )
        assert SERVICES[service]["command"].strip() == started


SETTINGS = (compose.ROOT / "surveys/settings.py").read_text()
READ = set(re.findall(r'(?:environment|log)\.(?!socket_path)\w+\("([A-Z_]+)"', SETTINGS))
# Variables that the containers set themselves, or that only `make serve` reads.
OF_CONTAINERS = {"DATABASE_URL", "REDIS_URL", "DATA_DIR", "INVITATIONS_DIR", "TRUSTED_PROXIES"}
OF_SERVE = {"SITE", "PAGES_SOCKET"}
NUMBERS = {
    "intake": {"INTAKE_PROCESSES": ("--workers", "2")},
    "pages": {"WEB_PROCESSES": ("--workers", "2"), "WEB_THREADS": ("--blocking-threads", "16")},
    "worker": {"WORKER_PROCESSES": ("--concurrency", "1")},
}


def test_every_setting_that_is_documented_reaches_every_unit_and_container():
    table = (compose.ROOT / "docs/operators/settings.md").read_text().partition("\n## ")[0]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    assert {name for row in rows for name in re.findall(r"`([A-Z_]+)`", row)} == READ == set(OURS)
    for unit in UNITS.glob("*.service"):
        lines = unit.read_text().splitlines()
        fixed = [
            word.partition("=")[0]
            for line in lines
            for word in line.removeprefix("Environment=").split()
            if line.startswith("Environment=")
        ]
        assert "EnvironmentFile=/etc/deniable.env" in lines and not READ & set(fixed), unit.name
    given = {name: f"given {name}" for name in (*READ, *REQUIRED)}
    for name, service in compose.services(given).items():
        if name in OF_SITE:
            reached = {setting for setting in READ if service.environment.get(setting) == given[setting]}
            assert READ - reached == OF_CONTAINERS, name


@pytest.mark.parametrize("name", NUMBERS)
def test_the_numbers_of_processes_and_threads_are_those_of_the_settings(name):
    """The command's shell inserts the numbers and ignores empty variables. Django's defaults are the same."""
    command = compose.services(dict.fromkeys(REQUIRED, "x"))[name].command
    assert command[:2] == ["/bin/sh", "-c"] and command[2].startswith("exec ")
    shown = command[2].replace("exec ", "printf '%s\\n' ", 1)

    def words(environment):
        return subprocess.run(
            ["sh", "-c", shown], env=environment, capture_output=True, text=True, check=True
        ).stdout.split()

    for setting, (option, default) in NUMBERS[name].items():
        for value, expected in (("7", "7"), ("", default), (None, default)):
            said = words({} if value is None else {setting: value})
            assert said[said.index(option) + 1] == expected, (setting, value)
        assert re.search(rf'"{setting}", (1 if _ON_SQLITE else )?{default},', SETTINGS), setting


@pytest.mark.parametrize("name", OF_SITE)
def test_the_packages_of_the_site_have_every_command(name):
    for command in re.split("&&", re.sub('^(/bin/)?sh -c "(exec )?', "", SERVICES[name]["command"]).strip('"\n')):
        program, *words = shlex.split(command)
        assert (Path(sys.prefix) / "bin" / program).exists(), program
        assert "manage.py" not in words or "COPY manage.py ./" in DOCKERFILE


def test_the_parts_of_the_program_and_the_options_are_those_of_the_script():
    copied = {words.split()[0] for words in re.findall(r"^COPY (?!--from)(.*)$", DOCKERFILE, re.MULTILINE)}
    assert copied - {"requirements.txt"} == set(variable("PARTS"))
    listed = set(re.findall(r"^!(.*)$", (compose.ROOT / ".dockerignore").read_text(), re.MULTILINE))
    assert listed == set(variable("PARTS")) | {"requirements.txt", "requirements-formats.txt"}
    started = shlex.split(SERVICES["database"]["command"])
    assert [setting.replace(" = ", "=") for setting in heredoc("POSTGRESQL")] == started[2::2]
    assert [word for line in heredoc("REDIS") for word in shlex.split(line)] == [
        word.removeprefix("--") for word in SERVICES["broker"]["command"][1:]
    ]


def test_every_image_is_named_by_a_digest_without_which_nothing_is_built_or_started():
    """The test uses no registry and invents none: the command that looks the digests up is at the top."""
    assert set(re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE)) == {"${PYTHON}"}
    assert "ARG PYTHON\n" in DOCKERFILE, "it has no default"
    needed = [service["image"] for service in SERVICES.values() if "image" in service]
    needed += [SERVICES["intake"]["build"]["args"]["PYTHON"]]
    listed = re.search(r"for image in (.*); do", compose.FILE.read_text())[1].split()
    named = [f"{image}@${{{image.partition(':')[0].upper()}_DIGEST:?see above}}" for image in listed]
    assert sorted(named) == sorted(needed)


@pytest.mark.parametrize("name", REQUIRED)
def test_without_its_names_secrets_and_digests_nothing_starts(name):
    values = dict.fromkeys(REQUIRED, "x")
    assert compose.services(values).keys() == SERVICES.keys()
    with pytest.raises(KeyError, match=name):
        compose.services({**values, name: ""})


def test_no_container_is_root_or_writes_beside_its_volumes_and_tmp():
    account = re.findall(r"^USER (.*)$", DOCKERFILE, re.MULTILINE)
    assert account == ["10001:10001"], "a number, which Kubernetes wants"
    for name, service in SERVICES.items():
        assert service.get("user", "10001") not in ("root", "0") and ("user" in service) != (name in OF_SITE)
        assert service["read_only"] and service["cap_drop"] == ["ALL"]
        assert service["security_opt"] == ["no-new-privileges:true"]
        assert service["restart"] == ("no" if name == "migrate" else "always")
        assert "/tmp" in service["tmpfs"]
        for source, _, *options in (volume.split(":") for volume in service.get("volumes", [])):
            assert source in DOCUMENT["volumes"] or options == ["ro"]


def test_the_proxy_knows_each_server_by_an_address_that_stays_and_the_site_trusts_it_alone():
    """nginx looks a name up once; an engine gives a free IP address to the container that starts next."""
    fixed = {
        name: service["networks"]["default"]["ipv4_address"]
        for name, service in SERVICES.items()
        if "networks" in service
    }
    servers = re.findall(r"server (\w+):80", (DEPLOY / "nginx.conf").read_text())
    assert fixed.keys() == {*servers, "proxy"} and len(set(fixed.values())) == 3
    assert {OF_SITE[name]["environment"]["TRUSTED_PROXIES"] for name in OF_SITE} == {fixed["proxy"]}
    (network,) = DOCUMENT["networks"]["default"]["ipam"]["config"]
    others = ipaddress.ip_network(network["ip_range"])
    for address in map(ipaddress.ip_address, fixed.values()):
        assert address in ipaddress.ip_network(network["subnet"]) and address not in others


def test_only_the_proxys_own_account_reads_the_key_of_tls():
    """The account's number is unused in the image and, as Debian numbers accounts, on the host."""
    account, group = SERVICES["proxy"]["user"].split(":")
    text = (compose.ROOT / "docs/operators/containers.md").read_text()
    assert account == group == "10002" and f"`chown {account} key.pem;\nchmod 400 key.pem`" in text
    assert f"/var/cache/nginx:uid={account},gid={group},mode=700" in SERVICES["proxy"]["tmpfs"]
    assert "`chmod 600 .env`" in text


# A stand-in for the engine: it records its arguments, and fails at the words in FAIL.
ENGINE = """#!/bin/bash
echo "$*" >>asked
case "$*" in *"$FAIL"*) echo half; exit 1 ;; esac
echo whole
"""
BACKUP = re.search(
    r"\*\*Back up\*\*.*?```\n(.*?)```", (compose.ROOT / "docs/operators/containers.md").read_text(), re.DOTALL
)[1]


def back_up(folder, fail):
    """Run the documented script. Return its exit status and its last command to the engine."""
    environment = os.environ | {"PATH": f"{folder}:{os.environ['PATH']}", "FAIL": fail}
    done = subprocess.run(["bash", "-c", BACKUP], cwd=folder, env=environment)
    return done.returncode, (folder / "asked").read_text().splitlines()[-1]


@pytest.mark.parametrize(
    "fail", ["pg_dump", "pg_restore", "cat /var/lib/deniable/log_key", "copy_invitations", "book &&"]
)
def test_a_backup_that_fails_leaves_the_last_one_and_the_site_reports_it(tmp_path, fail):
    (tmp_path / "docker").write_text(ENGINE)
    (tmp_path / "docker").chmod(0o755)
    status, last = back_up(tmp_path, fail="nothing")
    assert status == 0 and last.endswith("rm -f backup_failed && touch backup_done")
    whole = {path.name: path.read_text() for path in (tmp_path / "backup").iterdir()}
    assert whole == dict.fromkeys(("database.dump", "log_key", "book"), "whole\n")
    status, last = back_up(tmp_path, fail)
    assert status != 0 and last.endswith("touch /var/lib/deniable/backup_failed")
    assert {path.name: path.read_text() for path in (tmp_path / "backup").iterdir()} == whole
    assert {path.stat().st_mode & 0o077 for path in (tmp_path / "backup", *(tmp_path / "backup").iterdir())} == {0}


def test_the_proxy_gets_the_sites_two_names(tmp_path):
    """The test runs the compose file's own command, with other paths."""
    command = compose.services(dict.fromkeys(REQUIRED, "x"))["proxy"].command[2]
    here = command.replace("/etc/nginx/nginx.conf", str(DEPLOY / "nginx.conf")).replace(">/tmp", f">{tmp_path}")
    names = {"SITE_URL": "https://a.example.net", "STAFF_URL": "https://b.example.net"}
    subprocess.run(["sh", "-c", here.partition(" && ")[0]], env=os.environ | names, check=True)
    written = (tmp_path / "nginx.conf").read_text()
    assert "example.org" not in written and "pid /tmp/nginx.pid;" in written
    assert "server_name a.example.net b.example.net;" in written
