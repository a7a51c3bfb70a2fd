"""Rules for characters that reverse a text's direction, for stacked marks, and for empty lines."""

import re
import unicodedata

from surveys.rules.texts import is_visible

MARKS_MAX = 5  # on a letter; Arabic with vowels has three, Hebrew with vowels and accents four
BLANK_LINES_MAX = 2  # consecutive lines
_LINE_ENDS = re.compile("[\n\u0085\u2028\u2029]")

# Embeddings and overrides show letters in another order than their stored order, and need no end.
_FORCED = "\u202a\u202b\u202c\u202d\u202e"
_OPEN, _CLOSE = "\u2066\u2067\u2068", "\u2069"
_FROM_RIGHT = "\u2067\u200f\u061c"  # right-to-left isolate, right-to-left mark, Arabic letter mark


def turns_direction(text: str) -> bool:
    """Return whether invisible characters change the order in which the text is read.

    Isolates that end in their line, and marks, are allowed, because Arabic needs them around numbers and names. A
    right-to-left isolate or mark needs a right-to-left letter in its isolate, or else in its line. That letter shows
    the same direction visibly. Without it, a mark alone would show "10 - 20" as "20 - 10"."""
    if text.isascii():
        return False
    if any(c in _FORCED for c in text):
        return True
    return not all(_is_honest(line) for line in _LINE_ENDS.split(text))


def _is_honest(line: str) -> bool:
    """Return whether a line is allowed. A level says whether an isolate needs and has a right-to-left letter."""
    levels = [[False, False]]
    for c in line:
        if c in _OPEN:
            levels.append([c in _FROM_RIGHT, False])
        elif c == _CLOSE:
            if len(levels) == 1 or _lacks(levels.pop()):
                return False
        elif c in _FROM_RIGHT:
            levels[-1][0] = True
        elif unicodedata.bidirectional(c) in ("R", "AL"):
            levels = [[needs, True] for needs, _ in levels]
    return len(levels) == 1 and not _lacks(levels[0])


def _lacks(level: list[bool]) -> bool:
    needs, has = level
    return needs and not has


def stacks_marks(text: str) -> bool:
    """Return whether a letter has more than MARKS_MAX marks of no width, in any normalization."""
    run = 0
    for c in "" if text.isascii() else unicodedata.normalize("NFD", text):
        run = run + 1 if unicodedata.category(c) in ("Mn", "Me") else 0
        if run > MARKS_MAX:
            return True
    return False


def has_blank_run(text: str) -> bool:
    """Return whether more than BLANK_LINES_MAX invisible lines are consecutive."""
    run = 0
    for line in _LINE_ENDS.split(text.strip()):
        run = 0 if is_visible(line) else run + 1
        if run > BLANK_LINES_MAX:
            return True
    return False
