"""The people of the demo: 6,366 women who answered Redbook magazine in 1974 (the data set `fair` of statsmodels).

R. C. Fair, A Theory of Extramarital Affairs, Journal of Political Economy 86 (1978).
"""

import json
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

from statsmodels.datasets import fair

from ldp.kinds.histogram import category

Answers = dict[str, int]


def draft() -> dict[str, Any]:
    data: dict[str, Any] = json.loads(Path(__file__).with_name("draft.json").read_text(encoding="utf-8"))
    return data


def answers(definition: dict[str, Any]) -> Iterator[Answers]:
    """Each respondent's true answers, as category indices of the demo's definition."""
    age = next(question for question in definition["questions"] if question["key"] == "age")
    for row in fair.load_pandas().data.itertuples():
        yield {
            "affair": 0 if row.affairs > 0 else 1,
            "marriage": int(row.rate_marriage) - 1,
            "religious": int(row.religious) - 1,
            "occupation": int(row.occupation) - 1,
            "age": category(age, Decimal(str(row.age))),
        }


def true_shares(question: dict[str, Any], people: list[Answers]) -> list[float]:
    """The share of each category among these people."""
    given = [answers[question["key"]] for answers in people]
    return [given.count(j) / len(given) for j in range(len(question["options"]))]
