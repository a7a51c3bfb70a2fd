"""A real nginx with the configuration of docs/deploy, in front of a test's servers."""

import os
import shutil
import ssl
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path

from surveys.operation.embedded import tether
from tests.services.redis import free_port

CONFIGURATION = Path(__file__).parents[2] / "docs" / "deploy" / "nginx.conf"
UNPACKED = Path(sys.prefix) / "debian"  # Debian's package is only unpacked: installed, it would serve on port 80
PATIENCE = 30
V6 = Path("/proc/net/if_inet6").exists()


def binary() -> str | None:
    """Return the path of an nginx, or None."""
    places = [os.environ.get("PATH", os.defpath), "/usr/sbin", str(UNPACKED / "usr" / "sbin")]
    return shutil.which("nginx", path=os.pathsep.join(places))


class Nginx:
    """An nginx on loopback, with TLS at `port` and without TLS at `plain_port`. `certificate` is its certificate."""

    def __init__(self, directory: Path, intakes: Iterable[int], pages: Iterable[int]) -> None:
        self.port, self.plain_port = free_port(), free_port()
        self.certificate = directory / "certificate.pem"
        key = directory / "key.pem"
        certify(self.certificate, key)
        here = {
            "/var/log/nginx": directory,
            "/run/nginx.pid": directory / "nginx.pid",
            "/etc/nginx/certificate.pem": self.certificate,
            "/etc/nginx/key.pem": key,
            "listen 80;": f"listen 127.0.0.1:{self.plain_port};",
            "listen 443 ": f"listen 127.0.0.1:{self.port} ",
            "listen [::]:80;": f"listen [::1]:{self.plain_port};" if V6 else "",
            "listen [::]:443 ssl http2;": f"listen [::1]:{self.port} ssl http2;" if V6 else "",
            "server intake:8000 fail_timeout=1s;": " ".join(
                f"server 127.0.0.1:{port} fail_timeout=1s;" for port in intakes
            ),
            "server pages:8001 fail_timeout=1s;": " ".join(
                f"server 127.0.0.1:{port} fail_timeout=1s;" for port in pages
            ),
            "survey.example.org": "localhost",
            "staff.example.org": "staff.localhost",
        }
        configuration = CONFIGURATION.read_text()
        for there, ours in here.items():
            assert there in configuration, f"{CONFIGURATION.name} has no {there}"
            configuration = configuration.replace(there, str(ours))
        self._log = directory / "nginx.log"
        self._process = start(directory, configuration, self._log)
        self._wait()

    def stop(self) -> None:
        tether.end(self._process)

    def _wait(self) -> None:
        deadline = time.monotonic() + PATIENCE
        while self._process.poll() is None and time.monotonic() < deadline:
            try:
                ssl.get_server_certificate(("127.0.0.1", self.port), timeout=5)
                return
            except OSError:
                time.sleep(0.05)
        raise RuntimeError(f"nginx does not start:\n{self._log.read_text()}")


def start(directory: Path, configuration: str, log: Path) -> "subprocess.Popen[bytes]":
    """Start an nginx with this configuration. Its files stay in the directory."""
    file = directory / "nginx.conf"
    kept = " ".join(f"{part}_temp_path {directory / part};" for part in _TEMPORARY)
    file.write_text(configuration.replace("http {", f"http {{ {kept}", 1))
    user = ["-g", "daemon off; user root;" if os.getuid() == 0 else "daemon off;"]
    return tether.start([str(binary()), "-p", str(directory), "-e", str(log), "-c", str(file), *user], log=log)


_TEMPORARY = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")


def certify(certificate: Path, key: Path) -> None:
    """Make a certificate of this machine and its key."""
    make = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    name = ["-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    subprocess.run([*make, *name, "-out", certificate, "-keyout", key], check=True, capture_output=True)
