"""The site's part of a kind of question, from the draft to the download. The mathematics is in ldp.

A new kind is a module of this folder under its name in ldp.kinds, with a KIND. Kind has the defaults. `question` is a
definition's question. `result` is a result of an estimate's document: a question's texts with its estimates.
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
    """A number beside a plot, with a sentence on its meaning."""

    term: str
    value: str
    meaning: str


class Sampling(NamedTuple):
    """Sampling of `sample` elements of a question's field, drawn at random by the browser. `elements` is the word for
    them. The sample is from `least` to `most`; None means all."""

    field: str
    elements: str
    least: int = 1
    most: int | None = None

    def all(self, question: Mapping[str, Any]) -> int:
        """Return the number of elements to draw from."""
        return len(question[self.field])

    def answers(self, question: Mapping[str, Any]) -> int:
        """Return how many answers each element has: the number of options, or 2 (applies or not)."""
        return len(question["options"]) if self.field == "items" else 2

    def bounds(self, question: Mapping[str, Any]) -> tuple[int, int]:
        """Return the smallest and the largest sample."""
        return self.least, self.most or self.all(question)


class Kind:
    """One kind of question. All results depend on the arguments alone."""

    # The builder: the kind's name, a line on its purpose, its form's fields in order, the fields that some of its
    # questions have instead, and the fields of a new question.
    name: Promise
    purpose: Promise
    typed_fields: tuple[Field, ...] = ()
    special_fields: tuple[Field, ...] = ()
    begins: Mapping[str, Any] = {}

    # The draft: fields that it must have and may have besides those of every kind. Then the reason against “Prefer not
    # to say”, as a rule that follows the field's name; "" if it is allowed.
    required: frozenset[str] = frozenset()
    optional: frozenset[str] = frozenset()
    no_refusing: str = ""
    schema: Schema = {}  # of the kind's fields in a draft, together

    # The definition: the kind's fields; lists of texts that only some of its questions have; other fields that only
    # some have; its translated fields; and what a browser draws, None if a report is about the whole answer.
    fields: frozenset[str]
    more: frozenset[str] = frozenset()
    voluntary: frozenset[str] = frozenset()
    texts: frozenset[str] = frozenset()
    sampling: Sampling | None = None

    # The field with the list that people choose from or order; a draft's lists of texts, with their maximal length; and
    # options that never differ, which no draft names.
    listed: str = "options"
    lists: Mapping[str, int] = {}
    fixed: tuple[str, ...] = ()

    entered: str = ""  # what people enter, "number" or "date"; "" if they choose
    decides: bool = False  # whether its answers can decide whether another question is asked
    pictured: bool = False  # whether its options may have pictures
    # The meaning of the numbers that a designer types for a trial run.
    invented: Promise = gettext_lazy("Shares are made to add up to 100; all left empty they are equal.")

    # Results: the word for the part about which a report says little, an answer or a set; whether options have an
    # order, else they are sorted by estimate; whether they are steps from less to more; the codes of some options in
    # SPSS and Stata files; whether several may apply to a person, each counted separately; whether an option can be the
    # most common answer; whether numbers are averaged, so that there are no options and shares; and the name of a
    # reading in surveys.researcher.results.question.readings, "" for none.
    answer: str = "answers"
    has_order: bool = False
    ordinal: bool = False
    codes: Mapping[int, int] = {}
    several: bool = False
    options_are_answers: bool = True
    averaged: bool = False
    reading: str = ""

    def build(self, draft: Unchecked, where: str) -> Built:
        """Return the kind's fields of the definition; `options`, if any, lack "Prefer not to say". Raise DraftRefused
        with each broken rule; its fields begin with `where`."""
        raise NotImplementedError

    def implied_options(self, question: Mapping[str, Any], words: ImpliedWords) -> list[str] | None:
        """Return the kind's fixed options, without "Prefer not to say"; None if a designer writes them or there are
        none."""
        return None

    def check(self, question: Unchecked) -> None:
        """Raise Misshapen, or a Python error, unless the page can ask with these fields."""
        raise NotImplementedError

    def filler(self, question: Question) -> str:
        """Return in words the answer that is randomized for people who are not asked."""
        raise NotImplementedError

    def items(self, question: Question) -> list[str]:
        """Return the texts of the parts with separate results; [] if the question has one result."""
        return []

    def facts(self, question: Question) -> list[Fact]:
        """Return further facts about the question."""
        return []

    def nothing(self, question: Mapping[str, Any], language: str) -> list[int]:
        """Return the positions of the options that mean, in this language, that nothing applies."""
        return []

    def doubt(self, question: Question, language: str) -> str:
        """Return a doubt that a designer should consider before opening, as part of a sentence; "" for none."""
        return ""

    # Results in words and as a picture -------------------------------------------------------------------------------

    def possible(self, estimates: list[float], result: Result) -> list[float]:
        """Return the possible values nearest to a method's estimates, projected (M14)."""
        raise NotImplementedError

    def written(self, value: float, result: Result, method: Method) -> str:
        """Return a value with the table's decimals; a share in percent, without the percent sign."""
        raise NotImplementedError

    def scale(self, result: Question | Result) -> Scale:
        """Return the scale of the estimated quantity."""
        raise NotImplementedError

    def left_out(self, result: Result) -> str:
        """Return a sentence on answers that no report is about; "" if there are none."""
        return ""

    def sentences(self, result: Result) -> list[str]:
        """Return sentences on the result. All are true if the simultaneous intervals of the first method hold. Empty
        ones are left out."""
        raise NotImplementedError

    def numbers(self, result: Result, method: Method) -> Context:
        """Return a method's estimates for results/table.html: `rows` of shares or a `mean`."""
        raise NotImplementedError

    def alternative(self, result: Result, level: str) -> str:
        """Return the plot in words, for people who do not see it."""
        raise NotImplementedError

    def layout(self, result: Result, width: str) -> Plan:
        """Return the picture's measures without drawing it; `width` is one of WIDTHS."""
        raise NotImplementedError
