"""Obstacles to a start: processes that have the data directory or the port."""

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from surveys.operation import environment

PARTS_LOCK = "parts.lock"  # in the data directory; every part has it open


def directory_complaint(data: Path, record: Path) -> str:
    """Return the complaint that another parent serves from `data`. `record` names that parent once it has started."""
    by = "Another process"
    try:
        running = json.loads(record.read_text(encoding="utf-8"))
        by = f"The site at {running['url']} (process {running['pid']})"
    except (OSError, ValueError, KeyError, TypeError):
        pass  # it is still starting
    folder = "and another DATA_DIR" if environment.text("DATA_DIR") else "with a folder of its own"
    advice = f"Stop it (Ctrl-C in its terminal), or start another site: {_other_site()}, {folder}"
    return f"{by} already serves from {data}. {advice}."


def port_complaint(host: str, port: int, reason: str) -> str:
    by = " and ".join(f"{name} (process {pid})" for pid, name in listeners(port))
    used = f" It is in use by {by}." if by else ""
    advice = f"Start another site: {_other_site(port)}, with a folder of its own"
    return f"Cannot listen on {host} port {port}: {reason}.{used} {advice}."


def _other_site(port: int = 0) -> str:
    """Return the command for a site beside `make serve`, `make demo` and this port."""
    return f"make … SITE={max(port, *environment.LOCAL_PORTS.values()) + 1}"


def parts_complaint(lock: Path) -> str:
    return f"Parts of an earlier run do not end: {', '.join(f'process {pid}' for pid, _ in holders(lock))}."


def listeners(port: int) -> list[tuple[int, str]]:
    """Return (process id, command) of the processes that listen on the port, as far as this user may see them."""
    inodes = {inode for table in ("tcp", "tcp6") for inode in _listening(Path("/proc/net", table), port)}
    return _having_open({f"socket:[{inode}]" for inode in inodes})


def holders(file: Path) -> list[tuple[int, str]]:
    """Return (process id, command) of the processes that have the file open."""
    return _having_open({str(file.resolve())})


def _having_open(files: set[str]) -> list[tuple[int, str]]:
    processes = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if any(name in files for name in _opened(process)):
                command = (process / "cmdline").read_bytes().split(b"\0")
                processes.append((int(process.name), b" ".join(command[:4]).decode(errors="replace").strip()))
        except OSError:  # another user's process, or an ended one
            continue
    return sorted(processes)


def _opened(process: Path) -> Iterator[str]:
    """Yield the files that a process has open. Files that it closes meanwhile are left out."""
    for link in (process / "fd").iterdir():
        with suppress(FileNotFoundError):
            yield str(link.readlink())


def _listening(table: Path, port: int) -> list[str]:
    """Return the inodes of the table's listening sockets on the port."""
    try:
        rows = [line.split() for line in table.read_text().splitlines()[1:]]
    except OSError:
        return []
    return [row[9] for row in rows if row[3] == "0A" and int(row[1].rpartition(":")[2], 16) == port]
