"""The site of docs/deploy/compose.yaml in containers: from a newly built image to an upgraded site.

    python -m tests.deployment.containers [--suite bookworm]

Builds the image of docs/deploy/Dockerfile from Debian's packages, without a registry. Runs every service of the compose
file with its command, account, environment, volumes and read-only file system. Sends reports over TLS, kills each
container once and upgrades the site to an image with more columns meanwhile. Ends with status 1 unless every
acknowledged report is counted once. Needs root (tests/services/images.py).

This program does the work of a container engine: it restarts ended containers, keeps the order and resolves names.
PostgreSQL, Redis and nginx come from Debian's packages instead of their own images.
"""

import argparse
import ctypes
import itertools
import os
import re
import secrets
import shlex
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from tests.deployment.people import People, Visits, answer, say, wrong_unless
from tests.deployment.versions import next_version
from tests.services import compose, images
from tests.services.images import Container
from tests.services.system import ROOT

SITE, STAFF = "survey.example.org", "staff.example.org"
AT_REST = 6  # processes of PostgreSQL; the other ones serve connections and come and go
COUNTING, SERVING = ("schedule", "estimates", "worker"), ("intake", "pages")
SETTINGS = {
    "SITE_URL": f"https://{SITE}",
    "STAFF_URL": f"https://{STAFF}",
    "SECRET_KEY": secrets.token_urlsafe(50),
    "METRICS_TOKEN": secrets.token_urlsafe(20),
    "ALLOWED_HOSTS": "localhost,127.0.0.1,pages",
    "POSTGRES_PASSWORD": secrets.token_urlsafe(20),
    **{f"{image}_DIGEST": "of an image that is made here" for image in ("PYTHON", "POSTGRES", "REDIS", "NGINX")},
}
PROBE = """
import sys, urllib.request
print(urllib.request.urlopen(urllib.request.Request(sys.argv[1], headers={"Host": "localhost"})).status)
"""
T = TypeVar("T")
EVERYTHING = """
import importlib, pkgutil, django
django.setup()
for room in map(importlib.import_module, ("ldp", "surveys", "worker")):
    for module in pkgutil.walk_packages(room.__path__, f"{room.__name__}."):
        if ".scripts." not in module.name:  # which are handed out
            importlib.import_module(module.name)
"""
PAGE = (ROOT / "docs/operators/containers.md").read_text()
INVITED = """
import json
draft = json.load(open("surveys/public/demo/fair.json"))
json.dump({**draft, "invitations": True}, open("/tmp/invited.json", "w"))
"""
METRICS = """
import os, urllib.request
bearer = {"Authorization": "Bearer " + os.environ["METRICS_TOKEN"]}
print(urllib.request.urlopen(urllib.request.Request("http://pages:8001/metrics", headers=bearer)).read().decode())
"""
NEW_NETWORK = 0x40000000  # CLONE_NEWNET


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--suite", default="bookworm", help="Debian's, for the image (default: bookworm)")
    suite = options.parse_args().suite
    images.refuse_unsuitable()
    with tempfile.TemporaryDirectory(prefix="site-", dir=images.KEPT) as folder:
        build(suite, Path(folder))
        weigh()
        apart()
        site = Site(Path(folder))
        try:
            live(site)
        finally:
            site.stop()


def build(suite: str, folder: Path) -> None:
    python = timed(f"Debian {suite} with its Python", lambda: images.bare_python(suite))
    for name in ("database", "broker", "proxy"):
        timed(f"The stand-in of {name}", lambda name=name: images.stand_in(name, python))
    timed("The image of docs/deploy/Dockerfile", lambda: images.site("site", python))
    (folder / "code").mkdir()
    code = next_version(folder / "code")
    for name in (".dockerignore", "requirements.txt", "requirements-formats.txt"):
        (code / name).write_bytes((ROOT / name).read_bytes())
    timed("The image of the next version", lambda: images.site("next", python, code))


def timed(what: str, make: Callable[[], T]) -> T:
    began = time.monotonic()
    made = make()
    say(f"{what}: {time.monotonic() - began:.0f} s")
    return made


def weigh() -> None:
    """Print the size of the image and of its parts."""
    name = images.buildah("from", "localhost/site")
    root = images.buildah("mount", name)
    inside = "srv/packages/lib/python3*/site-packages"
    sizes = f"cd {root} && du -sm . && du -sm srv/packages && du -sm srv/deniable && cd {inside} && du -sm *"
    listed = subprocess.run(["sh", "-c", sizes], capture_output=True, text=True, check=True).stdout.splitlines()
    images.buildah("rm", name)
    whole, packages, code, *parts = [(int(size), path) for size, path in (line.split("\t") for line in listed)]
    parts.sort(reverse=True)
    say(f"\n# The image: {whole[0]} MB, of which packages {packages[0]}, the site {code[0]}, the rest is Debian")
    say(", ".join(f"{path} {size}" for size, path in parts[:12]))


def apart() -> None:
    """Leave this machine's network for a network with loopback only. Nothing else uses its ports."""
    if ctypes.CDLL(None, use_errno=True).unshare(NEW_NETWORK):
        raise OSError(ctypes.get_errno(), "unshare")
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)


class Site:
    """The services of the site; `folder` has their volumes and files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.services = compose.services(SETTINGS)
        self.containers: dict[str, Container] = {}
        self._add_operator()
        self._files()
        self._kernel()
        for name in self.services:
            self.add(name, "site")

    def _add_operator(self) -> None:
        """Add a service for an operator's commands and for respondents. It trusts the site's certificate."""
        pages, trusted = self.services["pages"], "/etc/certificate.pem"
        self.services["operator"] = pages._replace(
            name="operator",
            command=["sleep", "infinity"],
            environment={**pages.environment, "SSL_CERT_FILE": trusted},
            volumes=[*pages.volumes, ["./certificate.pem", trusted, "ro"]],
        )

    def _files(self) -> None:
        """Write the files beside compose.yaml, and the names of the services."""
        names = " ".join([SITE, STAFF, *self.services])
        (self.folder / "hosts").write_text(f"127.0.0.1 localhost {names}\n::1 localhost\n")
        (self.folder / "nginx.conf").write_bytes(compose.FILE.with_name("nginx.conf").read_bytes())
        (self.folder / "challenges/.well-known/acme-challenge").mkdir(parents=True)
        certify(self.folder / "key.pem", self.certificate)
        key, account = self.folder / "key.pem", int(self.services["proxy"].user.partition(":")[0])
        os.chown(key, account, -1)
        key.chmod(0o400)

    def _kernel(self) -> None:
        for service in self.services.values():
            for name, value in service.sysctls.items():
                Path("/proc/sys", *name.split(".")).write_text(value)

    @property
    def certificate(self) -> Path:
        return self.folder / "certificate.pem"

    def add(self, name: str, image: str) -> None:
        """Make a container and remove the earlier one."""
        service = self.services[name]
        if before := self.containers.pop(name, None):
            before.remove()
        self.containers[name] = Container(service, name if service.image else image, self.folder)

    def up(self, name: str) -> None:
        """Start a service after the services it needs, unless it is running."""
        if self.containers[name].started:
            return
        for need, condition in self.services[name].dependencies.items():
            self.up(need)
            self.wait_for(need, condition)
        self.containers[name].start()

    def wait_for(self, name: str, condition: str) -> None:
        container, check = self.containers[name], self.services[name].healthcheck
        if condition == "service_healthy":
            eventually(lambda: not container.alive() or container.answers(check))
            wrong_unless(container.alive(), f"{name} starts:\n{container.log()[-3000:]}")
        if condition == "service_completed_successfully":
            wrong_unless(container.succeeds(), f"{name} succeeds:\n{container.log()[-3000:]}")

    def wait_until_ok(self) -> None:
        """Wait until the intake refuses a wrong request and the pages say that everything works."""
        eventually(lambda: self.get("/api/v1/surveys/unknown/reports") == 405 and self.get("/status") == 200)

    def get(self, path: str) -> int:
        return answer(f"https://{SITE}{path}", self.certificate)

    def manage(self, command: str) -> str:
        """Return the output of a command of the site."""
        done = self.containers["operator"].execute("python", "manage.py", *shlex.split(command))
        return (done.stdout + done.stderr).strip()

    def stop(self) -> None:
        for container in self.containers.values():
            container.remove()


def certify(key: Path, certificate: Path) -> None:
    """Make a certificate for both names."""
    make = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    names = f"subjectAltName=DNS:{SITE},DNS:{STAFF}"
    files = ["-keyout", key, "-out", certificate]
    subprocess.run([*make, "-subj", f"/CN={SITE}", "-addext", names, *files], check=True, capture_output=True)


def live(site: Site) -> None:
    say("\n# Every service of compose.yaml")
    began = time.monotonic()
    for name in site.services:
        site.up(name)
    site.wait_until_ok()
    say(f"/status says ok after {time.monotonic() - began:.0f} s")
    look_at_each(site)
    probe(site)
    say(site.manage("owner ada").partition(" Password")[0])
    say(site.manage("survey draft surveys/public/demo/fair.json --publish-results"))
    slug = re.findall(r"/s/#(\w{27})", site.manage("survey open 1"))[0]
    with People(site.manage, slug) as people:
        kill_each(site)
        upgrade(site)
    wrong_unless(not people.refused, f"every report is acknowledged:\n{people.refused}")
    say(f"\n{people.acknowledged} reports acknowledged")
    site.manage(f"survey close -- {slug}")
    eventually(lambda: f": {people.acknowledged} reports." in site.manage(f"recount --seconds 120 -- {slug}"), 600)
    say(f"A recount by the upgraded site counts {people.acknowledged} reports.")
    eventually(lambda: site.get(f"/r/{slug}/") == 200)
    use(site)
    renew(site)
    printed = back_up_and_restore(site, slug)
    wrong_unless(f": {people.acknowledged} reports." in printed, f"the restored site counts them again: {printed}")
    site.wait_until_ok()
    look_at_each(site)


def look_at_each(site: Site) -> None:
    """Check that no process is root, and that no file outside the volumes was or can be written."""
    for name, container in site.containers.items():
        wrong_unless(container.written() == container.before, f"{name} has written its data alone")
        if name == "migrate":
            continue
        accounts = {Path(f"/proc/{pid}").stat().st_uid for pid in container.processes()}
        wrong_unless(accounts and 0 not in accounts, f"{name} runs as no root: {accounts}")
        refused = container.execute("sh", "-c", "touch /srv/x /usr/x /x").stderr
        wrong_unless(refused.count("Read-only file system") == 3, f"{name} is read-only: {refused}")
        say(f"{name:10} {len(container.processes())} processes of account {accounts}, read-only")


def probe(site: Site) -> None:
    """Request the probes that docs/operators/containers.md names."""
    for path in ("alive", "healthz"):
        done = site.containers["operator"].execute("python", "-c", PROBE, f"http://pages:8001/{path}")
        wrong_unless(done.stdout.strip() == "200", f"/{path} answers a probe:\n{done.stderr}")


def use(site: Site) -> None:
    """Check that the packages have every import of the site, and that Prometheus can read the figures."""
    imported = site.containers["operator"].execute("python", "-c", EVERYTHING)
    wrong_unless(imported.returncode == 0, f"every module can be imported:\n{imported.stderr}")
    figures = site.containers["operator"].execute("python", "-c", METRICS)
    wrong_unless("deniable_database 1.0" in figures.stdout, f"Prometheus can read the figures:\n{figures.stderr}")


def renew(site: Site) -> None:
    """Renew the certificate as the hook in containers.md does."""
    say("\n# A challenge of certbot, and another certificate")
    (site.folder / "challenges/.well-known/acme-challenge/proof").write_text("proof")
    shown = ["curl", "-s", "--resolve", f"{SITE}:80:127.0.0.1", f"http://{SITE}/.well-known/acme-challenge/proof"]
    said = subprocess.run(shown, capture_output=True, text=True).stdout
    wrong_unless(said == "proof", f"nginx shows certbot's challenge: {said}")
    certify(site.folder / "privkey.pem", site.folder / "fullchain.pem")
    for line in block("Certificate", skip=2)[:1]:
        subprocess.run(
            ["sh", "-c", line], cwd=site.folder, env=os.environ | {"RENEWED_LINEAGE": str(site.folder)}, check=True
        )
    wrong_unless(site.get("/s/") == 0, "nginx still has the certificate before")
    site.containers["proxy"].hang_up()
    eventually(lambda: site.get("/s/") == 200)


def block(title: str, skip: int = 0) -> list[str]:
    """Return the command lines under a title in containers.md, without comments and without the first `skip` lines."""
    (lines,) = re.findall(rf"\*\*{title}\b.*?```\n(.*?)```", PAGE, re.DOTALL)
    return [re.sub("  +# .*", "", line) for line in lines.splitlines()[skip:]]


def back_up_and_restore(site: Site, slug: str) -> str:
    """Back up and restore with the lines of containers.md, with a survey by invitation. Return the output of the last
    line."""
    say("\n# Backup and restore")
    site.containers["operator"].execute("python", "-c", INVITED)
    (draft,) = re.findall(r"Draft (\d+)", site.manage("survey draft /tmp/invited.json"))
    (invited,) = re.findall(r"/s/#(\w{27})", site.manage(f"survey open {draft}"))
    tokens = site.manage(f"survey invite --count 60 -- {invited}")
    wrong_unless(len(re.findall(invited, tokens)) >= 60, f"sixty people are invited: {tokens}")
    for line in [*block("Back up", skip=1), *block("Restore")]:
        say(line)
        if line.startswith("docker compose"):
            printed = obey(site, line.replace("SLUG", f"--seconds 120 -- {slug}"))
        else:
            subprocess.run(["sh", "-c", line], cwd=site.folder, check=True)
    checked = site.containers["pages"].execute("python", "manage.py", "check", "--database", "default")
    wrong_unless(checked.returncode == 0, f"the book of invitations fits the database: {checked.stderr}")
    return printed


def obey(site: Site, line: str) -> str:
    """Do the engine's work for this command. The operator's container replaces a new container of the pages."""
    verb, rest, sign, file = re.fullmatch(r"docker compose (\w+)(.*?)(?: ([<>])(\w\S*))?", line).groups()
    name, *command = [*itertools.dropwhile(lambda word: word.startswith("-"), shlex.split(rest)), ""]
    if verb == "stop":
        for each in set(site.containers) - {"operator"}:
            site.containers[each].stop()
    elif verb == "up":
        for each in [name] if name else site.services:
            site.up(each)
            site.wait_for(each, "service_healthy" if site.services[each].healthcheck else "")
    else:
        container = site.containers["operator" if name == "pages" else name]
        with (site.folder / (file or "nothing")).open("rb" if sign == "<" else "wb") as other:
            files = {"<": {"stdin": other}, ">": {"stdout": other}}.get(sign, {})
            done = container.execute(*command[:-1], **files)
        wrong_unless(done.returncode == 0, f"{line} succeeds:\n{done.stdout}{done.stderr}")
        return f"{done.stdout}{done.stderr}"
    return ""


def kill_each(site: Site) -> None:
    say("\n# Each container is killed with -9 and started again, while people answer")
    for name, container in site.containers.items():
        if name not in ("migrate", "operator"):
            least = min(len(container.processes()), AT_REST)
            with Visits(site.get) as visits:
                began = time.monotonic()
                container.kill()
                container.start()
                eventually(lambda container=container, least=least: len(container.processes()) >= least)
                site.wait_until_ok()
                seconds = time.monotonic() - began
            say(f"{name:10} works again after {seconds:4.1f} s; {visits}")


def upgrade(site: Site) -> None:
    """Upgrade as docs/operators/containers.md says."""
    say("\n# An image with more columns takes the place of this one while people answer")
    with Visits(site.get) as visits:
        for name in COUNTING:
            site.containers[name].stop()
        for name in ("migrate", *SERVING, *COUNTING):
            site.add(name, "next")
            site.up(name)
            if name == "migrate":
                site.wait_for(name, "service_completed_successfully")
        site.wait_until_ok()
    say(f"{visits}")
    done = site.containers["pages"].execute("python", "-c", "import surveys; print(surveys.__version__)")
    wrong_unless(done.stdout.strip() == "99.0.0", f"the pages are of the next version: {done}")


def eventually(condition: Callable[[], object], seconds: float = 120) -> None:
    until = time.monotonic() + seconds
    while not condition():
        wrong_unless(time.monotonic() < until, f"within {seconds:.0f} s: {condition}")
        time.sleep(0.1)


if __name__ == "__main__":
    main()
