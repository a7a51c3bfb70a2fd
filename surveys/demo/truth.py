"""The demo's table: what is true, what the estimates say, and how often the intervals contain the truth."""

from typing import NamedTuple

from ldp.document import Document, QuestionResult
from ldp.inference.estimates import Target
from ldp.question import Answers, Question
from surveys import kinds
from surveys.demo.respondents import truths

WIDTH = 44


class Row(NamedTuple):
    question: str
    option: str
    true: float
    estimate: float
    low: float
    high: float
    is_share: bool = True

    @property
    def contained(self) -> bool:
        return self.low <= self.true <= self.high


def compare(document: Document, questions: list[Question], people: list[Answers]) -> list[Row]:
    """Every option's true share among these people, and every true mean, beside its estimate and simultaneous interval.

    The people are all there are, not a sample, so the interval is the one for the respondents; where only a part of
    them was asked, it is the one for the population, which they are a sample of.
    """
    true = {key: values for question in questions for key, values in truths(question, people).items()}
    return [
        Row(result["key"], category["option"], value, category["estimate"], low, high, not kinds.of(result).averaged)
        for result in document["questions"]
        for category, value in zip(result["methods"][0]["categories"], true[result["key"]], strict=True)
        for low, high in [category[_target(result, document["n"])]["simultaneous"]]
    ]


def _target(result: QuestionResult, n: int) -> Target:
    return "respondents" if result["n_about"] == n else "population"


def as_text(rows: list[Row]) -> str:
    """The table in fixed columns, shares in percent."""
    lines = [f"{'question':<11} {'option':<{WIDTH}} {'true':>6} {'debiased':>9}   interval (simultaneous 95%)"]
    for row in rows:
        option = row.option if len(row.option) <= WIDTH else row.option[: WIDTH - 1] + "…"
        true, estimate, low, high = (_number(value, row.is_share) for value in row[2:6])
        interval = f"{low:>6} to {high:>6}{'' if row.contained else '   misses the truth'}"
        lines.append(f"{row.question:<11} {option:<{WIDTH}} {true:>6} {estimate:>9}   {interval}")
    return "\n".join(lines)


def _number(value: float, is_share: bool) -> str:
    return f"{value:.1%}" if is_share else f"{value:.2f}"
