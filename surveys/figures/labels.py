"""Break labels into lines that fit, by columns of a monospaced font."""

import unicodedata

# Marks for left to right, and for right to left.
MARKS = ("\N{LEFT-TO-RIGHT MARK}", "\N{RIGHT-TO-LEFT MARK}")


def wrap(text: str, columns: int, lines: int) -> list[str]:
    """Return `text` in at most `lines` lines of `columns`, broken at spaces if possible. The rest is cut."""
    text = "".join(" " if unicodedata.category(c) == "Cc" else c for c in text)
    out, current = [], ""
    for word in _pieces(text, columns):
        glued = current + word if word.startswith("\u200b") or not current else f"{current} {word}"
        if current and display_width(glued) > columns:
            out.append(current)
            current = word
        else:
            current = glued
    out.append(current)
    out = [line.replace("\u200b", "") for line in out]
    if len(out) > lines:
        out = [*out[: lines - 1], out[lines - 1][: columns - 1].rstrip() + "…"]
    return [led(line, from_right(text)) for line in out]


def from_right(text: str) -> bool:
    """Return whether the first letter belongs to a script that runs from right to left."""
    kinds = map(unicodedata.bidirectional, text)
    return next((kind for kind in kinds if kind in ("L", "R", "AL")), "L") != "L"


def led(text: str, right: bool) -> str:
    """Return `text` with a mark, so that all of it runs in this direction whatever its first letter."""
    return text if from_right(text) == right else MARKS[right] + text


def _pieces(text: str, columns: int) -> list[str]:
    """Return the words. A word that is too long for a line is cut, and a zero width space marks the cut."""
    pieces = []
    for word in text.split():
        while display_width(word) > columns:
            cut = 1
            while display_width(word[: cut + 1]) <= columns:
                cut += 1
            pieces.append(word[:cut])
            word = "\u200b" + word[cut:]
        pieces.append(word)
    return pieces or [""]


def display_width(text: str) -> int:
    """Return the columns of `text`: two for a wide East Asian character, none for a combining one."""
    return sum(_columns(character) for character in text)


def _columns(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in ("Cf", "Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
