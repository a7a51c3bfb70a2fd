"""What a report says of a question, in words, as the respondents' page says it of its own (outcome.js)."""

from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from ldp.question import Question
from surveys.figures import numerals


class Reading(NamedTuple):
    """What was reported; `title` is empty where it is one thing."""

    items: list[str]
    title: str = ""


def option(question: Question, value: int) -> Reading:
    return Reading([question["options"][value]])


def among(question: Question, value: list[int]) -> Reading:
    names = [question["options"][index] for index in value]
    return Reading(names, "" if len(names) == 1 else _("One of these, or another:"))


def marked(question: Question, value: str) -> Reading:
    names = [name for name, bit in zip(question["options"], value, strict=True) if bit == "1"]
    return Reading(names, _("Marked:")) if names else Reading([_("No option is marked")])


def ticked(question: Question, value: list[list[int]]) -> Reading:
    return _picked((question["options"][index], _("yes") if bit else _("no")) for index, bit in value)


def picked(question: Question, value: list[list[int]]) -> Reading:
    return _picked((question["items"][item], question["options"][index]) for item, index in value)


def _picked(pairs: Any) -> Reading:
    return Reading([f"{name}: {answer}" for name, answer in pairs], _("Picked at random:"))


def figures(question: Question, value: list[int]) -> Reading:
    named = zip(question["options"], value, strict=True)
    return Reading([f"{name}: {numerals.whole(number)}" for name, number in named])


def end(question: Question, value: int) -> Reading:
    if "steps" in question:
        return Reading([question["steps"][-value]])
    number = question["high"] if value else question["low"]
    return Reading([numerals.with_unit(numerals.decimal(number), question["unit"])])


def point(question: Question, value: int) -> Reading:
    """A point of the scale; chance may have moved it beyond an end."""
    low, high, steps = float(question["low"]), float(question["high"]), len(question["table"]["rows"]) - 1
    number = low + (high - low) * value / steps
    return Reading([numerals.with_unit(numerals.tick(float(f"{number:.6g}")), question["unit"])])
