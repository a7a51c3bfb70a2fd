"""What holds of a kind of question that says nothing else."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy, gettext_noop

from ldp.question import Question
from surveys.figures.display import Result
from surveys.rules.draft_schema import Schema, position
from surveys.rules.languages import ImpliedWords
from surveys.rules.refusals import DraftRefused, refuse
from surveys.rules.texts import PREFER_NOT_TO_SAY
from surveys.rules.unchecked import Unchecked
from surveys.survey.kinds.fields import Field
from surveys.survey.kinds.protocol import Fact, Sampling


class Base:
    typed_fields: tuple[Field, ...] = ()
    special_fields: tuple[Field, ...] = ()
    begins: Mapping[str, Any] = {}
    required: frozenset[str] = frozenset()
    optional: frozenset[str] = frozenset()
    no_refusing: str = ""
    filler_schema: Schema = position()
    schema: Schema = {}
    texts: frozenset[str] = frozenset()
    more: frozenset[str] = frozenset()
    voluntary: frozenset[str] = frozenset()
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
    codes: Mapping[int, int] = {}
    several: bool = False
    options_are_answers: bool = True
    averaged: bool = False
    reading: str = ""

    def implied_options(self, question: Mapping[str, Any], words: ImpliedWords) -> list[str] | None:
        return None

    def read_filler(self, question: Unchecked, given: object, where: str) -> object:
        return given

    def usual_filler(self, question: Question) -> object:
        options = question["options"]
        return len(options) - 1 if options[-1] == PREFER_NOT_TO_SAY else 0

    def no_answer(self, question: Unchecked, where: str, why: str) -> DraftRefused:
        return refuse(where, "filler_answer", gettext_noop("must be an answer to this question: %(why)s"), why=why)

    def fillers(self, question: Unchecked, options: Sequence[str]) -> list[tuple[object, str]]:
        return list(enumerate(options))

    def items(self, question: Question) -> list[str]:
        return []

    def facts(self, question: Question) -> list[Fact]:
        return []

    def nothing(self, question: Mapping[str, Any], language: str) -> list[int]:
        return []

    def doubt(self, question: Question, language: str) -> str:
        return ""

    def left_out(self, result: Result) -> str:
        return ""
