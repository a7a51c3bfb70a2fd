"""Readability of texts in years of school, for languages with a formula.

English: Coleman and Liau (1975), A computer readability formula designed for machine scoring, Journal of Applied
Psychology 60, 283-284. It counts letters, so no syllables are guessed. German: the first Wiener Sachtextformel,
Bamberger and Vanecek (1984), Lesen - Verstehen - Lernen - Schreiben. Syllables are counted by spelling: a vowel, a
diphthong or a double vowel is one.

Arabic and all other languages have no formula here."""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from surveys.designer.studio.effort.words import sentences, words

LEAST = 100  # words; shorter texts get no level
FEWEST_YEARS, MOST_YEARS = 4, 15  # the range of the Wiener Sachtextformel
LONG = 25  # words of a sentence that is shown as long
_SYLLABLE = re.compile("ei|ai|au|äu|eu|ie|oi|ey|ay|oy|aa|ee|oo|[aeiouyäöüéèà]")


class Level(NamedTuple):
    """`years` of school, within the formula's range. `longest` is the longest sentence if it has more than LONG
    words."""

    years: int
    formula: str
    words: int
    longest: str = ""


class ReadabilityFormula(NamedTuple):
    name: str
    years: Callable[[Sequence[str], int], float]


def coleman_liau(every: Sequence[str], sentence_count: int) -> float:
    letters = sum(letter.isalnum() for word in every for letter in word)
    return 0.0588 * 100 * letters / len(every) - 0.296 * 100 * sentence_count / len(every) - 15.8


def wiener_sachtextformel(every: Sequence[str], sentence_count: int) -> float:
    syllables, n = [syllables_of(word) for word in every], len(every)
    three_or_more = 100 * sum(count >= 3 for count in syllables) / n
    one = 100 * sum(count == 1 for count in syllables) / n
    long = 100 * sum(len(word) > 6 for word in every) / n
    return 0.1935 * three_or_more + 0.1672 * n / sentence_count + 0.1297 * long - 0.0327 * one - 0.875


def syllables_of(word: str) -> int:
    """Return the number of syllables of a German word, by its spelling."""
    return max(1, len(_SYLLABLE.findall(word.lower().replace("qu", "q"))))


FORMULAS = {
    "en": ReadabilityFormula("Coleman & Liau 1975", coleman_liau),
    "de": ReadabilityFormula("Wiener Sachtextformel 1, Bamberger & Vanecek 1984", wiener_sachtextformel),
}


def level(texts: Sequence[str], language: str) -> Level | None:
    """Return the difficulty of texts in years of school; None for a language without a formula, or too few words."""
    formula = FORMULAS.get(language.partition("-")[0].lower())
    every = [word for text in texts for word in words(text)]
    if formula is None or len(every) < LEAST:
        return None
    lines = [sentence for text in texts for sentence in sentences(text)]
    years = round(formula.years(every, len(lines)))
    longest = max(lines, key=lambda line: len(words(line)))
    shown = longest if len(words(longest)) > LONG else ""
    return Level(min(max(years, FEWEST_YEARS), MOST_YEARS), formula.name, len(every), shown)
