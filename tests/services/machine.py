"""What the tests need from the machine beside Python packages: browsers, libatomic for Playwright's node, R, nginx,
gettext.

`python -m tests.services.machine` installs what is missing with apt-get where it may, else says what to do. nginx is
only unpacked beside the Python packages: installed it would serve at port 80.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.services import nginx
from tests.services.chromium import chromium, node
from tests.services.firefox import firefox
from tests.services.webkit import DRIVER, SCREEN

PROGRAMS = {  # Debian's package of each
    "Rscript": "r-base-core",  # for the script that is handed out with microdata
    DRIVER: "webkit2gtk-driver",
    SCREEN: "xvfb",
    "xgettext": "gettext",  # for the catalogs of translated texts
}


def missing() -> list[str]:
    """Debian's names of the packages that this machine lacks."""
    packages = [] if chromium() else ["chromium"]
    if firefox() is None:
        packages.append("firefox-esr")
    packages += [name for program, name in PROGRAMS.items() if shutil.which(program) is None]
    if subprocess.run([node(), "--version"], capture_output=True).returncode:
        packages.append("libatomic1")
    return packages


def main() -> None:
    install(missing())
    if nginx.binary() is None:
        unpack_nginx()


def install(packages: list[str]) -> None:
    if not packages:
        return
    command = ["apt-get", "install", "-y", "--no-install-recommends", *packages]
    if os.getuid() != 0 or shutil.which("apt-get") is None:
        sys.exit(f"The tests need {' and '.join(packages)}. On Debian, as root: {' '.join(command)}")
    print(f"Installing {' and '.join(packages)}", flush=True)
    apt("update")
    apt(*command[1:])
    if missing():
        sys.exit(f"apt-get installed {' and '.join(packages)}, but they still cannot be run.")


def unpack_nginx() -> None:
    advice = "The tests need nginx. Install it, or on Debian run the tests once as root."
    if shutil.which("apt-get") is None or shutil.which("dpkg-deb") is None:
        sys.exit(advice)
    print(f"Unpacking nginx into {nginx.UNPACKED}", flush=True)
    if os.getuid() == 0:
        apt("update")
    with tempfile.TemporaryDirectory() as directory:
        try:
            apt("download", "nginx", where=directory)
            (package,) = Path(directory).glob("*.deb")
            subprocess.run(["dpkg-deb", "-x", package, nginx.UNPACKED], check=True)
        except (subprocess.CalledProcessError, ValueError):
            sys.exit(advice)
    found = nginx.binary()
    if found is None or subprocess.run([found, "-v"], capture_output=True).returncode:
        sys.exit(advice)


def apt(*arguments: str, where: str | None = None) -> None:
    quietly = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    sandbox = ["-o", "APT::Sandbox::User=root"] if where else []  # apt's own user may not write there
    subprocess.run(["apt-get", *sandbox, *arguments], check=True, env=quietly, cwd=where, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
