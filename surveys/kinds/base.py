"""What holds of a kind of question that says nothing else."""

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from ldp.question import Question
from surveys.figures.display import Result
from surveys.kinds.protocol import Fact, Sampling
from surveys.rules.languages import OwnWords


class Base:
    begins: Mapping[str, Any] = {}
    required: frozenset[str] = frozenset()
    optional: frozenset[str] = frozenset()
    no_refusing: str = ""
    texts: frozenset[str] = frozenset()
    more: frozenset[str] = frozenset()
    listed: str = "options"
    lists: Mapping[str, int] = {}
    fixed: tuple[str, ...] = ()
    entered: str = ""
    decides: bool = False
    pictured: bool = False
    sampling: Sampling | None = None
    invented: Promise = gettext_lazy("Shares are made to add up to 100; all left empty they are equal.")
    answer: str = "answers"
    has_order: bool = False
    ordinal: bool = False
    sent: Promise | None = None
    several: bool = False
    options_are_answers: bool = True
    averaged: bool = False
    reading: str = ""

    def own_options(self, question: Mapping[str, Any], words: OwnWords) -> list[str] | None:
        return None

    def items(self, question: Question) -> list[str]:
        return []

    def facts(self, question: Question) -> list[Fact]:
        return []

    def left_out(self, result: Result) -> str:
        return ""
