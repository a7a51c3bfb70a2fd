"""The codebook of a release: all that is needed to read its microdata and to find every published number again."""

from typing import Any

from django.utils.translation import override

from ldp.mechanisms import of
from ldp.question import Question
from surveys import kinds, mechanisms
from surveys.research import columns, formulas
from surveys.results import routing
from surveys.results.glossary import METHODS
from surveys.results.widths import at_every_release

Data = dict[str, Any]

FORMAT = 1
_HEADER = (
    "survey", "title", "digest", "release", "date", "final", "n", "totals_digest", "confidence", "alpha_total",
    "software",
)  # fmt: skip
ROWS = (
    "One row for each report, in an order that tells nothing. A row holds what a browser sent after it randomized the "
    "answers: never an answer, and no id, time or place. A cell is empty where the report is not about the column."
)
INTERVALS = {
    True: "The published intervals hold at all releases of the survey together, however often somebody looks: "
    "interval_method is sequence.",
    False: "The published intervals are made for one look at the survey's last release.",
}


@override("en")  # one file for everybody
def of_release(document: Data, questions: list[Question]) -> Data:
    """`document` is the release's, `questions` are those of the definition."""
    by_key = {question["key"]: question for question in questions}
    every_release = at_every_release(document)
    return {name: document[name] for name in _HEADER} | {
        "format": FORMAT,
        "confidences": confidences(document),
        "every_release": every_release,
        "intervals": INTERVALS[every_release],
        "rows": ROWS,
        "resolution": 2**53,
        "questions": [_question(question, by_key) for question in questions],
    }


def confidences(document: Data) -> list[float]:
    """The confidences at which the release has intervals, increasing."""
    first = document["questions"][0]["methods"][0]["categories"][0]["population"] if document["questions"] else {}
    return sorted([document["confidence"], *(level["confidence"] for level in first.get("levels", []))])


def _question(question: Question, by_key: dict[str, Question]) -> Data:
    """The definition's own fields, and what it does not say of itself."""
    mine, mechanism = columns.of_question(question), mechanisms.of(question)
    cells = of(question).packing().columns
    return question | {
        "microdata": {
            "columns": [{"name": column.name, "about": column.about} for column in mine],
            "low": cells.low,
            "high": cells.high,
            "drawn": cells.drawn,
            "values": [{"value": value, "label": label} for value, label in columns.values(question).items()],
            "quantity": mechanism.quantity(question),
        },
        "estimation": {
            "mechanism": str(mechanism.name),
            "sent": _sent(question),
            "asked_of": routing.sentence(question, by_key),
            "table": mechanism.table,
            "estimate": formulas.estimate(question),
            "methods": [
                formula._asdict() | {"name": str(METHODS[formula.method][0])}
                for formula in formulas.of_question(question)
            ],
        },
    }


def _sent(question: Question) -> str:
    sampling = kinds.of(question).sampling
    sample = f"{question['table']['sample']} of the {sampling.all(question)}" if sampling else ""
    return mechanisms.of(question).sent.format(sample=sample)
