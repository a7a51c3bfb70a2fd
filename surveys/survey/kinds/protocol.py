"""The site's part of a kind of question, from the draft to the download. Its mathematics is in ldp.

A new kind is a module of this folder under its name in ldp.kinds, with a KIND: what it does not say is as Kind has it.
`question` is one of a definition; `result` is one of an estimate's document: a question's texts with its estimates.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from ldp.question import Question
from surveys.figures.display import Method, Result
from surveys.figures.layout import Plan
from surveys.figures.scale import Scale
from surveys.rules.context import Context
from surveys.rules.draft_schema import Schema
from surveys.rules.languages import ImpliedWords
from surveys.rules.unchecked import Built, Unchecked
from surveys.survey.kinds.fields import Field


class Fact(NamedTuple):
    """A number beside a plot, and one plain sentence on its meaning."""

    term: str
    value: str
    meaning: str


class Sampling(NamedTuple):
    """A browser reports on `sample` elements of a field of the question, drawn at random; `elements` is the word for
    them. It can draw from `least` to `most`; None: all."""

    field: str
    elements: str
    least: int = 1
    most: int | None = None

    def all(self, question: Mapping[str, Any]) -> int:
        """Return among how many elements they are drawn."""
        return len(question[self.field])

    def answers(self, question: Mapping[str, Any]) -> int:
        """Return how many answers each element has: the number of options, or 2 for whether it applies."""
        return len(question["options"]) if self.field == "items" else 2

    def bounds(self, question: Mapping[str, Any]) -> tuple[int, int]:
        """Return the least and the largest number of drawn elements."""
        return self.least, self.most or self.all(question)


class Kind:
    """One kind of question. Everything here depends on its arguments alone."""

    # The builder: the kind's name, one line on its purpose, the fields of its form in order, the fields that some of
    # its questions have instead, and the fields of a new question.
    name: Promise
    purpose: Promise
    typed_fields: tuple[Field, ...] = ()
    special_fields: tuple[Field, ...] = ()
    begins: Mapping[str, Any] = {}

    # The draft: fields that it must and may have in addition to those of every kind, and why there is no “Prefer not to
    # say” (a rule that follows the field's name), empty where there can be.
    required: frozenset[str] = frozenset()
    optional: frozenset[str] = frozenset()
    no_refusing: str = ""
    schema: Schema = {}  # of a draft's fields together

    # The definition: the kind's own fields; those that only some of its questions have, which are lists of texts; other
    # fields, not texts, that only some have; which of its own fields are translated; and what a browser draws, None
    # where a report is about the whole answer.
    fields: frozenset[str]
    more: frozenset[str] = frozenset()
    voluntary: frozenset[str] = frozenset()
    texts: frozenset[str] = frozenset()
    sampling: Sampling | None = None

    # The field with the list that people choose from or put in order; the fields of a draft that are lists of texts,
    # with the most lines of each; and the options that no draft names because they never differ.
    listed: str = "options"
    lists: Mapping[str, int] = {}
    fixed: tuple[str, ...] = ()

    entered: str = ""  # what people enter, "number" or "date"; empty where they choose
    decides: bool = False  # whether its answers can decide who is asked another question
    pictured: bool = False  # whether its options may have pictures
    # What the numbers mean that a designer gives for a trial run.
    invented: Promise = gettext_lazy("Shares are made to add up to 100; all left empty they are equal.")

    # Results: the word for what a report says little about, one answer or a set; whether its options have an order,
    # else they are shown in that of their estimates; whether they are steps from less to more; the codes that SPSS and
    # Stata files have in place of the numbers of some options; whether several can apply to one person, each counted by
    # itself; whether an option is an answer that can be the most common one; whether a number is averaged, so that
    # there are no options and no shares; and what its page reads from the shares, a name of
    # surveys.researcher.results.question.readings, empty for nothing.
    answer: str = "answers"
    has_order: bool = False
    ordinal: bool = False
    codes: Mapping[int, int] = {}
    several: bool = False
    options_are_answers: bool = True
    averaged: bool = False
    reading: str = ""

    def build(self, draft: Unchecked, where: str) -> Built:
        """Return the kind's own fields as the definition holds them; `options`, if any, are without "Prefer not to
        say". Raise DraftRefused, which names each field that breaks a rule, beginning with `where`."""
        raise NotImplementedError

    def implied_options(self, question: Mapping[str, Any], words: ImpliedWords) -> list[str] | None:
        """Return the options that the kind itself gives, without "Prefer not to say"; None where a designer writes
        them, or there are none."""
        return None

    def check(self, question: Unchecked) -> None:
        """Raise Misshapen, or a Python error, unless the page can ask with these fields."""
        raise NotImplementedError

    def filler(self, question: Question) -> str:
        """Return in words the answer that is randomized for people who are not asked."""
        raise NotImplementedError

    def items(self, question: Question) -> list[str]:
        """Return the texts of the parts that have a result each; empty where the whole question has one result."""
        return []

    def facts(self, question: Question) -> list[Fact]:
        """Return further facts about the question."""
        return []

    def nothing(self, question: Mapping[str, Any], language: str) -> list[int]:
        """Return the positions of the options that say, in a language, that none of the options applies."""
        return []

    def doubt(self, question: Question, language: str) -> str:
        """Return what a designer should reconsider before opening, as a part of a sentence; empty for nothing."""
        return ""

    # Results in words and as a picture -------------------------------------------------------------------------------

    def possible(self, estimates: list[float], result: Result) -> list[float]:
        """Return the possible values nearest to the estimates of a method, projected (M14)."""
        raise NotImplementedError

    def written(self, value: float, result: Result, method: Method) -> str:
        """Return one such value with the decimals of the table; a share in percent, without the percent sign."""
        raise NotImplementedError

    def scale(self, result: Question | Result) -> Scale:
        """Return the scale of what is estimated, for a question or a result."""
        raise NotImplementedError

    def left_out(self, result: Result) -> str:
        """Return a sentence on what no report is about, empty where that cannot be."""
        return ""

    def sentences(self, result: Result) -> list[str]:
        """Return sentences on the result, all true wherever the simultaneous intervals of the first method hold; empty
        ones are left out."""
        raise NotImplementedError

    def numbers(self, result: Result, method: Method) -> Context:
        """Return a method's estimates for results/table.html: `rows` of shares or a `mean`."""
        raise NotImplementedError

    def alternative(self, result: Result, level: str) -> str:
        """Return the plot in words, for those who do not see it."""
        raise NotImplementedError

    def layout(self, result: Result, width: str) -> Plan:
        """Return the picture's measures without drawing it; `width` is one of WIDTHS."""
        raise NotImplementedError
