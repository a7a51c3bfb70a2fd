"""The width of a release's intervals, and whether the survey's precision is reached."""

from itertools import groupby

from ldp.document import Document
from ldp.planning.stopping import half_width
from ldp.question import Drawn
from ldp.scores import Target
from surveys.figures import display
from surveys.figures.targets import usual_target
from surveys.models import Survey
from surveys.survey import kinds


def by_question(questions: list[Drawn], document: Document, target: Target = "population") -> dict[str, float]:
    """Return the half-width of each question's intervals, as a fraction of its scale; infinite if a part is unknown."""
    groups = groupby(document["questions"], key=lambda result: result["key"].partition(".")[0])
    results = {key: list(own) for key, own in groups}
    widths = {}
    for question in questions:
        kind, own = kinds.of(question), results.get(question["key"], [])
        scale, items = kind.scale(question), len(kind.items(question)) or 1
        widths[question["key"]] = half_width(own, items, document["confidence"], scale.low, scale.high, target)
    return widths


def at_every_release(document: Document | display.Document) -> bool:
    """Return whether the intervals are those of a survey that may end at any release (M29)."""
    methods = (method for result in document["questions"] for method in result["methods"])
    return any(c["population"]["interval_method"] == "sequence" for method in methods for c in method["categories"])


def reached(survey: Survey, document: Document) -> bool:
    """Return whether the survey ends at a precision that this document has reached, for its default target."""
    wished, target = survey.closes_at_half_width, usual_target(survey.definition)
    return wished is not None and max(by_question(survey.questions, document, target).values()) <= wished
