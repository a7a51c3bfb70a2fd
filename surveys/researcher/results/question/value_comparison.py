"""Compare a share or a mean with a reader's value."""

from typing import Literal, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ldp.inference.intervals import Interval
from ldp.inference.reading import significance
from surveys.figures import numerals
from surveys.researcher.results.question.parts import (
    PageSection,
    decimals,
    level,
    mean_decimals,
    number_span,
    span,
    whose,
)
from surveys.researcher.results.question.selection import QuestionSelection
from surveys.researcher.results.reached import among_reached
from surveys.researcher.results.released import ReleasedQuestion
from surveys.rules.texts import decimal

WATCHED = gettext_lazy("A p-value is for one look. Here only the interval is valid, at every release.")
INEXACT = gettext_lazy("No exact p-value is known for this mechanism; use the interval.")


def section(released: ReleasedQuestion, chosen: QuestionSelection) -> PageSection:
    title = _("Is it more, or less, than a value?")
    texts = [
        _(
            "Ask this about one answer and one value that you picked before you looked. The interval is the one for a "
            "single answer."
        )
    ]
    if released.is_mean:
        texts = [_("Ask this about a value that you picked before you looked.")]
    if chosen.value is None:
        return PageSection("against", title, texts, selection="against")
    return PageSection("against", title, texts, notes=_answer(released, chosen), selection="against", open=True)


class ValueVerdict(NamedTuple):
    """The verdict of reports on a value on the scale from 0 to 1, on which the interval is, too. `estimate`: None where
    only the interval is known."""

    value: float
    estimate: float | None
    interval: Interval
    p_value: float | None
    more: bool
    confidence: float

    @property
    def beyond(self) -> bool:
        """Return whether the interval alone confirms the comparison."""
        return self.interval.low > self.value if self.more else self.interval.high < self.value

    @property
    def answer(self) -> Literal["yes", "no", "unknown"]:
        if self.beyond or (self.p_value is not None and self.p_value <= 1 - self.confidence):
            return "yes"
        other = self.interval.high < self.value if self.more else self.interval.low > self.value
        return "no" if other else "unknown"


def verdict(released: ReleasedQuestion, chosen: QuestionSelection) -> ValueVerdict:
    """Return the verdict on the reader's value."""
    assert chosen.value is not None
    low, width = scale(released)
    value = (float(chosen.value) - low) / width if released.is_mean else float(chosen.value) / 100
    tallied, j = released.rows[chosen.option]
    if numbers := among_reached(released, chosen.confidence, chosen.target):
        number = numbers[chosen.option]
        return ValueVerdict(value, number.estimate, number.interval, None, chosen.than == "more", chosen.confidence)
    interval = tallied.interval(j, chosen.confidence, chosen.target)
    p_value = significance.p_value(tallied, j, value, "greater" if chosen.than == "more" else "less", chosen.target)
    return ValueVerdict(value, float(tallied.shares[j]), interval, p_value, chosen.than == "more", chosen.confidence)


def _answer(released: ReleasedQuestion, chosen: QuestionSelection) -> list[str]:
    one = verdict(released, chosen)
    return [_conclusion(released, chosen, one), untested(released) if one.p_value is None else _p_value(one.p_value)]


def _conclusion(released: ReleasedQuestion, chosen: QuestionSelection, one: ValueVerdict) -> str:
    words = {
        "what": _what(released, chosen),
        "than": _("more than") if one.more else _("less than"),
        "value": _value(released, chosen),
        "interval": _interval(released, chosen, one.interval),
        "level": numerals.percent(chosen.confidence),
    }
    if one.answer == "yes":
        text = _("Yes: %(what)s is %(than)s %(value)s, at %(level)s confidence.")
    elif one.answer == "no":
        text = _("No: %(what)s is not %(than)s %(value)s, at %(level)s confidence.")
    else:
        text = _("We do not know whether %(what)s is %(than)s %(value)s.")
    sentences = [text % words, _("The %(level)s interval goes from %(interval)s.") % (words | {"level": level(chosen)})]
    if one.answer == "yes" and not one.beyond:
        sentences.append(_("The interval is two-sided and reaches the value; a one-sided test excludes it."))
    return " ".join(sentences)


def untested(released: ReleasedQuestion) -> str:
    """Return why there is no p-value."""
    return str(WATCHED if released.watched else INEXACT)


def _p_value(p_value: float) -> str:
    shown = numerals.rounded_up(p_value) if p_value >= 0.0001 else numerals.local("0.0001")
    text = _(
        "The exact one-sided p-value is at most %(p)s: the chance of reports that support it this strongly, or more "
        "strongly, if it is not true."
    )
    return text % {"p": shown}


def scale(released: ReleasedQuestion) -> tuple[float, float]:
    """Return the lowest value and the length of a mean's scale."""
    if not released.is_mean:
        return 0.0, 1.0
    low, high = float(released.question["low"]), float(released.question["high"])
    return low, high - low


def _what(released: ReleasedQuestion, chosen: QuestionSelection) -> str:
    if released.is_mean:
        return _("the mean %(whose)s") % {"whose": whose(released, chosen)}
    words = {"option": released.names[chosen.option], "whose": whose(released, chosen)}
    return _("the share of “%(option)s” %(whose)s") % words


def _value(released: ReleasedQuestion, chosen: QuestionSelection) -> str:
    assert chosen.value is not None
    text = numerals.decimal(decimal(chosen.value))
    return numerals.with_unit(text, released.question["unit"]) if released.is_mean else numerals.percentage(text)


def _interval(released: ReleasedQuestion, chosen: QuestionSelection, interval: Interval) -> str:
    assert chosen.value is not None
    value = float(chosen.value)
    if not released.is_mean:
        return numerals.percentage(span(interval, decimals(released, chosen), value / 100))
    low, width = scale(released)
    ends = Interval(*(low + width * end for end in interval))
    return number_span(ends, mean_decimals(released, chosen), released.question["unit"], value)
