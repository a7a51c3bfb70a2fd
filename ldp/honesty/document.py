"""The document of a question's shares with and without correction for inattentive respondents (M42). It is for a
population and one look at one release."""

from collections.abc import Iterator, Sequence
from typing import TypedDict

from ldp.confidences import CONFIDENCES
from ldp.document import Header
from ldp.forms.crossed import Crossed
from ldp.honesty.attention import Corrected
from ldp.inference.variables import Variable
from ldp.tidy import Row, ends
from ldp.weighting.document import Level, levels_of

FORMAT = 1


class CorrectedShare(TypedDict):
    """An option's corrected and uncorrected share. `levels` has its intervals at the document's confidences."""

    option: str
    estimate: float
    standard_error: float
    levels: list[Level]
    uncorrected: float
    uncorrected_standard_error: float


class CorrectedDocument(TypedDict):
    """The document. `anchor` is the attention question's key, `right` its right answer, `attention` the estimated share
    of attentive people. `together` is the number of shares whose simultaneous intervals hold at once."""

    format: int
    header: Header
    n_about: int
    confidences: list[float]
    together: int
    question: str
    text: str
    anchor: str
    anchor_text: str
    right: str
    attention: float
    attention_standard_error: float
    shares: list[CorrectedShare]


def document(header: Header, crossing: Crossed) -> CorrectedDocument:
    """Return the document of a crossing's second question, corrected by the first. Raises like `Corrected`."""
    of = Corrected(crossing)
    attention, error = of.attention
    return {
        "format": FORMAT,
        "header": header,
        "n_about": crossing.n,
        "confidences": list(CONFIDENCES),
        "together": crossing.second.together,
        "question": crossing.second.key,
        "text": crossing.second.text,
        "anchor": crossing.first.key,
        "anchor_text": crossing.first.text,
        "right": crossing.first.options[of.right],
        "attention": attention,
        "attention_standard_error": error,
        "shares": rows_of(crossing.second, of, CONFIDENCES),
    }


def rows_of(variable: Variable, of: Corrected, confidences: Sequence[float]) -> list[CorrectedShare]:
    levels = levels_of(variable, of.intervals, confidences)
    numbers = zip(variable.options, of.estimates.tolist(), of.standard_errors.tolist(), *of.uncorrected, strict=True)
    return [
        {
            "option": option,
            "estimate": estimate,
            "standard_error": error,
            "levels": levels[j],
            "uncorrected": float(plain),
            "uncorrected_standard_error": float(plain_error),
        }
        for j, (option, estimate, error, plain, plain_error) in enumerate(numbers)
    ]


# Laid flat ------------------------------------------------------------------------------------------------------------


def rows(document: CorrectedDocument) -> Iterator[Row]:
    """Yield a row for each category and confidence. It has more fields than a table needs."""
    same: Row = {**document["header"], **document, "right_answer": document["right"]}
    for share in document["shares"]:
        for confidence, level in zip(document["confidences"], share["levels"], strict=True):
            row = same | share | {"corrected": share["estimate"], "confidence": confidence}
            yield row | ends("interval", level["interval"]) | ends("simultaneous", level["simultaneous"])
