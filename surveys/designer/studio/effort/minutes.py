"""The time that a survey takes to answer, by a rule of thumb.

A question with up to 30 words takes 10.3 seconds, and so does an item of a table: the average over surveys of
Mechanical Turk (TurkPrime 2015, A simple formula for predicting the time to complete a study), with the words that
CivicPulse's time estimation rubric includes. All other words are read at the speed of their language, reading aloud:
Trauzettel-Klosinski and Dietz (2012), Standardized assessment of reading performance: the new International Reading
Speed Texts IReST, Investigative Ophthalmology & Visual Science 53, 5452-5461. Other languages take the mean of its 17.

The page's explanations do not count. Questions for only some people count in full."""

from typing import NamedTuple

from ldp.forms.definition import forms, questions_of
from ldp.question import Question
from surveys.survey import kinds
from surveys.survey.definition import markup
from surveys.survey.definition.document import Definition
from surveys.survey.definition.languages import language_of

SECONDS, INCLUDED = 10.3, 30
RATES = {"en": 228, "de": 179, "ar": 138}  # words a minute
MEAN_RATE = 184
WITHOUT_SPACES = frozenset(["zh", "yue", "ja", "th", "lo", "km", "my"])
FRAME = ("title", "introduction", "consent", "thanks")


class Minutes(NamedTuple):
    """Minutes for the shortest and the longest form, equal without forms. `rate` is in words per minute."""

    low: int
    high: int
    rate: int


def minutes(definition: Definition) -> Minutes | None:
    """Return how long a survey takes; None for a language that writes no spaces between words."""
    language = language_of(definition).partition("-")[0].lower()
    if language in WITHOUT_SPACES:
        return None
    rate = RATES.get(language, MEAN_RATE)
    each = [_seconds(definition, form, rate) for form in range(len(forms(definition)))]
    low, high = (max(1, round(seconds / 60)) for seconds in (min(each), max(each)))
    return Minutes(low, high, rate)


def _seconds(definition: Definition, form: int, rate: int) -> float:
    questions = questions_of(definition, form)
    units = sum(map(_units, questions))
    beyond = sum(max(0, _count(*_texts(definition, each)) - INCLUDED * _units(each)) for each in questions)
    return SECONDS * units + 60 * (beyond + _count(*frame_texts(definition, form))) / rate


def _units(question: Question) -> int:
    return len(question.get("items", [""]))


def _texts(definition: Definition, question: Question) -> list[str]:
    """Return the texts that are read before answering. Typed numbers and dates have no options to read."""
    answers = [] if kinds.entered(question) else kinds.lines(question)
    note = markup.plain(definition, question["note"])
    return [question["text"], note, *question.get("items", []), *answers]


def frame_texts(definition: Definition, form: int | None = None) -> list[str]:
    """Return the texts around the questions. With `form`, sections without a question of the form are left out."""
    keys = {question["key"] for question in definition["questions"]}
    if form is not None:
        keys = {question["key"] for question in questions_of(definition, form)}
    texts = [str(definition.get(name, "")) for name in FRAME]
    for section in definition.get("sections", []):
        texts += [section["title"], section["text"]] if keys.intersection(section["questions"]) else []
    return [markup.plain(definition, text) for text in texts]


def _count(*texts: str) -> int:
    return sum(len(text.split()) for text in texts)
