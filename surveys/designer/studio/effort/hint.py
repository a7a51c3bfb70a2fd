"""The hints as sentences for a designer."""

from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from surveys.designer.studio.effort.level import FEWEST_YEARS, MOST_YEARS, Level, level
from surveys.designer.studio.effort.minutes import INCLUDED, SECONDS, Minutes, frame_texts, minutes
from surveys.designer.studio.effort.words import words
from surveys.figures import numerals
from surveys.survey.definition import markup
from surveys.survey.definition.document import Definition
from surveys.survey.definition.languages import language_of

SHOWN = 240  # characters of a long sentence
# Put around a text whose direction may differ from the page's.
ISOLATE, POP = "\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"


class Effort(NamedTuple):
    minutes: Minutes | None
    level: Level | None


class Hint(NamedTuple):
    """A sentence and the rule behind it."""

    sentence: str
    rule: str
    more: str = ""


def effort(definition: Definition) -> Effort:
    texts = frame_texts(definition)
    for question in definition["questions"]:
        texts += [question["text"], markup.plain(definition, question["note"])]
    return Effort(minutes(definition), level(texts, language_of(definition)))


def hints(definition: Definition) -> list[Hint]:
    """Return the hints for a survey, possibly none."""
    of = effort(definition)
    return [*([_of_minutes(of.minutes)] if of.minutes else []), *([_of_level(of.level)] if of.level else [])]


def _of_minutes(of: Minutes) -> Hint:
    if of.low < of.high:
        sentence = _("It takes about %(low)d to %(high)d minutes to answer, depending on the form.")
    else:
        sentence = ngettext(
            "It takes about %(high)d minute to answer.", "It takes about %(high)d minutes to answer.", of.high
        )
    rule = _(
        "%(seconds)s seconds for each question with up to %(included)d words, and all other words at %(rate)d a "
        "minute, as if everyone were asked every question. The page’s words on privacy come on top."
    )
    counted = {"seconds": numerals.number(SECONDS, 1), "included": INCLUDED, "rate": of.rate}
    return Hint(sentence % of._asdict(), rule % counted)


def _of_level(of: Level) -> Hint:
    if of.years <= FEWEST_YEARS:
        sentence = _("Its texts read easily: %(years)d years of school or fewer are enough.")
    elif of.years >= MOST_YEARS:
        sentence = _("Its texts are hard to read: they suit %(years)d years of school or more.")
    else:
        sentence = _("Its texts suit people with about %(years)d years of school.")
    rule = _("A formula (%(formula)s) says so, from the lengths of words and sentences: %(words)s words in all.")
    more = ""
    if of.longest:
        text = of.longest if len(of.longest) <= SHOWN else f"{of.longest[:SHOWN].rpartition(' ')[0]} …"
        more = _("The longest sentence has %(n)d words: “%(text)s”") % {
            "n": len(words(of.longest)),
            "text": f"{ISOLATE}{text}{POP}",
        }
    counted = {"formula": of.formula, "words": numerals.integer(of.words)}
    return Hint(sentence % {"years": of.years}, rule % counted, more)
