"""The question under which the versions of one are compared."""

from collections.abc import Sequence

from ldp.forms.definition import arms_of
from ldp.question import Drawn


def first_version(questions: Sequence[Drawn], key: str) -> tuple[str, int]:
    """Return its key and place, from 1 on; empty and 0 where the question is asked in one version."""
    order = [question["key"] for question in questions]
    return next(((each, order.index(each) + 1) for each in arms_of(questions, key)), ("", 0))
