"""The texts that a PDF can show. Its one font lacks Chinese letters, for example, and would draw boxes instead."""

import unicodedata
from functools import lru_cache

from surveys.designer.evidence.facts import Facts
from surveys.survey.definition.languages import TRANSLATED

FEW = 0.1  # a name in another script leaves a document readable


def are_drawn(facts: Facts) -> bool:
    """Return whether the font has almost all letters of the survey's texts. Signs, such as emoji, do not count."""
    definition = facts.definition
    texts = [definition.get(name, "") for name in TRANSLATED]
    texts += [each["text"] for each in definition["questions"]]
    letters = [each for each in "".join(map(str, texts)) if unicodedata.category(each)[0] in "LM"]
    return sum(ord(each) not in _drawn() for each in letters) <= FEW * len(letters)


@lru_cache(maxsize=1)
def _drawn() -> frozenset[int]:
    from matplotlib.font_manager import findfont, get_font  # takes a while to load

    return frozenset(get_font(findfont("DejaVu Sans")).get_charmap())
