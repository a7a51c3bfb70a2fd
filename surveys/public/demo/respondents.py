"""The people of the demo, whose true answers are public: two data sets of statsmodels.

Their files are read without the package, since it needs pandas. fair: 6,366 women who answered Redbook magazine in
1974. R. C. Fair, A Theory of Extramarital Affairs, Journal of Political Economy 86 (1978). anes96: 944 voters whom the
American National Election Study asked before the election of 1996; public domain.
"""

import csv
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from importlib.util import find_spec
from pathlib import Path

from ldp.kinds.histogram import category
from ldp.question import Answers, Question
from ldp.regression.specification import Covariate, Specification
from surveys.survey import kinds
from surveys.survey.definition.document import Definition

Row = Mapping[str, str]


def _reader(row: Row, age: Question) -> Answers:
    return {
        "affair": 0 if float(row["affairs"]) > 0 else 1,
        "marriage": _integer(row["rate_marriage"]) - 1,
        "religious": _integer(row["religious"]) - 1,
        "occupation": _integer(row["occupation"]) - 1,
        "age": category(age, Decimal(row["age"])),
    }


def _voter(row: Row, age: Question) -> Answers:
    return {
        "vote": _integer(row["vote"]),
        "party": _integer(row["PID"]),
        "placed": [_integer(row["selfLR"]) - 1, _integer(row["ClinLR"]) - 1, _integer(row["DoleLR"]) - 1],
        "news": _integer(row["TVnews"]),
        "education": _integer(row["educ"]) - 1,
        "age": category(age, Decimal(row["age"])),
        "income": str(_integer(row["income"])),
    }


def _integer(number: str) -> int:
    return int(Decimal(number))


PEOPLE: dict[str, Callable[[Row, Question], Answers]] = {"fair": _reader, "anes96": _voter}


# Two questions of one form with a relation in their cross-table. Other forms ask every other pair of `fair`.
CROSSED: dict[str, tuple[str, str]] = {"fair": ("affair", "marriage")}

# A linear model of one question on another. A model on all others needs about 170,000 people, so it is not computed
# (tests/public/demo/test_design.py).
EXPLAINED: dict[str, Specification] = {
    "fair": Specification("linear", "affair", (Covariate("religious", (1.0, 2.0, 3.0, 4.0)),), scores=(1.0, 0.0))
}


def answers(definition: Definition, people: str = "fair") -> Iterator[Answers]:
    """Yield each respondent's true answers to the definition of `draft(people)`, in the format of ldp.privatize."""
    age = next(question for question in definition["questions"] if question["key"] == "age")
    for row in _rows(people):
        yield PEOPLE[people](row, age)


def _rows(people: str) -> list[dict[str, str]]:
    package = find_spec("statsmodels")
    assert package and package.origin, "requirements-demo.txt has the data sets"
    text = (Path(package.origin).parent / "datasets" / people / f"{people}.csv").read_text(encoding="utf-8")
    dialect = csv.Sniffer().sniff(text.partition("\n")[0], delimiters=",\t")
    names, *rows = csv.reader(text.splitlines(), dialect)
    return [dict(zip((name.strip() for name in names), row, strict=True)) for row in rows]


def truths(question: Question, people: list[Answers]) -> dict[str, list[float]]:
    """Return the true values of these people by a result's key: the share of each option, or the mean."""
    key = question["key"]
    given = [answers[key] for answers in people]
    if kinds.of(question).averaged:
        return {key: [sum(map(float, given)) / len(given)]}
    if question["kind"] == "grid":
        return {f"{key}.{i}": _shares(list(own), question) for i, own in enumerate(zip(*given, strict=True), 1)}
    return {key: _shares(given, question)}


def _shares(given: list[int], question: Question) -> list[float]:
    return [given.count(j) / len(given) for j in range(len(question["options"]))]
