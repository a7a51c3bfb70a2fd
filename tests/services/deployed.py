"""Production as docs/deploy says: the very commands of the systemd units, and nginx with its configuration before them.

No container engine and no systemd is needed: the units' commands run as processes of the test.
"""

import os
import re
import shlex
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from surveys.operation.embedded import tether
from tests.services.nginx import Nginx
from tests.services.postgres import Postgres
from tests.services.redis import free_port
from tests.services.system import ROOT, ProductionSystem

UNITS = ROOT / "docs" / "deploy" / "systemd"
UNIT_OF = {part: part for part in ("intake", "pages", "estimates")} | {"worker": "worker@", "beat": "schedule"}
TRUSTED = "SSL_CERT_FILE"
BINARIES = "/srv/deniable/.venv/bin/"


def _read_trust_again() -> None:
    """From Python 3.13 on urllib reads once whom it trusts, at its first request."""
    urllib.request.install_opener(urllib.request.build_opener())


def unit_of(name: str) -> dict[str, str]:
    """The settings of a unit, by their names."""
    lines = (UNITS / f"deniable-{name}.service").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if "=" in line and not line.startswith("#"))


class DeployedSystem(ProductionSystem):
    """`url` is nginx's, with TLS and a `certificate` that this process and the system's own trust. Behind it are
    intake and pages at `ports` and, during an upgrade, others at `_next_ports`."""

    pair = "deployed"

    def __init__(self, postgres: Postgres, **settings: str) -> None:
        self._ports, self._next_ports = _ports(), _ports()
        self._active: set[tuple[str, Path]] = set()
        self._proxy_data = Path(tempfile.mkdtemp(prefix="deniable-nginx-"))
        super().__init__(postgres, TRUSTED_PROXIES="127.0.0.1", STAFF_URL="https://staff.localhost", **settings)

    def address(self) -> str:
        self.nginx = Nginx(self._proxy_data, *zip(self._ports.values(), self._next_ports.values(), strict=True))
        self._trusted = os.environ.get(TRUSTED)
        os.environ[TRUSTED] = str(self.certificate)  # until the end, this process trusts no other certificate
        _read_trust_again()
        return f"https://localhost:{self.nginx.port}"

    @property
    def certificate(self) -> Path:
        return self.nginx.certificate

    @property
    def connect_port(self) -> int:
        return self.nginx.port

    def connect(self, source: str = "") -> socket.socket:
        plain = socket.create_connection(("127.0.0.1", self.connect_port), 30, (source, 0) if source else None)
        return ssl.create_default_context().wrap_socket(plain, server_hostname="localhost")

    def command(self, part: str) -> list[str]:
        """What the part's unit starts, at this system's port and with its data. The unit that it requires has run."""
        unit = unit_of(UNIT_OF[part])
        for required in unit.get("Requires", "").split():
            self._run_once(required.removeprefix("deniable-").removesuffix(".service"))
        return self._here(unit["ExecStart"])

    def _run_once(self, name: str) -> None:
        """A unit that has run stays active, also when another unit requires it; that of another version is another."""
        if (name, self.code) not in self._active:
            (command,) = re.findall("until (.*); do sleep 5; done", unit_of(name)["ExecStart"])
            subprocess.run(self._here(command), cwd=self.code, env=self.env, check=True)
            self._active.add((name, self.code))

    def processes(self, part: str) -> list[int]:
        """Those in which a part's server does its work: its children, but for one that only watches the others."""
        (server,) = _children(self._processes[part].pid)
        return [pid for pid in _children(server) if b"tracker" not in Path(f"/proc/{pid}/cmdline").read_bytes()]

    def extra(self, part: str) -> dict[str, str]:
        return {}  # nginx routes

    def start(self, part: str) -> None:
        super().start(part)
        if part in self._ports:  # nginx would also be content with the other one
            self.eventually(lambda: self._listens(self._ports[part]), f"{part} listens")

    def upgrade(self, code: Path, migrated: Callable[[], object]) -> None:
        """As runbook.md says: schedule and workers end, the migrations run, new intake and pages start beside
        the old ones and take their places, and schedule and workers start again."""
        for part in ("beat", "worker", "estimates"):
            tether.end(self._processes.pop(part))
        self.code = code
        self.manage("migrate", "--no-input")
        migrated()
        self._ports, self._next_ports = self._next_ports, self._ports
        for part in ("pages", "intake"):
            old = self._processes.pop(part)
            self.start(part)
            tether.end(old)
        for part in ("worker", "estimates", "beat"):
            self.start(part)

    def stop(self) -> None:
        super().stop()
        del os.environ[TRUSTED]
        if self._trusted is not None:
            os.environ[TRUSTED] = self._trusted
        _read_trust_again()
        self.nginx.stop()
        shutil.rmtree(self._proxy_data)

    def _here(self, command: str) -> list[str]:
        ours = {
            "8000": str(self._ports["intake"]),
            "8001": str(self._ports["pages"]),
            "%i@%%h": "first@%h",
            "/var/lib/deniable/schedule": str(self.data / "schedule"),
        }
        words = [ours.get(word, word) for word in shlex.split(command)]
        if words[:2] == ["/bin/sh", "-c"]:  # which replaces $NAME alone
            return ["/bin/sh", "-c", f"exec {' '.join(self._here(words[2].removeprefix('exec '))).replace('$$', '$')}"]
        name = words[0].removeprefix(BINARIES)
        return [sys.executable, *words[1:]] if name == "python" else [sys.executable, "-m", name, *words[1:]]

    def _listens(self, port: int) -> bool:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 5):
            return True
        return False


def _children(pid: int) -> list[int]:
    return list(map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()))


def _ports() -> dict[str, int]:
    return {"intake": free_port(), "pages": free_port()}
