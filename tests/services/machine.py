"""What the tests need from the machine beside Python packages: Chromium, and libatomic for Playwright's node.

`python -m tests.services.machine` installs what is missing with apt-get where it may, else says what to do.
"""

import os
import shutil
import subprocess
import sys

from tests.services.chromium import chromium, node


def missing() -> list[str]:
    """Debian's names of the packages that this machine lacks."""
    packages = [] if chromium() else ["chromium"]
    if subprocess.run([node(), "--version"], capture_output=True).returncode:
        packages.append("libatomic1")
    return packages


def main() -> None:
    packages = missing()
    if not packages:
        return
    install = ["apt-get", "install", "-y", "--no-install-recommends", *packages]
    if os.getuid() != 0 or shutil.which("apt-get") is None:
        sys.exit(f"The tests need {' and '.join(packages)}. On Debian, as root: {' '.join(install)}")
    print(f"Installing {' and '.join(packages)}", flush=True)
    quietly = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(["apt-get", "update"], check=True, env=quietly, stdout=subprocess.DEVNULL)
    subprocess.run(install, check=True, env=quietly, stdout=subprocess.DEVNULL)
    if missing():
        sys.exit(f"apt-get installed {' and '.join(packages)}, but they still cannot be run.")


if __name__ == "__main__":
    main()
