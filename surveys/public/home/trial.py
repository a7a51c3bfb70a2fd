"""The first page's trial: a harmless question that the respondents' code randomizes, and sentences about it. The
question belongs to no survey, and nothing is sent."""

from functools import lru_cache
from typing import TypedDict

from django.utils.formats import get_format
from django.utils.translation import gettext as _

from ldp.planning import meaning
from ldp.question import Drawn
from surveys.figures import numerals
from surveys.survey.definition import questions

ALPHA = "1"
TRUE_YES = 35  # among a hundred invented people


class Hundred(TypedDict):
    """A hundred people who give one answer, as ten rows of marks. `yes` and `no` are SVG paths: the people whose
    reports say yes, and the others."""

    answer: str
    yes: str
    no: str


class Trial(TypedDict):
    """`yes` is how many of a hundred invented people answer yes. `kept` counts reports of yes among a hundred people
    who answer yes, `changed` among a hundred who answer no. `hundreds` are their pictures."""

    yes: int
    kept: int
    changed: int
    hundreds: list[Hundred]


class Script(TypedDict):
    """The data for the page's script."""

    question: Drawn
    yes: int
    thousands: str
    sign: str
    words: dict[str, str]


@lru_cache(maxsize=1)
def question() -> Drawn:
    """Return the randomized question with its integer table."""
    draft = {
        "key": "book",
        "kind": "yes_no",
        "text": "Have you said that you had read a book that you had not?",
        "alpha": ALPHA,
    }
    return questions.build(draft, "question")


def trial() -> Trial:
    """Return the numbers that the page shows without its script."""
    chances = meaning.frequencies(question())
    kept, changed = meaning.of_hundred(chances.same), meaning.of_hundred(chances.other)
    hundreds = [_hundred(_("Yes"), kept), _hundred(_("No"), changed)]
    return {"yes": TRUE_YES, "kept": kept, "changed": changed, "hundreds": hundreds}


def _hundred(answer: str, yes: int) -> Hundred:
    """Return a hundred marks for an answer. A mark is a line without length."""
    marks = [f"M{5 + 10 * (k % 10)} {5 + 10 * (k // 10)}h0" for k in range(100)]
    return {"answer": answer, "yes": "".join(marks[:yes]), "no": "".join(marks[yes:])}


def script() -> Script:
    """Return the trial in the page's language."""
    return {
        "question": question(),
        "yes": TRUE_YES,
        "thousands": get_format("THOUSAND_SEPARATOR"),
        "sign": numerals.percent_sign(),
        "words": _words(),
    }


def _words() -> dict[str, str]:
    """Return the script's texts. Placeholders for numbers and answers are in braces."""
    return {
        "yes": _("Yes"),
        "no": _("No"),
        "kept": _("You answered {answer}. This time your report says {report}."),
        "changed": _("You answered {answer}. This time chance had its way: your report says {report}."),
        "drawn": _("Drawn {count} times: {yes} say Yes, {no} say No. Only one would be sent, and it can be either."),
        "crowd": _("{yes} of these 100 reports say Yes."),
        "truth": _(
            "Outlined: the {yes} people whose own answer is Yes. Some of their reports say No, some others’ say Yes."
        ),
        "settled": _("From {count} reports: {share}, in an interval from {low} to {high}. The truth is {truth}."),
        "picture": _("The estimate from 100 to {count} reports, with its interval, and the true share of {truth}."),
    }
