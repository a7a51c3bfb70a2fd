"""Images and containers without a registry, a daemon or cgroups: Buildah with chroot isolation.

A container has its own process ids and mounts, a file system that is read-only except for volumes, and no capability.
It shares this process's network. Needs root, buildah, debootstrap, unshare and nsenter.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from tests.services.compose import Service
from tests.services.container import LIKE_HERE
from tests.services.system import ROOT

KEPT = Path("/var/tmp/deniable-containers")  # images, kept for the next run
PROGRAMS = {"buildah": "buildah", "debootstrap": "debootstrap", "nsenter": "util-linux", "ip": "iproute2"}
STAND_INS = Path(__file__).parent / "stand_ins"
LISTS = ("var/lib/apt/lists", "var/cache/apt", "usr/share/doc", "usr/share/man", "usr/share/info", "usr/share/locale")
# Files that buildah adds to a container's file system before the command starts.
TARGETS = ("run/.containerenv", "etc/hosts", "etc/resolv.conf", "etc/hostname")
PIPED: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
APART = ["setpriv", "--pdeathsig", "KILL", "unshare", "--pid", "--fork", "--kill-child", "--mount-proc"]
START = """
set -e
name=$1 folder=$2 memory=$3 places=$4
shift 4
mount -t tmpfs none "$memory"
for place in $(seq "$places"); do mkdir -m 1777 "$memory/$place"; done
root=$(buildah --root "$folder/root" --runroot "$folder/run" mount "$name")
mount --bind "$root" "$root"
mount -o remount,bind,ro "$root"
exec buildah --root "$folder/root" --runroot "$folder/run" run --isolation chroot --cap-drop ALL "$@"
"""


def refuse_unsuitable() -> None:
    KEPT.mkdir(parents=True, exist_ok=True)
    missing = [package for program, package in PROGRAMS.items() if shutil.which(program) is None]
    if os.getuid() or missing:
        sys.exit(f"Containers need root, and {' '.join(missing or PROGRAMS.values())} (apt-get install).")


def buildah(*arguments: str | Path) -> str:
    """Run buildah and return its output. RuntimeError with the output if it fails."""
    storage = ("--root", KEPT / "root", "--runroot", KEPT / "run")
    done = subprocess.run(["buildah", *storage, *arguments], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"buildah {' '.join(map(str, arguments))}\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
    return done.stdout.strip()


def build(name: str, context: Path, file: Path, **arguments: str) -> None:
    """Build an image. During the build it trusts this machine's certificates, and its pip has this machine's
    settings."""
    given = [word for pair in arguments.items() for word in ("--build-arg", "=".join(pair))]
    alike = [word for path in LIKE_HERE if Path(path).exists() for word in ("--volume", f"{path}:{path}:ro")]
    buildah("bud", "--isolation", "chroot", "--layers", "--quiet", *given, *alike, "-f", file, "-t", name, context)


def bare_python(suite: str) -> str:
    """Return the name of an image of Debian's packages, as slim as the Python images. It is made once."""
    name = f"localhost/python:{suite}"
    if buildah("images", "--quiet", "--filter", f"reference={name}"):
        return name
    with tempfile.TemporaryDirectory(dir=KEPT) as folder:
        system = Path(folder, "system")
        packages = "--include=python3,python3-venv,ca-certificates"
        command = ["debootstrap", "--variant=minbase", packages, suite, system]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        for name in LISTS:
            shutil.rmtree(system / name)
            (system / name).mkdir()
        # No service may start while its package is installed into an image.
        (system / "usr/sbin/policy-rc.d").write_text("#!/bin/sh\nexit 101\n")
        (system / "usr/sbin/policy-rc.d").chmod(0o755)
        subprocess.run(["tar", "-C", system, "-cf", Path(folder, "system.tar"), "."], check=True)
        file = Path(folder, "Dockerfile")
        file.write_text("FROM scratch\nADD system.tar /\n")
        build(name, Path(folder), file)
    return name


def stand_in(name: str, python: str) -> None:
    """Build an image of Debian's packages that replaces another project's image."""
    build(f"localhost/{name}", STAND_INS, STAND_INS / name, PYTHON=python)


def site(name: str, python: str, code: Path = ROOT) -> None:
    """Build the site's image from the code in a folder."""
    build(f"localhost/{name}", code, ROOT / "docs" / "deploy" / "Dockerfile", PYTHON=python)


class Container:
    """A service of the compose file, in `image`. Its named volumes and other files are in `folder`."""

    def __init__(self, service: Service, image: str, folder: Path) -> None:
        self.service, self._folder = service, folder
        self.name = buildah("from", "--name", f"{folder.name}-{service.name}", f"localhost/{image}")
        self._root = Path(buildah("mount", self.name))
        self._memory, self._in_memory = folder / f"{service.name}-memory", [*service.tmpfs, "/dev/shm"]
        self._memory.mkdir(exist_ok=True)
        volumes = [word for volume in self._volumes() for word in ("--volume", volume)]
        self._options = ["--hostname", service.name, "--no-hosts", *volumes]
        self._entrypoint = ["sh", "/entrypoint"] if (self._root / "entrypoint").exists() else []
        for name in TARGETS:
            (self._root / name).touch()
        buildah("umount", self.name)
        self.before = self.written()
        self._process: subprocess.Popen[bytes] | None = None

    def _volumes(self) -> Iterator[str]:
        """Make the mount points of volumes and of folders in memory, as engines do. Yield the mounts."""
        yield f"{self._folder / 'hosts'}:/etc/hosts:ro"
        for source, target, *options in self.service.volumes:
            place, inside = self._folder / source, self._root / target.lstrip("/")
            if source.startswith(".") and not place.is_dir():
                inside.touch()
            elif place.exists():
                inside.mkdir(parents=True, exist_ok=True)
            else:  # a new volume gets the mount point's owner and mode
                inside.mkdir(parents=True, exist_ok=True)
                place.mkdir()
                os.chown(place, inside.stat().st_uid, inside.stat().st_gid)
                place.chmod(inside.stat().st_mode & 0o7777)
            yield ":".join([str(place), target, *options])
        for number, target in enumerate(self._in_memory, 1):
            path = target.partition(":")[0]
            (self._root / path.lstrip("/")).mkdir(parents=True, exist_ok=True)
            yield f"{self._memory / str(number)}:{path}"

    def start(self) -> None:
        values = [word for pair in self.service.environment.items() for word in ("--env", "=".join(pair))]
        user = ["--user", self.service.user] if self.service.user else []
        options = [*user, *values, *self._options, self.name, "--", *self._entrypoint, *self.service.command]
        with (self._folder / f"{self.service.name}.log").open("ab") as log:
            places = [self._memory, str(len(self._in_memory))]
            command = [*APART, "sh", "-c", START, "sh", self.name, KEPT, *places, *options]
            self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def started(self) -> bool:
        return self._process is not None

    def log(self) -> str:
        return (self._folder / f"{self.service.name}.log").read_text()

    def processes(self) -> list[int]:
        """Return the process ids of the service, the first process first."""
        return [pid for pid in _descendants(self._process.pid if self._process else 0) if _is_inside(pid)]

    def kill(self) -> None:
        """Kill the first process; the container ends with it."""
        os.kill(self.processes()[0], signal.SIGKILL)
        self.wait()

    def hang_up(self) -> None:
        """Make the first process reload its configuration."""
        os.kill(self.processes()[0], signal.SIGHUP)

    def stop(self) -> None:
        """End the container as engines do: ask the first process to end, and kill it after ten seconds."""
        with suppress(IndexError, ProcessLookupError, subprocess.TimeoutExpired):
            os.kill(self.processes()[0], signal.SIGTERM)
            self.wait(10)
        if self._process:
            self._process.kill()
            self.wait()
            self._process = None

    def wait(self, seconds: float = 60) -> None:
        """Wait until the container has ended."""
        if self._process:
            self._process.wait(seconds)

    def succeeds(self) -> bool:
        """Wait until the command has ended, and return whether it succeeded. Buildah's own status always shows a
        failure, because buildah can remove nothing from a read-only file system."""
        self.wait(300)
        return "exited with status" not in self.log()

    def execute(self, *command: str, **files: IO[bytes]) -> "subprocess.CompletedProcess[str]":
        """Run a command in the container, with its account and environment; `files` replace the pipes."""
        first = Path(f"/proc/{self.processes()[0]}")
        account = first.stat()
        values = dict(pair.split("=", 1) for pair in (first / "environ").read_text().split("\0") if "=" in pair)
        enter = ["nsenter", "--target", first.name, "--mount", "--pid", "--root", "--wd"]
        user = ["--setuid", str(account.st_uid), "--setgid", str(account.st_gid)]
        return subprocess.run([*enter, *user, "--", *command], env=values, **{**PIPED, **files})

    def answers(self, check: list[str]) -> bool:
        """Return whether an engine's health check succeeds."""
        return bool(self.processes()) and self.execute(*check).returncode == 0

    def written(self) -> set[tuple[str, int, int]]:
        """Return the files that the container wrote beside its image: name, size and time of each."""
        changes = self._root.parent / "diff"
        stats = {path: path.lstat() for path in changes.rglob("*")}
        return {(str(path.relative_to(changes)), stats[path].st_size, stats[path].st_mtime_ns) for path in stats}

    def remove(self) -> None:
        self.stop()
        buildah("rm", self.name)


def _descendants(pid: int) -> list[int]:
    """Return all descendants of a process, level by level."""
    found, level = [], [pid]
    while level := [child for parent in level for child in _children(parent)]:
        found += level
    return found


def _children(pid: int) -> list[int]:
    found: list[int] = []
    with suppress(OSError):
        for thread in Path(f"/proc/{pid}/task").iterdir():
            found += map(int, (thread / "children").read_text().split())
    return found


def _is_inside(pid: int) -> bool:
    """Return whether a process runs inside the container: its root differs from this process's root, and it is not
    buildah."""
    with suppress(OSError):
        of_buildah = Path(f"/proc/{pid}/cmdline").read_bytes().startswith(b"buildah")
        return not of_buildah and not os.path.samefile(f"/proc/{pid}/root", "/")
    return False
