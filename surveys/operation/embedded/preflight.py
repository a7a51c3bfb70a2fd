"""What stands in the way of a start: somebody else has the data directory or the port, and who."""

import json
from pathlib import Path


def directory_complaint(data: Path, record: Path) -> str:
    """The complaint that another parent serves from `data`; its `record` says which, once it has started."""
    by = "Another process"
    try:
        running = json.loads(record.read_text(encoding="utf-8"))
        by = f"The site at {running['url']} (process {running['pid']})"
    except (OSError, ValueError, KeyError, TypeError):
        pass  # it is only starting
    advice = "Stop it (Ctrl-C in its terminal), or start this one with a directory and a port of its own"
    return f"{by} already serves from {data}. {advice}: DATA_DIR=/absolute/path make … PORT=8001."


def port_complaint(host: str, port: int, reason: str) -> str:
    by = " and ".join(f"{name} (process {pid})" for pid, name in listeners(port))
    used = f" It is in use by {by}." if by else ""
    return f"Cannot listen on {host} port {port}: {reason}.{used} Choose another: make … PORT={port + 1}, or --port."


def listeners(port: int) -> list[tuple[int, str]]:
    """(process id, command) of those that listen on the port, as far as Linux lets this user see."""
    sockets = {f"socket:[{inode}]" for table in ("tcp", "tcp6") for inode in _listening(Path("/proc/net", table), port)}
    holders = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if any(str(link.readlink()) in sockets for link in (process / "fd").iterdir()):
                command = (process / "cmdline").read_bytes().split(b"\0")
                holders.append((int(process.name), b" ".join(command[:4]).decode(errors="replace").strip()))
        except OSError:  # somebody else's, or gone
            continue
    return sorted(holders)


def _listening(table: Path, port: int) -> list[str]:
    """The inodes of the table's listening sockets on the port."""
    try:
        rows = [line.split() for line in table.read_text().splitlines()[1:]]
    except OSError:
        return []
    return [row[9] for row in rows if row[3] == "0A" and int(row[1].rpartition(":")[2], 16) == port]
