"""The files with which Firefox and Chromium reopen their tabs, read as bytes."""

from pathlib import Path

MAGIC = b"mozLz40\0"


def of_firefox(profile: Path) -> str:
    """Return the newest state of all tabs as JSON; empty before the first state is written."""
    file = profile / "sessionstore-backups" / "recovery.jsonlz4"
    data = file.read_bytes() if file.exists() else b""
    return _unpacked(data[len(MAGIC) + 4 :]).decode() if data.startswith(MAGIC) else ""


def of_chromium(directory: Path) -> bytes:
    """Return the bytes of all session files, joined."""
    return b"".join(path.read_bytes() for path in sorted(directory.glob("*/Sessions/Session_*")))


def _unpacked(block: bytes) -> bytes:
    """Return an unpacked LZ4 block. The block alternates literal bytes and copies of earlier bytes."""
    data, at = bytearray(), 0

    def length(nibble: int) -> int:
        nonlocal at
        total = nibble
        while nibble == 15 and (total - 15) % 255 == 0:
            total, at = total + block[at], at + 1
            if block[at - 1] != 255:
                break
        return total

    while at < len(block):
        token, at = block[at], at + 1
        literals = length(token >> 4)
        data += block[at : at + literals]
        at += literals
        if at >= len(block):
            break
        back, at = int.from_bytes(block[at : at + 2], "little"), at + 2
        for _ in range(length(token & 15) + 4):
            data.append(data[-back])
    return bytes(data)
