"""Debian's packages, installed even on a busy machine: a new machine often runs an apt-get of its own.

`python -m tests.services.apt install NAME ...` installs packages, as root.
"""

import os
import subprocess
import sys
import time

# apt-get says this about both its locks: the lock of the lists and the lock of the packages.
HELD = "Could not get lock"
WAITS, PAUSE = 120, 5.0  # ten minutes
QUIETLY = {"DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"}
OPTIONS = ["-o", "Acquire::Retries=3"]


class AptFailed(Exception):
    """apt-get failed. The text is one sentence."""


def run(*arguments: str, where: str | None = None) -> None:
    """Run apt-get. Wait while another process holds a lock. AptFailed after ten minutes, or if apt-get fails."""
    sandbox = ["-o", "APT::Sandbox::User=root"] if where else []  # apt's user may not write there
    command = ["apt-get", *OPTIONS, *sandbox, *arguments]
    for waits in range(WAITS):
        done = subprocess.run(
            command,
            env={**os.environ, **QUIETLY},
            cwd=where,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        if done.returncode == 0:
            return
        if HELD not in done.stderr:
            raise AptFailed(f"apt-get {' '.join(arguments)} failed: {_last_line(done.stderr)}")
        if waits * PAUSE % 60 == 0:
            print(f"Another apt-get is at work: waiting for it, {waits * PAUSE / 60:.0f} minutes so far.", flush=True)
        time.sleep(PAUSE)
    raise AptFailed("Another apt-get has held its lock for ten minutes. Try again when it has ended.")


def _last_line(text: str) -> str:
    return next((line for line in reversed(text.splitlines()) if line.strip()), "it did not say why.")


def main() -> None:
    try:
        run("update")
        run("install", "-y", "--no-install-recommends", *sys.argv[2:])
    except AptFailed as failed:
        sys.exit(str(failed))


if __name__ == "__main__":
    main()
