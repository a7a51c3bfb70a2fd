"""What a cross-table of two questions would show of so many people, before a survey opens (M31, M34b)."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlencode

from django.http import QueryDict
from django.utils.translation import gettext as _

from ldp.mechanisms import MARGINAL
from surveys.designer.privacy.forms import PAIRS_MOST
from surveys.designer.privacy.questions import Question
from surveys.figures import numerals

if TYPE_CHECKING:
    from ldp.inference.variables import Variable
    from ldp.planning.associations import Expected

DIFFERENCE = 0.1


class Choice(NamedTuple):
    question: Question
    chosen: bool


class Pair(NamedTuple):
    """The form with what is chosen in it, and what follows; nothing does where nobody has asked."""

    first: list[Choice]
    second: list[Choice]
    sentences: list[str]


def pair(questions: Sequence[Question], data: QueryDict, n: int) -> Pair | None:
    """The form of a cross-table, with the questions that can be crossed and what follows; None where there are no
    two."""
    able = with_one_answer(questions)
    if len(able) < 2:
        return None
    names = {question.name: question for question in able}
    first, second = names.get(data.get("cross", "")), names.get(data.get("by", ""))
    if "cross" not in data:
        first, second = _wished(able, data)
    sentences = _sentences(*_in_order(first, second), n) if first and second else []
    return Pair(choices(able, first or able[0]), choices(able, second or able[1]), sentences)


def wishes(data: QueryDict) -> list[tuple[str, str]]:
    """The keys of the pairs that an address says shall be crossed."""
    pairs = zip(data.getlist("first"), data.getlist("second"), strict=False)
    return [pair for pair in pairs if all(pair)][:PAIRS_MOST]


def address(data: QueryDict) -> str:
    """The part of an address that keeps the wished pairs on the way to another page."""
    return urlencode([part for first, second in wishes(data) for part in (("first", first), ("second", second))])


def _wished(able: Sequence[Question], data: QueryDict) -> tuple[Question, Question] | tuple[None, None]:
    """The first wished pair of which a table can be made."""
    keys = {question.key: question for question in able}
    pairs = ((keys.get(first), keys.get(second)) for first, second in wishes(data))
    return next(((one, other) for one, other in pairs if one and other), (None, None))


def with_one_answer(questions: Sequence[Question]) -> list[Question]:
    """The questions that are built and have one answer of several."""
    known = [(question, question.built) for question in questions]
    return [question for question, built in known if built and "options" in built and built["kind"] in MARGINAL]


def choices(able: Sequence[Question], chosen: Question) -> list[Choice]:
    return [Choice(each, each is chosen) for each in able]


def _in_order(first: Question, second: Question) -> tuple[Question, Question]:
    return (first, second) if first.place <= second.place else (second, first)


def _sentences(first: Question, second: Question, n: int) -> list[str]:
    from ldp.inference.variables import CELLS_MAX

    if first.name == second.name:
        return [_("Choose two different questions.")]
    if len({each.form.place for each in (first, second) if each.form}) > 1:
        return [_("They are in two different forms: nobody is asked both, so they cannot be crossed.")]
    one, other = variable(first), variable(second)
    if len(one.options) * len(other.options) > CELLS_MAX:
        return [_("Together they have too many answers for one table.")]
    form = first.form or second.form
    return _power_sentences(expected(first, one, second, other), one, other, n, float(form.share) if form else 1.0)


def variable(question: Question) -> "Variable":
    from ldp.inference import variables

    assert question.built
    return variables.variable([question.built], question.built["key"])


def expected(first: Question, one: "Variable", second: Question, other: "Variable") -> "Expected":
    from ldp.mechanisms import joint
    from ldp.planning import associations, expectation

    together = first.joint.together if first.joint and second.joint else None
    if together is None:
        return associations.apart(one, other)
    places = [together.keys.index(each.key) for each in (first, second)]
    table = joint.marginal(together.table, together.sizes, places)
    return lambda law: expectation.together(one, other, law, table)


def _power_sentences(expected: "Expected", one: "Variable", other: "Variable", n: int, share: float) -> list[str]:
    """What people who are spread evenly over the answers would show: the first answers to both stand for any two."""
    import numpy as np

    from ldp import search
    from ldp.planning import associations

    rows, columns = (np.full(len(each.options), 1 / len(each.options)) for each in (one, other))
    effect = associations.Dependence(rows, columns, 0, 0)
    about = max(1, int(n * share))
    words: dict[str, object] = {"n": numerals.whole(about), "chance": numerals.percent(search.POWER)}
    words |= {"row": one.options[0], "column": other.options[0], "first": one.text}
    words |= {"people": numerals.whole(n), "ten": numerals.number(100 * DIFFERENCE, 0)}
    prospect = associations.Prospect(expected, effect)
    least = prospect.smallest(about)
    if least is None:
        sentences = [
            _(
                "With them, no difference between answers is large enough for a cross-table to show it with a chance "
                "of %(chance)s."
            )
        ]
    else:
        words["points"] = numerals.rounded_up(100 * least)
        sentences = [
            _(
                "With them, a cross-table shows with a chance of %(chance)s that they depend on each other if "
                "“%(column)s” is %(points)s points more common among those who answer “%(row)s” to “%(first)s” than "
                "among the others."
            )
        ]
    needed = prospect.needed(DIFFERENCE) if effect.most >= DIFFERENCE else None
    if needed is not None:
        words |= {"needed": numerals.count_up(int(needed / share)), "both": numerals.count_up(needed)}
        sentences.append(_needed(share))
    return [sentence % words for sentence in [about_both(share), *sentences]]


def about_both(share: float) -> str:
    if share == 1:
        return _("All %(people)s people are asked both.")
    return _("Of %(people)s people, about %(n)s are asked both.")


def _needed(share: float) -> str:
    if share == 1:
        return _("It takes about %(needed)s people to show %(ten)s points.")
    return _("It takes about %(needed)s people, of whom about %(both)s are asked both, to show %(ten)s points.")
