"""What Firefox and Chromium write down of their tabs, so that they can open them again: the files' own bytes."""

from pathlib import Path

MAGIC = b"mozLz40\0"


def of_firefox(profile: Path) -> str:
    """The newest state of all tabs, as JSON; empty before the first one was written."""
    file = profile / "sessionstore-backups" / "recovery.jsonlz4"
    data = file.read_bytes() if file.exists() else b""
    return _unpacked(data[len(MAGIC) + 4 :]).decode() if data.startswith(MAGIC) else ""


def of_chromium(directory: Path) -> bytes:
    """All that its session files hold, one after the other."""
    return b"".join(path.read_bytes() for path in sorted(directory.glob("*/Sessions/Session_*")))


def _unpacked(block: bytes) -> bytes:
    """A block of LZ4: again and again literal bytes, then a piece of what is there already."""
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
