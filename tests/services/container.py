"""A bare Debian with its own systemd, booted from a folder: an operator's machine before anything is installed.

Needs root, systemd-nspawn and debootstrap. The machine shares this machine's network, so a site's ports must be free
here. It trusts the certificates that this machine trusts, and its pip has this machine's settings.
"""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

BASES = Path("/var/tmp/deniable-machines")  # a bare system of each suite; each machine gets a copy
PORTS = (80, 443, 5432, 6379, 8000, 8001)
PROGRAMS = {"systemd-nspawn": "systemd-container", "debootstrap": "debootstrap", "nsenter": "util-linux"}
LIKE_HERE = ("/etc/pip.conf", "/etc/ssl/certs/ca-certificates.crt")
CLEAN = {"HOME": "/root", "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8"}
BOOT_SECONDS = 60.0


class Machine:
    """A machine; `root` is its file system as seen from here."""

    def __init__(self, suite: str, names: Iterable[str] = ()) -> None:
        _refuse_unsuitable()
        self.suite = suite
        self.root = Path(tempfile.mkdtemp(prefix=f"{suite}-machine-", dir=BASES))
        subprocess.run(["cp", "-a", "--reflink=auto", f"{_base(suite)}/.", self.root], check=True)
        self.root.chmod(0o755)
        (self.root / "etc/hosts").write_text(f"127.0.0.1 localhost {' '.join(names)}\n")
        self._boot()

    def _boot(self) -> None:
        silent = subprocess.DEVNULL
        apart = ["--register=no", "--keep-unit", "--console=pipe", "--resolv-conf=copy-host", "--quiet"]
        command = ["systemd-nspawn", "--boot", "-D", str(self.root), *apart, *self._downloads()]
        modern = {"SYSTEMD_NSPAWN_UNIFIED_HIERARCHY": "1"}  # newer versions of systemd require it
        self._process = subprocess.Popen(command, stdin=silent, stdout=silent, stderr=silent, env=os.environ | modern)
        self.eventually(lambda: self.says("systemctl is-system-running") in ("running", "degraded"), BOOT_SECONDS)

    def _downloads(self) -> Iterator[str]:
        """Yield options that share downloads, so that the next machine does not repeat them."""
        for path in ("/root/.cache/pip", "/var/cache/apt/archives"):
            kept = BASES / f"{self.suite}-downloads" / Path(path).name
            kept.mkdir(parents=True, exist_ok=True)
            yield f"--bind={kept}:{path}"

    def run(self, command: str) -> str:
        """Run a shell command as root and return its output. RuntimeError with all output if it fails."""
        done = self._enter(command)
        if done.returncode:
            raise RuntimeError(f"{command}\n{done.stdout}{done.stderr}")
        return done.stdout

    def says(self, command: str) -> str:
        """Return a command's output, even if the command fails."""
        done = self._enter(command)
        return (done.stdout + done.stderr).strip()

    def start(self, command: str) -> "subprocess.Popen[str]":
        piped = subprocess.PIPE
        return subprocess.Popen(self._inside(command), stdout=piped, stderr=subprocess.STDOUT, text=True)

    def copy(self, files: Path, to: str) -> None:
        """Copy a folder's files, except the files that Git ignores."""
        listed = subprocess.run(
            ["git", "ls-files", "-co", "--exclude-standard"], cwd=files, capture_output=True, text=True
        )
        for name in listed.stdout.split() or [str(p.relative_to(files)) for p in files.rglob("*")]:
            if (files / name).is_file() and not (files / name).is_symlink():
                target = self.root / to.lstrip("/") / name
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(files / name, target)

    def eventually(self, condition: Callable[[], object], seconds: float = 60.0) -> float:
        """Wait until the condition is true, and return the seconds it took."""
        began = time.monotonic()
        while not condition():
            if time.monotonic() - began > seconds:
                raise AssertionError(f"Not within {seconds:.0f} s: {condition}")
            time.sleep(0.05)
        return time.monotonic() - began

    def stop(self) -> None:
        with suppress(subprocess.TimeoutExpired):
            self._enter("systemctl poweroff")
            self._process.wait(30)
        self._process.kill()
        self._process.wait()
        subprocess.run(["rm", "-rf", self.root], check=True)

    def _enter(self, command: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(self._inside(command), capture_output=True, text=True)

    def _inside(self, command: str) -> list[str]:
        clean = ["env", "-i", *(f"{name}={value}" for name, value in CLEAN.items())]
        return ["nsenter", "--all", "--target", str(self._leader()), "--", *clean, "bash", "-c", f"cd /root; {command}"]

    def _leader(self) -> int:
        """Return the process id of the machine's first process."""
        children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children").read_text().split()
        return int(children[0]) if children else self._process.pid


def _base(suite: str) -> Path:
    """Return the suite's bare system; debootstrap makes it once."""
    base = BASES / suite
    if not (base / "complete").exists():
        shutil.rmtree(base, ignore_errors=True)
        packages = "--include=systemd,systemd-sysv,dbus,ca-certificates"
        print(f"Making a bare {suite} in {base}", flush=True)
        subprocess.run(
            ["debootstrap", "--variant=minbase", packages, suite, base], check=True, stdout=subprocess.DEVNULL
        )
        (base / "complete").touch()
    for path in filter(os.path.exists, LIKE_HERE):
        shutil.copy(path, base / path.lstrip("/"))
    return base


def _refuse_unsuitable() -> None:
    BASES.mkdir(parents=True, exist_ok=True)
    missing = [package for program, package in PROGRAMS.items() if shutil.which(program) is None]
    if os.getuid() or missing:
        sys.exit(f"Booting a machine needs root, and {' '.join(missing or PROGRAMS.values())} (apt-get install).")
    if busy := [str(port) for port in PORTS if _answers(port)]:
        sys.exit(f"The machine shares this one's network, and something listens here already at {', '.join(busy)}.")


def _answers(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
        return True
    return False
