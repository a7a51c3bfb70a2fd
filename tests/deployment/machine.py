"""A site's whole life from a bare Debian on: docs/deploy/install.sh, run for real.

    python -m tests.deployment.machine [--suite bookworm trixie] [--since REVISION] [--stay]

Installs the site on a machine that boots from a folder, while another process holds apt's locks for a minute. With
--since, an older version is installed first and then upgraded with its data. Sends reports over TLS and kills one
process of each unit meanwhile. Upgrades to a version with more columns, changes the key, backs up, removes everything,
restores and counts again. Gets a certificate from certbot, and another name. The next machine also takes over the
backup of the machine before. Prints each step and its output. Ends with status 1 unless every acknowledged report is
counted once. Needs root (tests/services/container.py).
"""

import argparse
import fcntl
import json
import re
import shlex
import shutil
import subprocess
import tempfile
import threading
import time
from pathlib import Path
from typing import NamedTuple
from urllib.request import Request, urlopen

from tests.deployment.people import People, Visits, answer, say, wrong_unless
from tests.deployment.versions import next_version
from tests.services.container import Machine
from tests.services.system import ROOT

SITE, STAFF = "survey.example.org", "staff.example.org"
RENAMED = "answers.example.org"
SCRIPT = "deniable/docs/deploy/install.sh"
NEXT = "next/docs/deploy/install.sh"
BACKUP = "/root/backup"
INSTALL = f"{SCRIPT} install --site {SITE} --staff {STAFF} --owner ada --certificate self-signed"
CERTIFICATE = "etc/nginx/certificate.pem"
CLUSTERS = "systemctl list-units --plain --no-legend 'postgresql@*' | cut -d' ' -f1"
AT_REST = {"postgresql": 6}  # the other processes serve connections and come and go
AUTHORITY = {  # an ACME server that asks on port 80, and its URL for certbot
    "etc/pebble/pebble.json": json.dumps(
        {
            "pebble": {
                "listenAddress": "127.0.0.1:14000",
                "managementListenAddress": "127.0.0.1:15000",
                "certificate": "/etc/pebble/certificate.pem",
                "privateKey": "/etc/pebble/key.pem",
                "httpPort": 80,
                "tlsPort": 443,
            }
        }
    ),
    "etc/letsencrypt/cli.ini": "server = https://localhost:14000/dir\nno-verify-ssl = true\n",
}
LOCKS, HELD = ("var/lib/apt/lists/lock", "var/lib/dpkg/lock-frontend"), 60  # seconds
GIVEN = {"SITE_OPERATOR": "Ministry; of $(id) & Women's #1 <a@b.org>", "INTAKE_PROCESSES": "3"}
UNITS = ("intake", "pages", "schedule", "worker@1", "worker@2", "estimates")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--suite", nargs="+", default=["bookworm", "trixie"], help="Debian's (default: both)")
    options.add_argument("--since", help="the revision to install first, such as the tag of the last release")
    options.add_argument("--stay", action="store_true", help="leave the machine running until Ctrl-C")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory(dir="/var/tmp") as kept:
        before: Backup | None = None
        for suite in chosen.suite:
            machine = Machine(suite, [SITE, STAFF, RENAMED])
            try:
                before = Life(machine, chosen.since).live(before, Path(kept) / suite)
                if chosen.stay:
                    say(f"The machine is in {machine.root}. Ctrl-C ends it.")
                    threading.Event().wait()
            finally:
                machine.stop()


class Backup(NamedTuple):
    """A site's backup, and the count it must restore."""

    folder: Path
    slug: str
    reports: int


class Life:
    """The life of a site on one machine; `since` is an older version to begin with."""

    def __init__(self, machine: Machine, since: str | None = None) -> None:
        self.machine, self.since, self.site = machine, since, SITE

    @property
    def script(self) -> str:
        return SCRIPT.replace("deniable", "since", 1) if self.since else SCRIPT

    def live(self, before: Backup | None, folder: Path) -> Backup:
        """Live through all steps, leave a backup in the folder, and take over the backup before."""
        self.install()
        if not self.since:
            self.set_up()
        self.notice_a_refused_reload()
        slug = self.open()
        with People(self.manage, slug) as people:
            if self.since:
                self.upgrade("deniable")
            self.kill_one_of_each()
            self.upgrade_to_a_later_version()
        wrong_unless(not people.refused, f"every report is acknowledged:\n{people.refused}")
        say(f"{people.acknowledged} reports acknowledged")
        self.machine.run(f"deniable survey close -- {slug}")
        self.recount(slug, people.acknowledged)
        wrong_unless(self.get("/s/", "[::1]") == 200, "who comes over IPv6 is answered")
        self.rotate_the_key()
        self.lose_everything_but_a_backup(slug, people.acknowledged)
        shutil.copytree(self.machine.root / BACKUP.lstrip("/"), folder)
        if before:
            self.take_over(before)
        self.certify()
        self.rename()
        return Backup(folder, slug, people.acknowledged)

    def install(self) -> None:
        command = INSTALL.replace("deniable", "since", 1) if self.since else INSTALL
        say(f"# {self.machine.run('. /etc/os-release; echo $PRETTY_NAME').strip()}, bare: {command}")
        self.machine.copy(ROOT, "/root/deniable")
        if self.since:
            say(f"# since is {self.since}")
            archive = subprocess.run(
                ["git", "archive", self.since], cwd=ROOT, stdout=subprocess.PIPE, check=True
            ).stdout
            self.machine.run("mkdir since")
            subprocess.run(["tar", "-x", "-C", self.machine.root / "root/since"], input=archive, check=True)
        self.hold_the_locks_of_apt()
        began = time.monotonic()
        printed = self.machine.run(command)
        say(printed)
        say(f"{time.monotonic() - began:.0f} s")
        wrong_unless("waiting for it" in printed or bool(self.since), "it waits for another apt-get, and says so")
        before = self.first_processes()
        self.machine.run(command)
        wrong_unless(self.first_processes() == before, "the same command again starts nothing again")
        self.wait_until_ok()
        wrong_unless(self.machine.says("systemctl --failed --quiet") == "", "no unit has failed")

    def hold_the_locks_of_apt(self) -> None:
        """Hold apt's locks for a minute, as a new machine's own apt-get does."""
        for lock in LOCKS:
            file = (self.machine.root / lock).open("w")
            fcntl.lockf(file, fcntl.LOCK_EX)
            threading.Timer(HELD, file.close).start()

    def set_up(self) -> None:
        """Set mail and operator without quotes, a third worker and another number of processes. Check that all units
        have these settings."""
        say("\n# Settings without quotes, a third worker, three processes of the intake")
        self.machine.run("sed -i '/^SITE_OPERATOR=/d' /etc/deniable.env")
        for name, value in GIVEN.items():
            self.machine.run(f"echo {shlex.quote(f'{name}={value}')} >>/etc/deniable.env")
        self.machine.run("systemctl enable -q --now deniable-worker@3; systemctl restart 'deniable-*'")
        self.wait_until_ok()
        for unit in ("intake", "worker@3"):
            environment = self.machine.run(
                f"tr '\\0' '\\n' </proc/{self.first(f'deniable-{unit}')}/environ"
            ).splitlines()
            wrong_unless({f"{name}={value}" for name, value in GIVEN.items()} <= set(environment), f"{unit} gets them")
        shown = (
            "shell --no-imports -c 'from django.conf import settings as s; print(s.SITE_OPERATOR, s.INTAKE_PROCESSES)'"
        )
        printed = self.machine.run(f"deniable {shown}").strip()
        wrong_unless(printed == " ".join(GIVEN.values()), f"the site's command reads the same: {printed}")
        wrong_unless(len(self.processes("deniable-intake")) >= 4, "the intake has three processes")
        self.machine.run("cp /etc/deniable.env kept; echo 'A=\"b\"c' >>/etc/deniable.env")
        refused = self.machine.says(f"{self.script} install")
        say(refused)
        wrong_unless(
            "must be NAME=value" in refused and "\n" not in refused, "what systemd reads differently is refused"
        )
        self.machine.run("mv kept /etc/deniable.env")

    def notice_a_refused_reload(self) -> None:
        """Give a zone another key under its name, and check that install.sh notices the refused reload. nginx discovers
        the mistake only after it says that it reloads."""
        script = self.script
        file = script.replace("install.sh", "nginx.conf")
        self.machine.run(
            f"cp {file} nginx.conf; sed -i 's/limit_conn_zone $client/limit_conn_zone $server_name/' {file}"
        )
        refused = self.machine.says(f"{script} install")
        self.machine.run(f"mv nginx.conf {file}; {script} install")
        if not self.since:
            say(f"# A configuration that nginx does not take:\n{refused.splitlines()[-1]}")
            wrong_unless("still uses its old configuration" in refused.splitlines()[-1], "a refused reload is noticed")
        self.wait_until_ok()

    def open(self) -> str:
        """Open an owner's survey with the README's commands. Return its slug."""
        self.machine.run("deniable survey draft surveys/public/demo/fair.json --publish-results")
        return re.findall(r"/s/#(\w{27})", self.machine.run("deniable survey open 1"))[0]

    def kill_one_of_each(self) -> None:
        say("\n# One process of each unit is killed with -9 while people answer")
        ours = [f"deniable-{unit}" for unit in UNITS]
        for unit in (*ours, "nginx", "redis-server", *self.machine.run(CLUSTERS).split()):
            self.kill_one_of(unit)
        for command in (
            "systemctl restart postgresql",
            "systemctl stop redis-server; sleep 3; systemctl start redis-server",
        ):
            with Visits(self.get) as visits:
                self.machine.run(command)
                self.wait_until_ok()
            say(f"{command}: {visits}")

    def kill_one_of(self, unit: str) -> None:
        before, victims = self.first_processes(), self.processes(unit)
        victim = victims[-1]
        with Visits(self.get) as visits:
            self.machine.run(f"kill -9 {victim}")
            least = min(len(victims), AT_REST.get(unit.partition("@")[0], len(victims)))
            seconds = self.machine.eventually(
                lambda: victim not in (now := self.processes(unit)) and len(now) >= least,
            )
            self.wait_until_ok()
        again = [name for name, pid in self.first_processes().items() if pid != before[name]]
        say(f"{unit:22} {len(victims)} processes again after {seconds:4.1f} s; {visits}")
        wrong_unless(set(again) <= {unit}, f"no other unit than {unit} was started again")

    def processes(self, unit: str) -> list[str]:
        """Return the processes of a unit, its first process first."""
        first = self.first(unit)
        children = self.machine.says(f"cat /proc/{first}/task/*/children 2>/dev/null").split()
        return [first, *sorted(children, key=int)] if first != "0" else []

    def first(self, unit: str) -> str:
        return self.machine.says(f"systemctl show --value -p MainPID {unit}")

    def first_processes(self) -> dict[str, str]:
        return {f"deniable-{unit}": self.first(f"deniable-{unit}") for unit in UNITS}

    def upgrade(self, to: str) -> None:
        command = SCRIPT.replace("deniable", to, 1) + " upgrade"
        say(f"\n# {command}, while people answer")
        worker = self.first("deniable-worker@3")
        with Visits(self.get) as visits:
            say(self.machine.run(command))
        say(str(visits))
        wrong_unless(
            bool(self.since) or self.first("deniable-worker@3") not in (worker, "0"), "a third worker is replaced too"
        )
        self.wait_until_ok()

    def upgrade_to_a_later_version(self) -> None:
        """Upgrade to a version with more columns. Check that the older version refuses the new database."""
        with tempfile.TemporaryDirectory() as folder:
            code = next_version(Path(folder))
            self.machine.run("cp -r deniable next")
            self.machine.copy(code, "/root/next")
        self.upgrade("next")
        refused = self.machine.says(f"{SCRIPT} upgrade")
        say(f"# {SCRIPT} upgrade, back to the version before:\n{refused}")
        sentence = refused.startswith("The database was made by a later version") and "\n" not in refused
        wrong_unless(sentence, "an older version refuses a newer one's database in one sentence, at once")
        refused = self.machine.says(f"{NEXT} backup later; {SCRIPT} restore later")
        wrong_unless("made by a later version" in refused.splitlines()[-1], f"and its backup:\n{refused}")
        self.wait_until_ok()

    def recount(self, slug: str, reports: int) -> None:
        counted = f"deniable recount --seconds 120 -- {slug}"
        self.machine.eventually(lambda: f": {reports} reports." in self.machine.says(counted), 180)
        say(self.machine.run(counted).strip())

    def lose_everything_but_a_backup(self, slug: str, reports: int) -> None:
        self.fail_to_back_up()
        say("\n# Backup, and everything else is lost")
        for command in (
            f"{NEXT} backup {BACKUP}",
            f"{NEXT} uninstall --with-data",
            INSTALL.replace("deniable/", "next/", 1),
            f"{NEXT} restore {BACKUP}",
        ):
            self.do(command)
        self.recount(slug, reports)
        self.wait_until_ok()

    def fail_to_back_up(self) -> None:
        say("\n# A backup with a pg_dump that is older than the server")
        old = "/opt/old/pg_dump"
        self.machine.run(f"mkdir -p /opt/old; printf '#!/bin/sh\\necho pg_dump 9.6\\n' >{old}; chmod 755 {old}")
        refused = self.machine.says(f"PATH=/opt/old:$PATH {NEXT} backup {BACKUP}")
        say(refused)
        wrong_unless("apt-get install postgresql-client-" in refused, "an older pg_dump is refused by name")
        wrong_unless(self.figure("backup_failed") == "1.0", "the site reports the failed backup")
        self.do(f"{NEXT} backup /root/whole")
        wrong_unless(self.figure("backup_failed") == "0.0", "and no longer, once one has succeeded")
        wrong_unless(self.figure("backup_days") == "0.0", "which was made today")

    def figure(self, name: str) -> str:
        token = self.machine.run("sed -n s/^METRICS_TOKEN=//p /etc/deniable.env").strip()
        headers = {"Host": self.site, "X-Forwarded-Proto": "https", "Authorization": f"Bearer {token}"}
        with urlopen(Request("http://127.0.0.1:8001/metrics", headers=headers), timeout=10) as answer:
            return re.findall(rf"^deniable_{name} (\S+)$", answer.read().decode(), re.MULTILINE)[0]

    def take_over(self, before: Backup) -> None:
        """Restore the backup of another machine with an older Debian and PostgreSQL."""
        shutil.copytree(before.folder, self.machine.root / "root/older")
        say("\n# The backup of the machine before, whose PostgreSQL is older")
        say(self.machine.run("head -c 60 older/database.dump | strings | head -3; psql --version"))
        self.do(f"{NEXT} restore older")
        self.recount(before.slug, before.reports)
        self.wait_until_ok()

    def rotate_the_key(self) -> None:
        self.do(f"{NEXT} rotate-key")
        self.wait_until_ok()

    def certify(self) -> None:
        """Get a certificate with certbot, from an authority on this machine."""
        say("\n# A certificate by certbot, from Pebble on the machine itself")
        self.machine.run("apt-get -qq -y --no-install-recommends install pebble certbot >/dev/null 2>&1")
        for name, text in AUTHORITY.items():
            file = self.machine.root / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        key = "-newkey rsa:2048 -nodes -keyout /etc/pebble/key.pem -out /etc/pebble/certificate.pem"
        self.machine.run(f"openssl req -x509 {key} -subj /CN=localhost -days 2")
        self.machine.run(
            "systemd-run -q --unit pebble --setenv=PEBBLE_VA_NOSLEEP=1 --setenv=PEBBLE_WFE_NONCEREJECT=0 "
            "pebble -config /etc/pebble/pebble.json"
        )
        self.do(f"{NEXT} install --certificate certbot")
        first = self.served()
        wrong_unless("Pebble" in first and f"DNS:{SITE}" in first, f"the authority's certificate is served: {first}")
        self.do("certbot renew --quiet --force-renewal --no-random-sleep-on-renew")
        for _ in range(60):  # nginx applies its new configuration after the reload has returned
            if self.served() != first:
                break
            time.sleep(0.5)
        wrong_unless(self.served() != first, "the renewed certificate is served")
        wrong_unless(
            self.machine.says("systemctl is-enabled certbot.timer") == "enabled", "certbot renews by its timer"
        )

    def rename(self) -> None:
        say("\n# The site gets another name, and still leads there from the one before")
        self.machine.run(f"echo ALLOWED_HOSTS=localhost,127.0.0.1,{SITE} >>/etc/deniable.env")
        self.do(f"{NEXT} install --site {RENAMED}")
        say(self.served())
        wrong_unless(self.get("/s/") == 302, "the name before leads to the new one")
        self.site = RENAMED
        wrong_unless(self.get("/s/") == 200, "the new name serves the page of respondents")
        self.wait_until_ok()

    def served(self) -> str:
        """Return the issuer, serial number and names of the served certificate."""
        ask = "openssl s_client -connect 127.0.0.1:443 </dev/null 2>/dev/null"
        return self.machine.run(f"{ask} | openssl x509 -noout -issuer -serial -ext subjectAltName").strip()

    def manage(self, command: str) -> str:
        """Return the output of a command of the site, which trusts the machine's certificate."""
        return self.machine.says(f"SSL_CERT_FILE=/{CERTIFICATE} deniable {command}")

    def do(self, command: str) -> None:
        say(f"# {command}\n{self.machine.run(command)}")

    def wait_until_ok(self) -> None:
        self.machine.eventually(lambda: self.get("/status") == 200, 120)

    def get(self, path: str, at: str = "127.0.0.1") -> int:
        """Return the status of an answer over TLS; 0 if none comes within five seconds."""
        return answer(f"https://{self.site}{path}", self.machine.root / CERTIFICATE, at)


if __name__ == "__main__":
    main()
