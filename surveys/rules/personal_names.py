"""Options that look like names of people. An answer then reveals something about another person, who was never asked.

This is a guess from texts alone, for a warning. Lists of countries, jobs, products and places should cause none.
"""

import re
import unicodedata
from collections.abc import Sequence
from pathlib import Path

LEAST = 5  # options
# A word of a name. Below, particles and titles, which do not count.
_WORD = re.compile(r"[^\W\d_]+(?:['’.-][^\W\d_]+)*\.?")
_PARTICLE = re.compile("van|von|der|den|de|da|di|du|del|la|le|al|el|bin|ibn|ter|zu|dos|dr|prof|mr|mrs|ms|frau|herr")
# Given names that are common in large parts of the world, in Latin letters without accents.
_GIVEN = frozenset((Path(__file__).parent / "given_names.txt").read_text(encoding="utf-8").split())


def look_like_people(options: Sequence[str]) -> bool:
    """Return whether at least half of the options have the form of names, and enough begin with a common given name:
    a third of the names, or three quarters of all options if most names have one word."""
    named = [words for words in map(_words, options) if words]
    given = sum(words[0] in _GIVEN for words in named)
    if len(options) < LEAST or 2 * len(named) < len(options):
        return False
    if 2 * sum(len(words) > 1 for words in named) < len(named):
        return 4 * given >= 3 * len(options)
    return 3 * given >= len(named)


def _words(option: str) -> list[str]:
    """Return the words of a text with the form of a name, without accents, in small letters; else []."""
    turned = " ".join(reversed(option.split(",", 1))) if option.count(",") == 1 else option
    words = [word for word in turned.split() if not _PARTICLE.fullmatch(word.lower().strip("."))]
    built = 1 <= len(words) <= 4 and all(_WORD.fullmatch(word) and not word.islower() for word in words)
    return [_plain(word) for word in words] if built else []


def _plain(word: str) -> str:
    marks = (c for c in unicodedata.normalize("NFKD", word.lower()) if not unicodedata.combining(c))
    return "".join(marks).strip(".")
