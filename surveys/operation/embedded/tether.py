"""Processes that end with their starter, even if it is killed with -9.

`start(command)` starts this file as a small process between the caller and the command. Only the caller holds the other
end of its standard input. When the caller ends, for any reason, the kernel closes that end. The tether then asks the
command to stop, and kills the rest after a grace period.

The tether leads a process group, which holds the command and its children (worker processes of the web server, Celery's
pool):

    caller --(lifeline)--> tether --> command --> its children

This file imports only the standard library, so that the process is small and starts quickly.
"""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

GRACE = 10.0  # seconds between the request to stop and the kill


def start(
    command: Sequence[str | os.PathLike[str]],
    *,
    log: Path,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    grace: float = GRACE,
    stop_signal: signal.Signals = signal.SIGTERM,
    keep: Sequence[int] = (),
) -> subprocess.Popen[bytes]:
    """Start the command, append its output to `log`, and return the tether's process. Its id is the id of the process
    group. The tether (not the command) inherits the file descriptors in `keep`, so a lock held through one lasts as
    long as the command."""
    tether = [
        sys.executable,
        "-I",
        "-S",
        __file__,
        str(grace),
        stop_signal.name,
        *(os.fspath(part) for part in command),
    ]
    with log.open("ab") as output:
        return subprocess.Popen(
            tether,
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=env,
            cwd=cwd,
            pass_fds=keep,
            start_new_session=True,
        )


def reap(process: subprocess.Popen[bytes]) -> None:
    """Wait for the tether's end and kill the rest of its group.

    The group is killed while the dead tether still has its id. After `wait` the kernel may give the id to another
    process."""
    if process.returncode is None:
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        kill(process)
    process.wait()
    if process.stdin:
        process.stdin.close()


def kill(process: subprocess.Popen[bytes]) -> None:
    """Kill the tether, the command and all its children with -9."""
    if process.returncode is None:
        os.killpg(process.pid, signal.SIGKILL)


def end(process: subprocess.Popen[bytes]) -> None:
    """Ask the command to stop and wait for it, up to its grace."""
    process.terminate()
    reap(process)


def main(grace: float, stop_signal: signal.Signals, command: list[str]) -> None:
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL)

    def stop(*_: object) -> None:
        child.send_signal(stop_signal)
        timer = threading.Timer(grace, os.killpg, (0, signal.SIGKILL))
        timer.daemon = True
        timer.start()

    def wait_for_caller() -> None:
        while os.read(0, 1):
            pass
        stop()

    for request in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(request, stop)
    threading.Thread(target=wait_for_caller, daemon=True).start()
    status = child.wait()
    print(f"{Path(command[0]).name} ended with status {status}", flush=True)
    os.killpg(0, signal.SIGKILL)  # the command's leftovers, and this process


if __name__ == "__main__":
    main(float(sys.argv[1]), signal.Signals[sys.argv[2]], sys.argv[3:])
