"""How wide a question's intervals are planned to be after so many reports, cut nowhere.

What may be said of a release goes by this, never by the width of a published interval: that is cut to what is possible,
and where an estimate lies far outside it can be short while nothing is known (M37).
"""

from typing import Any

from ldp import kinds
from ldp.planning import stopping
from ldp.planning.candidates import asked, of_question
from ldp.planning.outlook import Planner


def half_width(question: dict[str, Any], n: int, confidence: float, every_look: bool = False) -> float:
    """That of a definition's question after n >= 1 reports of its survey, as a share of the scale: of intervals that
    hold at once, at equal shares, of a mean at numbers spread evenly. It is at most outlook.HOPELESS where n is at
    least the result's `informative_n`; 1 and more where nothing at all is known. With `every_look` the intervals hold
    at every release."""
    if every_look:
        return stopping.half_width(question, n, confidence)
    candidate, size = of_question(question), asked(question).size
    planner = Planner(n, None, confidence, kinds.of(question).together(size))
    outlook = planner.outlook(candidate.spread, lambda spread, m: spread / m, candidate.addition)
    return outlook.expected.simultaneous_half_width
