"""The programs that the tests need beside Python packages: browsers, libatomic for Playwright's node, R, nginx,
PgBouncer, gettext, curl, wrk, a C compiler. Chromium without windows is optional and makes the tests quicker.

`python -m tests.services.machine` installs the missing programs with apt-get if it may, and otherwise says what to do.
nginx and PgBouncer are only unpacked beside the Python packages: an installed service would start.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from types import ModuleType

from tests.services import apt, nginx, pgbouncer
from tests.services.chromium import WITHOUT_WINDOWS, chromium, node
from tests.services.firefox import firefox
from tests.services.webkit import DRIVER, SCREEN

PROGRAMS = {  # program: Debian's packages
    "Rscript": "r-base-core",  # for the script that is downloaded with microdata
    DRIVER: "webkit2gtk-driver",
    SCREEN: "xvfb",
    "cc": "gcc libc6-dev",  # for a clock that jumps (clock.c)
    "curl": "curl",  # for the commands of the API's page
    "xgettext": "gettext",  # for the catalogs of translated texts
    "wrk": "wrk",  # for the load of benchmarks
}

ADVICE = "The tests need {name}. Install it, or on Debian run the tests once as root."


def missing() -> list[str]:
    """Return Debian's names of the packages that this machine lacks."""
    packages = [] if chromium() else ["chromium"]
    if firefox() is None:
        packages.append("firefox-esr")
    lacking = [names for program, names in PROGRAMS.items() if shutil.which(program) is None]
    packages += " ".join(lacking).split()
    if subprocess.run([node(), "--version"], capture_output=True).returncode:
        packages.append("libatomic1")
    return packages


def main() -> None:
    try:
        install(missing())
    except apt.AptFailed as failed:
        sys.exit(str(failed))
    hurry()
    for server, flag in ((nginx, "-v"), (pgbouncer, "--version")):
        if not _runs(server, flag):
            unpack(server.__name__.rpartition(".")[2], server.UNPACKED)
            if not _runs(server, flag):
                sys.exit(ADVICE.format(name=server.__name__.rpartition(".")[2]))


def install(packages: list[str]) -> None:
    if not packages:
        return
    command = ["apt-get", "install", "-y", "--no-install-recommends", *packages]
    if os.getuid() != 0 or shutil.which("apt-get") is None:
        sys.exit(f"The tests need {' and '.join(packages)}. On Debian, as root: {' '.join(command)}")
    print(f"Installing {' and '.join(packages)}", flush=True)
    apt.run("update")
    apt.run(*command[1:])
    if missing():
        sys.exit(f"apt-get installed {' and '.join(packages)}, but they still cannot be run.")


def hurry() -> None:
    """Install the optional program that makes the tests quicker, if possible."""
    if shutil.which(WITHOUT_WINDOWS) or os.getuid() != 0 or shutil.which("apt-get") is None:
        return
    print(f"Installing {WITHOUT_WINDOWS}", flush=True)
    try:
        apt.run("update")
        apt.run("install", "-y", "--no-install-recommends", "chromium", WITHOUT_WINDOWS)
    except apt.AptFailed:
        print(f"Without {WITHOUT_WINDOWS} the tests take longer.", flush=True)


def _runs(server: ModuleType, flag: str) -> bool:
    """Return whether a server is installed with all its libraries."""
    found = server.binary()
    environment = os.environ | (pgbouncer.libraries() if server is pgbouncer else {})
    return found is not None and subprocess.run([found, flag], capture_output=True, env=environment).returncode == 0


def unpack(name: str, into: Path) -> None:
    """Unpack Debian's package and the libraries that it needs and this machine lacks."""
    if shutil.which("apt-get") is None or shutil.which("dpkg-deb") is None:
        sys.exit(ADVICE.format(name=name))
    print(f"Unpacking {name} into {into}", flush=True)
    with tempfile.TemporaryDirectory() as directory:
        try:
            if os.getuid() == 0:
                apt.run("update")
            apt.run("download", name, where=directory)
            (package,) = Path(directory).glob("*.deb")
            if libraries := _lacking(package):
                apt.run("download", *libraries, where=directory)
            for each in Path(directory).glob("*.deb"):
                subprocess.run(["dpkg-deb", "-x", each, into], check=True)
        except (apt.AptFailed, subprocess.CalledProcessError, ValueError):
            sys.exit(ADVICE.format(name=name))


def _lacking(package: Path) -> list[str]:
    """Return the libraries that a package depends on and that are not installed."""
    show = ["dpkg-deb", "-f", package, "Depends"]
    depends = subprocess.run(show, check=True, capture_output=True, text=True).stdout
    libraries = [name for name in re.findall(r"(?:^|, )(lib[a-z0-9.+-]+)", depends) if name != "libc6"]
    installed = "install ok installed"
    query = ["dpkg-query", "-W", "-f", "${Status}"]
    return [
        name for name in libraries if subprocess.run([*query, name], capture_output=True, text=True).stdout != installed
    ]


if __name__ == "__main__":
    main()
