"""Codes in links and on paper. Their letters survive mail, messengers and Markdown.

Case does not count, and no two letters look alike. The last letter is a check: the sum of the letters, weighted by
position, has the same remainder modulo 31 for all codes of a kind. The prime 31 exceeds a code's length, so one changed
letter, or two exchanged letters, give another remainder. static/respond/link.js has the same rule.
"""

import re
import secrets
import unicodedata
from collections.abc import Iterator
from urllib.parse import unquote

LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
SURVEY, INVITATION = 0, 1  # the remainders
SECRET_BYTES = 16
SECRET_LETTERS = 26  # 31^26 > 2^128
SHORT_LETTERS = 8
PATTERN = f"[{LETTERS}]"
# Lengths of a survey's code in its link and to type, and of an invitation's (one letter more if it names a group).
LENGTHS = {SURVEY: (SECRET_LETTERS + 1, SHORT_LETTERS), INVITATION: (SECRET_LETTERS + 1, SECRET_LETTERS + 2)}

_ROUNDS = 5  # of percent-decoding


def spelled(secret: bytes, kind: int, group: int | None = None) -> str:
    """Return the code of 16 bytes, with the number of a group if there is one."""
    number, text = int.from_bytes(secret), ""
    for _ in range(SECRET_LETTERS):
        number, digit = divmod(number, len(LETTERS))
        text += LETTERS[digit]
    return _checked(text + ("" if group is None else LETTERS[group]), kind)


def short() -> str:
    """Return a random short code of a survey, for typing."""
    return _checked("".join(secrets.choice(LETTERS) for _ in range(SHORT_LETTERS - 1)), SURVEY)


def in_groups(code: str) -> str:
    """Return the code as printed, in groups of four."""
    return "-".join(code[k : k + 4] for k in range(0, len(code), 4))


def is_code(text: str, kind: int) -> bool:
    return len(text) in LENGTHS[kind] and set(text) <= set(LETTERS) and _remainder(text) == kind


def code_in(text: str, kind: int) -> str | None:
    """Return the first code of a kind in a text, such as a copied link with words around it, or a code typed in groups;
    None if there is none."""
    parts = (part for reading in _readings(_plain(text)) for part in re.split("[^a-z0-9]+", reading))
    return next((part for part in parts if is_code(part, kind)), None)


def _checked(text: str, kind: int) -> str:
    count = len(text) + 1
    return text + LETTERS[(kind - _remainder(text)) * pow(count, -1, len(LETTERS)) % len(LETTERS)]


def _remainder(text: str) -> int:
    return sum(place * LETTERS.index(letter) for place, letter in enumerate(text, 1)) % len(LETTERS)


def _readings(text: str) -> Iterator[str]:
    """Yield readings of the text: as it is, from quoted-printable, and without breaks from mail or between typed
    groups. A wrong reading yields no code, because its check fails."""
    yield text
    yield re.sub("=([0-9a-f]{2})", lambda found: chr(int(found[1], 16)), text)
    yield re.sub(r"&(shy|#\w+);|<wbr>|[=\s>]+", "", text)
    yield re.sub("[^a-z0-9/#?&=]+", "", text)
    yield re.sub("[^a-z0-9]+", "", text)


def _plain(text: str) -> str:
    """Return the text without percent-encoding, wide letters, digits of other scripts, capitals and invisible
    characters."""
    for _ in range(_ROUNDS):
        text = unicodedata.normalize("NFKC", unquote(text, errors="replace"))
    seen = (each for each in text.lower() if unicodedata.category(each) != "Cf")
    return "".join(str(unicodedata.decimal(each, each)) for each in seen)
