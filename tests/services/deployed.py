"""Production as docs/deploy says: the very commands of the systemd units, and nginx with its configuration before them.

No container engine and no systemd is needed: the units' commands run as processes of the test.
"""

import os
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


class DeployedSystem(ProductionSystem):
    """`url` is nginx's, with TLS and a `certificate` that this process and the system's own trust. Behind it are
    intake and pages at `ports` and, during an upgrade, others at `_next_ports`."""

    pair = "deployed"

    def __init__(self, postgres: Postgres, **settings: str) -> None:
        self._ports, self._next_ports = _ports(), _ports()
        self._proxy_data = Path(tempfile.mkdtemp(prefix="deniable-nginx-"))
        super().__init__(postgres, TRUSTED_PROXIES="127.0.0.1", **settings)

    def address(self) -> str:
        self.nginx = Nginx(self._proxy_data, *zip(self._ports.values(), self._next_ports.values(), strict=True))
        self._trusted = os.environ.get(TRUSTED)
        os.environ[TRUSTED] = str(self.certificate)  # until the end, this process trusts nobody else
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
        """What the part's unit starts, at this system's port and with its data. What it asks for before is done."""
        lines = (UNITS / f"deniable-{UNIT_OF[part]}.service").read_text().splitlines()
        unit = dict(line.split("=", 1) for line in lines if "=" in line)
        if "ExecStartPre" in unit:
            subprocess.run(self._here(unit["ExecStartPre"]), cwd=self.code, env=self.env, check=True)
        return self._here(unit["ExecStart"])

    def extra(self, part: str) -> dict[str, str]:
        return {}  # nginx routes

    def start(self, part: str) -> None:
        super().start(part)
        if part in self._ports:  # nginx would also be content with the other one
            self.eventually(lambda: self._listens(self._ports[part]), f"{part} listens")

    def upgrade(self, code: Path, migrated: Callable[[], object]) -> None:
        """As docs/operations.md says: schedule and workers end, the migrations run, new intake and pages start beside
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
        name = words[0].removeprefix(BINARIES)
        return [sys.executable, *words[1:]] if name == "python" else [sys.executable, "-m", name, *words[1:]]

    def _listens(self, port: int) -> bool:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 5):
            return True
        return False


def _ports() -> dict[str, int]:
    return {"intake": free_port(), "pages": free_port()}
