"""Words and sentences of a text, as readability formulas count them."""

import re

# URLs and email addresses are not read as words.
_ADDRESS = re.compile(r"\S+(?:://|@)\S+")
# Numbers are words. U.S. is one word.
_WORD = re.compile(r"[^\W_]+(?:[.'’-][^\W_]+)*")
# The end of a sentence, if the next text begins like a sentence.
_END = re.compile(r"[.!?…][\"”’“)\]]*\s+(?=[\"“„‘(\[]*[A-ZÄÖÜ0-9])")
_SHORTENED = frozenset(
    [
        *("approx", "dr", "etc", "fig", "mr", "mrs", "ms", "no", "prof", "st", "vs"),
        *("abb", "bzw", "ca", "evtl", "ggf", "inkl", "nr", "sog", "str", "usw", "vgl"),
    ]
)


def words(text: str) -> list[str]:
    return _WORD.findall(_ADDRESS.sub(" ", text))


def sentences(text: str) -> list[str]:
    """Split at line ends and closing marks, but not after a single letter, a short number or a common abbreviation."""
    return [each for line in text.splitlines() for each in _in_line(_ADDRESS.sub(" ", line)) if words(each)]


def _in_line(line: str) -> list[str]:
    begin, parts = 0, []
    for end in _END.finditer(line):
        before = line[begin : end.start()].split()
        if before and not (end[0][0] == "." and _is_shortened(before[-1])):
            parts.append(line[begin : end.end()].strip())
            begin = end.end()
    return [*parts, line[begin:].strip()]


def _is_shortened(word: str) -> bool:
    plain = word.lower().lstrip('("“„')
    return plain in _SHORTENED or (plain.isdigit() and len(plain) <= 2) or len(plain.rpartition(".")[2]) == 1
