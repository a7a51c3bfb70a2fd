"""The meaning of an alpha, in words for designers and respondents. Every number comes from ldp (M28)."""

from fractions import Fraction
from typing import NamedTuple

from django.utils.translation import gettext as _

from ldp.planning import meaning
from ldp.planning.meaning import Frequencies
from ldp.question import Drawn
from surveys.survey import kinds

# The guessed chances of an answer, of 100, before a report.
PRIORS = (5, 20, 50)
TYPICAL_PRIOR = 20


# Frequencies ----------------------------------------------------------------------------------------------------------


class BeliefPicture(NamedTuple):
    """How many reports name an answer: of 100 people with the answer, and of 100 with another one."""

    same: int
    other: int
    same_people: str
    other_people: str
    report: str
    line: str
    aside: str


def picture(question: Drawn) -> BeliefPicture:
    """Return the picture of a definition's question."""
    chances = meaning.frequencies(question)
    same, other = meaning.of_hundred(chances.same), meaning.of_hundred(chances.other)
    numbers = {"same": same, "rest": 100 - same, "other": other}
    same_people, other_people, report, line = _phrases(question, chances)
    return BeliefPicture(same, other, same_people, other_people, report, line % numbers, _aside(question))


def _phrases(question: Drawn, chances: Frequencies) -> tuple[str, str, str, str]:
    if kinds.of(question).averaged:
        return (
            _("100 people with the highest number"),
            _("100 people with the lowest number"),
            _("report speaks for a high number"),
            _(
                "Of 100 people with the highest number, about %(same)s reports speak for a high number and %(rest)s "
                "for a low one; of 100 people with the lowest number, about %(other)s speak for a high one."
            ),
        )
    people = _("100 people who answer as you do"), _("100 people who answer something else")
    if chances.exclusive:
        line = _(
            "Of 100 people who answer as you do, about %(same)s reports say the same and %(rest)s something else; of "
            "100 people who answer something else, about %(other)s reports say what you answered."
        )
        return *people, _("report says what you answered"), line
    line = _(
        "Of 100 people who answer as you do, about %(same)s reports include that answer and %(rest)s leave it out; of "
        "100 people who answer something else, about %(other)s include it, too."
    )
    return *people, _("report includes what you answered"), line


def _aside(question: Drawn) -> str:
    """Return a sentence on the other random draws of the question."""
    sampling = kinds.of(question).sampling
    if sampling is None:
        return ""
    if sampling.field == "items":
        text = _(
            "Each report is about %(sample)s of the %(all)s items, drawn by chance. The picture is about one of those "
            "items."
        )
    elif sampling.field == "ranked":
        text = _(
            "Each report is about %(sample)s of the %(all)s entries, drawn by chance. The picture is about which of "
            "two of these comes first."
        )
    else:
        text = _(
            "Each report is about %(sample)s of the %(all)s answers, drawn by chance. The picture is about one of "
            "those answers."
        )
    return text % {"sample": question["table"]["sample"], "all": sampling.all(question)}


# Beliefs --------------------------------------------------------------------------------------------------------------


class Belief(NamedTuple):
    """A belief before a report, and its bounds after it, of 100."""

    prior: int
    low: str
    high: str


def beliefs(factor: Fraction) -> list[Belief]:
    return [Belief(prior, *_ends(prior, factor)) for prior in PRIORS]


def belief_line(factor: Fraction) -> str:
    """Return a sentence on the additional privacy loss of one question alone (M39)."""
    return _typical(
        _(
            "If someone guessed with %(prior)s%% certainty that a person gives some answer, what is sent from this one "
            "answer could raise that to at most %(high)s%%, and lower it to no less than %(low)s%%."
        ),
        factor,
    )


def belief_line_of_survey(factor: Fraction) -> str:
    return _typical(
        _(
            "If someone guessed an answer, or all of them, with %(prior)s%% certainty, the whole report could raise "
            "that to at most %(high)s%%, and lower it to no less than %(low)s%%. That is the extreme: the answers "
            "would have to depend on each other, and all parts of the report would have to speak for the same guess."
        ),
        factor,
    )


def raised(alpha: Fraction) -> str:
    """Return the chance, of 100, that a typical guess can have after a report with this total alpha."""
    return _ends(TYPICAL_PRIOR, meaning.power(float(alpha)))[1]


def _typical(text: str, factor: Fraction) -> str:
    low, high = _ends(TYPICAL_PRIOR, factor)
    return text % {"prior": TYPICAL_PRIOR, "low": low, "high": high}


def _ends(prior: int, factor: Fraction) -> tuple[str, str]:
    low, high = meaning.outward(meaning.belief(Fraction(prior, 100), factor))
    return _("almost 0") if low == 0 else str(low), _("almost 100") if high == 100 else str(high)
