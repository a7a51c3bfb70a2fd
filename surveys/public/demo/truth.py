"""The demo's table: the truth, the estimates, and how often the intervals contain the truth."""

from collections.abc import Sequence
from typing import NamedTuple

from ldp.document import Document
from ldp.question import Answers, Question, asked_in
from ldp.scores import Target
from surveys.public.demo.respondents import truths
from surveys.survey import kinds

WIDTH = 44
ABOUT: dict[Target, str] = {
    "respondents": "of exactly the people who were asked",
    "population": "of the population",
}


class TruthRow(NamedTuple):
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


def compare(
    document: Document,
    questions: Sequence[Question],
    people: list[Answers],
    forms: Sequence[int] = (),
    target: Target = "respondents",
) -> list[TruthRow]:
    """Return every option's true share, and every true mean, with its estimate and simultaneous interval.

    For `respondents`, the truth is that of people who drew the question's form; `forms` has each person's form. For
    `population`, it is that of all people.
    """
    by_question = {
        question["key"]: people
        if target == "population" or asked_in(question) is None
        else [own for own, form in zip(people, forms, strict=True) if form in (asked_in(question) or [])]
        for question in questions
    }
    true = {
        key: values for question in questions for key, values in truths(question, by_question[question["key"]]).items()
    }
    return [
        TruthRow(
            result["key"], category["option"], value, category["estimate"], low, high, not kinds.of(result).averaged
        )
        for result in document["questions"]
        for category, value in zip(result["methods"][0]["categories"], true[result["key"]], strict=True)
        for low, high in [category[target]["simultaneous"]]
    ]


def as_text(rows: list[TruthRow], target: Target = "respondents") -> str:
    """Return the table with fixed columns and shares in percent, and how many intervals contain the truth."""
    contained = sum(row.contained for row in rows)
    return (
        f"{_table(rows)}\n{contained} of {len(rows)} true values {ABOUT[target]} lie in their simultaneous intervals."
    )


def _table(rows: list[TruthRow]) -> str:
    lines = [f"{'question':<11} {'option':<{WIDTH}} {'true':>6} {'debiased':>9}   interval (simultaneous 95%)"]
    for row in rows:
        option = row.option if len(row.option) <= WIDTH else row.option[: WIDTH - 1] + "…"
        true, estimate, low, high = (_number(value, row.is_share) for value in row[2:6])
        interval = f"{low:>6} to {high:>6}{'' if row.contained else '   misses the truth'}"
        lines.append(f"{row.question:<11} {option:<{WIDTH}} {true:>6} {estimate:>9}   {interval}")
    return "\n".join(lines)


def _number(value: float, is_share: bool) -> str:
    return f"{value:.1%}" if is_share else f"{value:.2f}"
