"""Texts that look alike. A respondent who cannot distinguish two options cannot choose, and a reader cannot read their
results.

Two texts look alike if their `likeness` is the same: Unicode's compatibility decomposition without invisible
characters, with one blank for several, and with letters of other scripts replaced by similar ones.
"""

import re
import unicodedata
from collections.abc import Iterable

from surveys.rules.texts import INVISIBLE

# Unicode's list (UTS 39) has some 6,000 pairs, mostly of scripts that no keyboard mixes. These pairs look alike in
# browsers' fonts and can be typed: capital and small letters of Greek and Cyrillic, some of Armenian and Cherokee; the
# Persian and Arabic forms of kaf, yeh, heh and six digits; kana that look like each other or like a character; dashes,
# quotes and dots. No two letters of the same script and case are merged, except I, l and | of sans serif, which no one
# can distinguish. So no list in one language is refused for another letter. Numbers are not merged with letters: 0 and
# O, 1 and l differ in these fonts.
_PAIRS = (
    ("Il|", "lll"),
    ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϳͿ", "ABEZHlKMNOPTYXjJ"),
    ("ανορυχι", "avopuxi"),
    ("АВЕЅІЈКМНОРСТУХԌԚԜҮӀ", "ABESlJKMHOPCTYXGQWYl"),
    ("аеорсухѕіјһԁԛԝүӏ", "aeopcyxsijhdqwyl"),
    ("ՍՏԼհոսցօզյ", "USLhnugoqj"),
    ("ᎪᏴᏟᎠᎬᎻᎫᏦᏞᎷᏢᏚᎢᏙᎳᏃ", "ABCDEHJKLMPSTVWZ"),
    ("ɑɡɩ", "agi"),
    ("کہە", "كهه"),
    ("۰۱۲۳۷۸۹", "٠١٢٣٧٨٩"),
    ("ヘーニロエカトハタチ", "へ一二口工力卜八夕千"),
    ("‐‒–—―−", "------"),
    ("’‘ʼʹ′ˈ`“”„", "'''''''\"\"\""),
    ("‚⁄∕꞉∶", ",//::"),
    ("∙•‧・", "····"),
)
_LETTERS = {ord(one): other for ones, others in _PAIRS for one, other in zip(ones, others, strict=True)}
_LETTERS[0x0640] = ""  # the Arabic tatweel only stretches a line
# The Persian yeh has dots before another letter, and none at the end of a word.
_DOTTED, _DOTLESS = re.compile(r"ی(?=[\u064b-\u0655]*\w)"), "ی"

# The flags of England, Scotland and Wales are a black flag and invisible letters, which change what is shown.
_UNSEEN = re.compile(f"[{INVISIBLE}]+")
_TAGS = re.compile("\U0001f3f4[\U000e0020-\U000e007f]+")


def likeness(text: str) -> str:
    """Return a form that is the same for texts that look alike."""
    seen = _UNSEEN.sub("", _TAGS.sub(lambda flag: flag[0].translate(_TAG_LETTERS), text))
    letters = unicodedata.normalize("NFKD", seen.replace("´", "'")).translate(_LETTERS)
    letters = _DOTTED.sub("ي", letters).replace(_DOTLESS, "ى")
    return " ".join(unicodedata.normalize("NFC", letters).split())


_TAG_LETTERS = {code: chr(code - 0xE0000) for code in range(0xE0020, 0xE007F)}


def alike(texts: Iterable[str]) -> tuple[int, int] | None:
    """Return the positions of the first two texts that look alike."""
    first: dict[str, int] = {}
    for position, text in enumerate(texts):
        before = first.setdefault(likeness(text), position)
        if before != position:
            return before, position
    return None


def looks_like_any(text: str, others: Iterable[str]) -> bool:
    """Return whether the text looks like any of these."""
    return likeness(text) in map(likeness, others)
