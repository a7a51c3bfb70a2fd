"""The question below which a page compares the versions of a question."""

from collections.abc import Sequence

from ldp.forms.definition import arms_of
from ldp.question import Drawn


def first_version(questions: Sequence[Drawn], key: str) -> tuple[str, int]:
    """Return the first version's key and its place from 1; ("", 0) if the question has one version."""
    order = [question["key"] for question in questions]
    return next(((each, order.index(each) + 1) for each in arms_of(questions, key)), ("", 0))
