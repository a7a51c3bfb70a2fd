"""One share, or a mean, against a value that the reader names."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ldp.inference.intervals import Interval
from ldp.inference.reading import against
from surveys.figures import numerals
from surveys.results.question.choices import Choices
from surveys.results.question.parts import Section, decimals, level, mean_decimals, number_span, span, whose
from surveys.results.question.released import ReleasedQuestion
from surveys.rules.texts import decimal

WATCHED = gettext_lazy(
    "A p-value is for one look. While the survey may go on, only the interval is right at every look."
)
INEXACT = gettext_lazy("No exact p-value is known for this mechanism; the interval says what can be said.")


def section(released: ReleasedQuestion, chosen: Choices) -> Section:
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
        return Section("against", title, texts, form="against")
    return Section("against", title, texts, notes=_answer(released, chosen), form="against", open=True)


def _answer(released: ReleasedQuestion, chosen: Choices) -> list[str]:
    assert chosen.value is not None
    low, width = _scale(released)
    value = (float(chosen.value) - low) / width if released.is_mean else float(chosen.value) / 100
    tallied, j = released.rows[chosen.option]
    interval = tallied.interval(j, chosen.confidence, chosen.target)
    p_value = against.p_value(tallied, j, value, "greater" if chosen.than == "more" else "less", chosen.target)
    return [_conclusion(released, chosen, interval, value, p_value), _p_value(p_value, released)]


def _conclusion(
    released: ReleasedQuestion, chosen: Choices, interval: Interval, value: float, p_value: float | None
) -> str:
    more = chosen.than == "more"
    beyond = interval.low > value if more else interval.high < value
    other = interval.high < value if more else interval.low > value
    yes = beyond or (p_value is not None and p_value <= 1 - chosen.confidence)
    words = {
        "what": _what(released, chosen),
        "than": _("more than") if more else _("less than"),
        "value": _value(released, chosen),
        "interval": _interval(released, chosen, interval),
        "level": level(chosen),
    }
    if yes:
        text = _("Yes: %(what)s is %(than)s %(value)s, at %(level)s confidence.")
    elif other:
        text = _("No: %(what)s is not %(than)s %(value)s, at %(level)s confidence.")
    else:
        text = _("We do not know whether %(what)s is %(than)s %(value)s.")
    sentences = [text % words, _("The %(level)s interval goes from %(interval)s.") % words]
    if yes and not beyond:
        sentences.append(
            _("The interval looks both ways and reaches the value; a test that looks only one way excludes it.")
        )
    return " ".join(sentences)


def _p_value(p_value: float | None, released: ReleasedQuestion) -> str:
    if p_value is None and released.watched:
        return str(WATCHED)
    if p_value is None:
        return str(INEXACT)
    shown = numerals.rounded_up(p_value) if p_value >= 0.0001 else "0.0001"
    text = _(
        "The exact one-sided p-value is at most %(p)s: the chance that reports speak so strongly for it, or more "
        "strongly, where it is not so."
    )
    return text % {"p": shown}


def _scale(released: ReleasedQuestion) -> tuple[float, float]:
    if not released.is_mean:
        return 0.0, 1.0
    low, high = float(released.question["low"]), float(released.question["high"])
    return low, high - low


def _what(released: ReleasedQuestion, chosen: Choices) -> str:
    if released.is_mean:
        return _("the mean %(whose)s") % {"whose": whose(released, chosen)}
    words = {"option": released.options[chosen.option], "whose": whose(released, chosen)}
    return _("the share of “%(option)s” %(whose)s") % words


def _value(released: ReleasedQuestion, chosen: Choices) -> str:
    assert chosen.value is not None
    text = numerals.decimal(decimal(chosen.value))
    return numerals.with_unit(text, released.question["unit"]) if released.is_mean else f"{text}%"


def _interval(released: ReleasedQuestion, chosen: Choices, interval: Interval) -> str:
    if not released.is_mean:
        return span(interval, decimals(released, chosen)) + "%"
    low, width = _scale(released)
    ends = Interval(*(low + width * end for end in interval))
    return number_span(ends, mean_decimals(released, chosen), released.question["unit"])
