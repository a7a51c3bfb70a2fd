"""What would show that two questions depend on each other, where a cross-table does not (ldp/planning/associations.py).

The example is of the commonest answer to each question, and of a difference that most readers would care for.
"""

from typing import NamedTuple

from django.utils.translation import gettext as _

from ldp.crossing import Crossed
from ldp.inference.projected import onto_simplex
from ldp.planning import associations
from ldp.planning.associations import Dependence
from surveys.figures import numerals

DIFFERENCE = 0.1


class Outlook(NamedTuple):
    """Places of the two answers; the least difference that so many reports show, the reports or the alpha of both
    questions that would show DIFFERENCE, None where none does."""

    row: int
    column: int
    smallest: float | None
    reports: int | None
    alpha: float | None


def of(crossing: Crossed, level: float) -> Outlook | None:
    """At the level of both tests together. None where everybody seems to give one answer: nothing depends on it. Where
    DIFFERENCE is more than people with these shares can have, nothing is said of it."""
    rows, columns = (onto_simplex(shares) for shares, _ in crossing.margins)
    if max(rows.max(), columns.max()) >= 1:
        return None
    effect = Dependence(rows, columns, int(rows.argmax()), int(columns.argmax()))
    least = associations.smallest(associations.expected(crossing), effect, crossing.n, level)
    if effect.most < DIFFERENCE or (least is not None and least <= DIFFERENCE):
        return Outlook(effect.j, effect.k, least, None, None)
    law = effect.law(DIFFERENCE)
    reports = associations.needed(associations.expected(crossing)(law), level)
    return Outlook(effect.j, effect.k, least, reports, associations.alpha_needed(crossing, law, level))


def sentences(crossing: Crossed, level: float, rows: list[str], columns: list[str], share: float) -> list[str]:
    """`rows` and `columns` are the answers as they are shown; `share` is the part of all reports
    that are about both.
    """
    reach = of(crossing, level)
    if reach is None:
        return []
    words = {"row": rows[reach.row], "column": columns[reach.column], "first": crossing.first.text}
    words |= {"n": numerals.whole(crossing.n), "chance": numerals.percent(associations.POWER)}
    return [_least(reach.smallest) % (words | _points(reach.smallest)), *_needed(reach, crossing, words, share)]


def _points(difference: float | None) -> dict[str, str]:
    return {} if difference is None else {"points": numerals.rounded_up(100 * difference)}


def _least(smallest: float | None) -> str:
    if smallest is None:
        return _(
            "With so few reports (%(n)s) and so much added chance, no difference in “%(column)s” between those "
            "who answered “%(row)s” to “%(first)s” and the others, however large, would have been found with a "
            "chance of %(chance)s."
        )
    return _(
        "With a chance of %(chance)s these %(n)s reports would have shown a dependence in which “%(column)s” is at "
        "least %(points)s percentage points more common among those who answered “%(row)s” to “%(first)s” than among "
        "the others."
    )


def _needed(reach: Outlook, crossing: Crossed, words: dict[str, str], share: float) -> list[str]:
    if reach.reports is None:
        return []
    words |= _points(DIFFERENCE) | {"reports": numerals.whole(reach.reports)}
    words |= {"people": numerals.count_up(int(reach.reports / share))}
    sentences = [_both(share) % words]
    if reach.alpha is not None:
        words |= {"alpha": numerals.number(reach.alpha, 1)}
        words |= {"total": numerals.small(associations.alpha_total(crossing), 2)}
        text = _(
            "The present number would do so too if both questions together had an alpha of %(alpha)s; here "
            "they have %(total)s."
        )
        sentences.append(text % words)
    return [" ".join(sentences)]


def _both(share: float) -> str:
    if share == 1:
        return _("About %(reports)s reports about both questions would show %(points)s points with the same chance.")
    return _(
        "About %(people)s people, of whom about %(reports)s report about both questions, would show %(points)s "
        "points with the same chance."
    )
