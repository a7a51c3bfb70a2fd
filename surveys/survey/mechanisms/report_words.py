"""A report's content on a question, in the words of the respondents' page (outcome.js)."""

from collections import Counter
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from ldp.kinds.ranking import BEFORE
from ldp.mechanisms.ranking import entry_pairs
from ldp.question import Drawn
from surveys.figures import numerals


class ReportWords(NamedTuple):
    """The words for a reported value. `title` is "" for a single item."""

    items: list[str]
    title: str = ""


def option(question: Drawn, value: int) -> ReportWords:
    return ReportWords([question["options"][value]])


def among(question: Drawn, value: list[int]) -> ReportWords:
    names = [question["options"][index] for index in value]
    return ReportWords(names, "" if len(names) == 1 else _("One of these, or another:"))


def marked(question: Drawn, value: str) -> ReportWords:
    names = [name for name, bit in zip(question["options"], value, strict=True) if bit == "1"]
    return ReportWords(names, _("Marked:")) if names else ReportWords([_("No option is marked")])


def ticked(question: Drawn, value: list[list[int]]) -> ReportWords:
    return _picked((question["options"][index], _("yes") if bit else _("no")) for index, bit in value)


def ordered(question: Drawn, value: list[list[int]]) -> ReportWords:
    """Return the drawn entries of a ranking in the reported order."""
    items = question["ranked"]
    each = [entry_pairs(len(items))[place] for place, _ in value]
    before = Counter(pair[0 if bit else 1] for pair, (_, bit) in zip(each, value, strict=True))
    named = sorted({entry for pair in each for entry in pair}, key=lambda entry: -before[entry])
    return ReportWords([BEFORE.join(items[entry] for entry in named)])


def picked(question: Drawn, value: list[Any]) -> ReportWords:
    """Return one line for each option listed for an item."""
    return _picked((question["items"][item], question["options"][index]) for item, listed in value for index in listed)


def _picked(pairs: Any) -> ReportWords:
    return ReportWords([f"{name}: {answer}" for name, answer in pairs], _("Picked at random:"))


def figures(question: Drawn, value: list[int]) -> ReportWords:
    named = zip(question["options"], value, strict=True)
    return ReportWords([f"{name}: {numerals.integer(number)}" for name, number in named])


def end(question: Drawn, value: list[int]) -> ReportWords:
    [bit] = value
    if "steps" in question:
        return ReportWords([question["steps"][-bit]])
    number = question["high"] if bit else question["low"]
    return ReportWords([numerals.with_unit(numerals.decimal(number), question["unit"])])


def point(question: Drawn, value: int) -> ReportWords:
    """Return the reported point of the scale. Noise may have moved it beyond an end."""
    low, high, steps = float(question["low"]), float(question["high"]), len(question["table"]["rows"]) - 1
    number = low + (high - low) * value / steps
    return ReportWords([numerals.with_unit(numerals.tick(float(f"{number:.6g}")), question["unit"])])
