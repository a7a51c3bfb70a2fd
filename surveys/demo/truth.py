"""The demo's table: what is true, what the estimates say, and how often the intervals contain the truth."""

from typing import Any, NamedTuple

from surveys.demo.respondents import Answers, true_shares


class Row(NamedTuple):
    question: str
    option: str
    true: float
    estimate: float
    low: float
    high: float

    @property
    def contained(self) -> bool:
        return self.low <= self.true <= self.high


def compare(document: dict[str, Any], people: list[Answers]) -> list[Row]:
    """Every option's true share among these people beside its estimate and simultaneous interval.

    The people are all there are, not a sample, so the interval is the one for the respondents.
    """
    return [
        Row(question["key"], category["option"], true, category["estimate"], *category["respondents"]["simultaneous"])
        for question in document["questions"]
        for category, true in zip(question["methods"][0]["categories"], true_shares(question, people), strict=True)
    ]


def as_text(rows: list[Row]) -> str:
    """The table in fixed columns, shares in percent."""
    width = 44
    lines = [f"{'question':<11} {'option':<{width}} {'true':>6} {'debiased':>9}   interval (simultaneous 95%)"]
    for row in rows:
        option = row.option if len(row.option) <= width else row.option[: width - 1] + "…"
        interval = f"{row.low:6.1%} to {row.high:6.1%}{'' if row.contained else '   misses the truth'}"
        lines.append(f"{row.question:<11} {option:<{width}} {row.true:>6.1%} {row.estimate:>9.1%}   {interval}")
    return "\n".join(lines)
