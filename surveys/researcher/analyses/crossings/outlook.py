"""The reports needed to show that two questions depend on each other, if a cross-table shows nothing.

The calculation is in ldp/planning/associations.py. The example is the most common answer to each question, with a
difference that matters to most readers.
"""

from django.utils.translation import gettext as _

from ldp import search
from ldp.crossing import CrossingDocument
from ldp.forms.crossed import Crossed
from ldp.forms.pooled_cells import PooledCells
from ldp.planning import associations
from ldp.planning.associations import Outlook
from surveys.figures import numerals


def of(document: CrossingDocument, confidence: float) -> Outlook | None:
    return next((outlook for outlook in document["outlook"] if outlook["confidence"] == confidence), None)


def sentences(reach: Outlook | None, crossing: Crossed, rows: list[str], columns: list[str], share: float) -> list[str]:
    """Return the sentences. `rows` and `columns` are answers as shown, `share` the fraction of reports about both."""
    if reach is None:
        return []
    words = {"row": rows[reach["row"]], "column": columns[reach["column"]], "first": crossing.first.text}
    words |= {"n": numerals.integer(crossing.n), "chance": numerals.percent(search.POWER)}
    return [_least(reach["smallest"]) % (words | _points(reach["smallest"])), *_needed(reach, crossing, words, share)]


def _points(difference: float | None) -> dict[str, str]:
    return {} if difference is None else {"points": numerals.rounded_up(100 * difference)}


def _least(smallest: float | None) -> str:
    if smallest is None:
        return _(
            "These %(n)s reports are too few at this alpha: even the largest difference in “%(column)s” between those "
            "who answered “%(row)s” to “%(first)s” and the others would not have been found with a chance of "
            "%(chance)s."
        )
    return _(
        "With a chance of %(chance)s, these %(n)s reports would have shown a relation in which “%(column)s” is at "
        "least %(points)s percentage points more common among those who answered “%(row)s” to “%(first)s” than among "
        "the others."
    )


def _needed(reach: Outlook, crossing: Crossed, words: dict[str, str], share: float) -> list[str]:
    if reach["reports"] is None:
        return []
    words |= _points(associations.DIFFERENCE) | {"reports": numerals.integer(reach["reports"])}
    words |= {"people": numerals.count_up(int(reach["reports"] / share))}
    sentences = [_both(share) % words]
    if reach["alpha"] is not None and not isinstance(crossing, PooledCells):
        words |= {"alpha": numerals.number(reach["alpha"], 1)}
        words |= {"total": numerals.small(associations.alpha_total(crossing), 2)}
        text = _(
            "The present number would be enough if both questions together had an alpha of %(alpha)s; here they have "
            "%(total)s."
        )
        sentences.append(text % words)
    return [" ".join(sentences)]


def _both(share: float) -> str:
    if share == 1:
        return _("About %(reports)s reports about both questions would show %(points)s points with the same chance.")
    return _(
        "About %(people)s people would show %(points)s points with the same chance; about %(reports)s of them report "
        "about both questions."
    )
