"""A release's document for pages and pictures: the stored fields, and a reader's choice beside them.
surveys/researcher/results/selection.py makes it from the stored document (ldp/document.py)."""

from collections.abc import Iterable
from typing import NotRequired, TypedDict, cast

from ldp import document
from ldp.document import Precision, QuestionResult


class Category(document.Category):
    """An option, or the mean."""

    shown: NotRequired[Precision]  # for the chosen target, at the chosen confidence
    estimated: NotRequired[bool]  # False: only the interval is known, and `estimate` is its middle


class Method(document.Method):
    """The estimates by one score."""

    categories: list[Category]


class Options(TypedDict):
    """The possible answers of a result."""

    options: list[str]
    prefer_not_to_say: bool


class Result(document.Estimated):
    """The numbers of one table and one plot. Without `target` they describe the population."""

    methods: list[Method]
    target: NotRequired[str]
    level: NotRequired[float]  # of confidence
    planned: NotRequired[bool]  # these are the intervals that informative_n is about
    ended: NotRequired[bool]  # no more reports come
    of_asked: NotRequired[bool]  # of those who were asked alone (results/reached.py)
    bounded: NotRequired[bool]  # of these reports only bound how many they are
    sampled: NotRequired[bool]  # of these it is about the population, though the respondents were chosen
    items: NotRequired[list[str]]  # of a grid as one, which has `parts` and no methods of its own
    parts: NotRequired[list["Result"]]


class Document(document.ReleaseHeader):
    """The release with a reader's choice."""

    questions: list[Result]
    by_group: NotRequired[list[Result]]


def is_estimated(category: Category) -> bool:
    """Return whether there is an estimate, and not only an interval."""
    return category.get("estimated", True)


def has_estimates(result: Result) -> bool:
    """Return whether it has estimates, and not only intervals."""
    return all(map(is_estimated, result["methods"][0]["categories"]))


def displayed(results: Iterable[QuestionResult]) -> list[Result]:
    """Return the results of a stored document for display, without a reader's choice."""
    return cast(list[Result], list(results))
