"""The people of the demo, whose true answers are public: two data sets of statsmodels.

fair: 6,366 women who answered Redbook magazine in 1974. R. C. Fair, A Theory of Extramarital Affairs, Journal of
Political Economy 86 (1978).
anes96: 944 voters whom the American National Election Study asked before the election of 1996; public domain.
"""

from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any
from urllib.parse import urlencode

from statsmodels import datasets

from ldp.kinds.histogram import category
from ldp.question import Answers, Question
from surveys.survey import kinds
from surveys.survey.definition.document import Definition


def _reader(row: Any, age: Question) -> Answers:
    return {
        "affair": 0 if row.affairs > 0 else 1,
        "marriage": int(row.rate_marriage) - 1,
        "religious": int(row.religious) - 1,
        "occupation": int(row.occupation) - 1,
        "age": category(age, Decimal(str(row.age))),
    }


def _voter(row: Any, age: Question) -> Answers:
    return {
        "vote": int(row.vote),
        "party": int(row.PID),
        "placed": [int(row.selfLR) - 1, int(row.ClinLR) - 1, int(row.DoleLR) - 1],
        "news": int(row.TVnews),
        "education": int(row.educ) - 1,
        "age": category(age, Decimal(str(row.age))),
        "income": str(int(row.income)),
    }


PEOPLE: dict[str, Callable[[Any, Question], Answers]] = {"fair": _reader, "anes96": _voter}


# Two questions of one form, of which a cross-table shows something; some form asks any other two of `fair` as well.
CROSSED: dict[str, tuple[str, str]] = {"fair": ("affair", "marriage")}

# A linear model of one question on another, as the page of models has it chosen: for more than one that explains there
# are too few people.
EXPLAINED: dict[str, str] = {"fair": urlencode({"outcome": "affair", "kind": "linear", "as.marriage": "scores"})}


def answers(definition: Definition, people: str = "fair") -> Iterator[Answers]:
    """Each respondent's true answers to the definition made of `draft(people)`, as ldp.privatize takes them."""
    age = next(question for question in definition["questions"] if question["key"] == "age")
    for row in getattr(datasets, people).load_pandas().data.itertuples():
        yield PEOPLE[people](row, age)


def truths(question: Question, people: list[Answers]) -> dict[str, list[float]]:
    """What is true of these people, by the key of a result: the share of each option, or the mean."""
    key = question["key"]
    given = [answers[key] for answers in people]
    if kinds.of(question).averaged:
        return {key: [sum(map(float, given)) / len(given)]}
    if question["kind"] == "grid":
        return {f"{key}.{i}": _shares(list(own), question) for i, own in enumerate(zip(*given, strict=True), 1)}
    return {key: _shares(given, question)}


def _shares(given: list[int], question: Question) -> list[float]:
    return [given.count(j) / len(given) for j in range(len(question["options"]))]
