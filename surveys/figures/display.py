"""A release's document for pages and pictures: the stored fields, and a reader's choice beside them.
surveys/researcher/results/selection.py makes it from the stored document (ldp/document.py)."""

from collections.abc import Iterable
from typing import NotRequired, TypedDict, cast

from ldp import document
from ldp.document import Precision, QuestionResult


class Category(document.Category):
    """An option, or the mean."""

    shown: NotRequired[Precision]  # for the selected target and confidence


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
    level: NotRequired[float]  # the confidence, a fraction
    planned: NotRequired[bool]  # informative_n was computed for these intervals
    ended: NotRequired[bool]  # whether no more reports come
    of_asked: NotRequired[bool]  # only among people who were asked (results/reached.py)
    items: NotRequired[list[str]]  # a whole grid's, which has `parts` instead of methods
    parts: NotRequired[list["Result"]]


class Document(document.ReleaseHeader):
    """The release with a reader's choice."""

    questions: list[Result]
    by_group: NotRequired[list[Result]]


def displayed(results: Iterable[QuestionResult]) -> list[Result]:
    """Return the results of a stored document for display, without a reader's choice."""
    return cast(list[Result], list(results))
