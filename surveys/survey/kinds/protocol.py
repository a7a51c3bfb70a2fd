"""What the site knows of a kind of question, from the draft to the download. The mathematics of a kind are ldp's.

A new kind is a module of this folder under its name in ldp.kinds, with a KIND that provides what Kind lists.
`question` is one of a definition, `result` one of an estimate's document: a question's texts with its estimates.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from django.utils.functional import Promise

from ldp.question import Question
from surveys.figures.display import Method, Result
from surveys.figures.layout import Plan
from surveys.figures.scale import Scale
from surveys.rules.context import Context
from surveys.rules.draft_schema import Schema
from surveys.rules.languages import ImpliedWords
from surveys.rules.refusals import DraftRefused
from surveys.rules.unchecked import Built, Unchecked
from surveys.survey.kinds.fields import Field

if TYPE_CHECKING:  # matplotlib is for processes that draw
    from surveys.figures.drawing import Canvas


class Fact(NamedTuple):
    """A number beside a plot, and in one plain sentence what it means."""

    term: str
    value: str
    meaning: str


class Sampling(NamedTuple):
    """A browser reports on `sample` elements of a field of the question, drawn by chance; people read of `elements`.
    `most` is how many it can draw; None: all."""

    field: str
    elements: str
    least: int = 1
    most: int | None = None

    def all(self, question: Mapping[str, Any]) -> int:
        """Among how many they are drawn."""
        return len(question[self.field])

    def answers(self, question: Mapping[str, Any]) -> int:
        """How many answers there are to each: the options, or whether one of these applies."""
        return len(question["options"]) if self.field == "items" else 2

    def bounds(self, question: Mapping[str, Any]) -> tuple[int, int]:
        """The least and the largest number of drawn elements."""
        return self.least, self.most or self.all(question)


class Kind(Protocol):
    """One kind of question. Everything here depends on its arguments alone."""

    # The builder: what it is called, in one line what it is for, the fields of its form in their order, those that only
    # some of its questions have in place of these, and how a new one begins.
    @property
    def name(self) -> Promise: ...
    @property
    def purpose(self) -> Promise: ...
    @property
    def typed_fields(self) -> tuple[Field, ...]: ...
    @property
    def special_fields(self) -> tuple[Field, ...]: ...
    @property
    def begins(self) -> Mapping[str, Any]: ...

    # The draft: fields that it must and may have beside those of every kind, and why nobody may prefer not to say (a
    # rule that follows on the field's name), empty where people may.
    @property
    def required(self) -> frozenset[str]: ...
    @property
    def optional(self) -> frozenset[str]: ...
    @property
    def no_refusing(self) -> str: ...

    def build(self, draft: Unchecked, where: str) -> Built:
        """The question's own fields as the definition holds them. DraftRefused names each that breaks a rule, beginning
        with `where`. `options`, where there are any, come without "Prefer not to say"."""
        ...

    # What the JSON Schema of drafts says of its filler, and of its fields together.
    @property
    def filler_schema(self) -> Schema: ...
    @property
    def schema(self) -> Schema: ...

    def read_filler(self, question: Unchecked, given: object, where: str) -> object:
        """A draft's filler as the definition holds it. `question` is what `build` made; ldp.kinds says whether it is an
        answer to that, and no_answer in which words it is none."""
        ...

    def usual_filler(self, question: Question) -> object:
        """The filler of a question whose draft names none, as `read_filler` returns it: “Prefer not to say” where it
        can be chosen, else the first answer, the lowest number, or nothing of several."""
        ...

    def no_answer(self, question: Unchecked, where: str, why: str) -> DraftRefused: ...

    def fillers(self, question: Unchecked, options: Sequence[str]) -> list[tuple[object, str]]:
        """The fillers that a designer can choose, each in words; `options` are all of a draft's question."""
        ...

    # The definition: its own fields, and what a browser draws from, None where a report is about the whole answer.
    @property
    def fields(self) -> frozenset[str]: ...
    @property
    def sampling(self) -> Sampling | None: ...

    # Its own fields that only some of its questions have, all of them lists of texts.
    @property
    def more(self) -> frozenset[str]: ...

    # Others, which are no texts, that only some of its questions have.
    @property
    def voluntary(self) -> frozenset[str]: ...

    # Which of its own fields are texts, so that each language of a survey has its own.
    @property
    def texts(self) -> frozenset[str]: ...

    # The field with the list that people choose from or put in order; the fields of a draft that are lists of texts,
    # with the most lines of each; and the options that no draft names because they never differ.
    @property
    def listed(self) -> str: ...
    @property
    def lists(self) -> Mapping[str, int]: ...
    @property
    def fixed(self) -> tuple[str, ...]: ...

    @property
    def entered(self) -> str:
        """What is entered, "number" or "date"; empty where people choose."""
        ...

    @property
    def decides(self) -> bool:
        """Whether its answers can decide whom another question is asked."""
        ...

    @property
    def pictured(self) -> bool:
        """Whether its options may have pictures."""
        ...

    def implied_options(self, question: Mapping[str, Any], words: ImpliedWords) -> list[str] | None:
        """The options that nobody wrote, without "Prefer not to say"; None where there are none such."""
        ...

    def check(self, question: Unchecked) -> None:
        """Misshapen, or a Python error, where these fields are none that the page can ask with."""
        ...

    def filler(self, question: Question) -> str:
        """In words, as which answer whoever is not asked counts."""
        ...

    @property
    def invented(self) -> Promise:
        """What the numbers are that a designer gives for a trial run."""
        ...

    # Results in words. `answer` is what a report says little about: one answer or a set.
    @property
    def answer(self) -> str: ...

    @property
    def has_order(self) -> bool:
        """Whether the order of its options means something; else they are shown by their estimates."""
        ...

    @property
    def ordinal(self) -> bool:
        """Whether its options are steps from less to more."""
        ...

    @property
    def codes(self) -> Mapping[int, int]:
        """The codes that SPSS and Stata files have in place of the numbers of some options."""
        ...

    @property
    def several(self) -> bool:
        """Whether several of its options can apply to one person, each of which is counted by itself."""
        ...

    @property
    def options_are_answers(self) -> bool:
        """Whether an option is an answer that can be the most common one."""
        ...

    @property
    def reading(self) -> str:
        """What the page of its results reads from the shares, by the names of
        surveys.researcher.results.question.readings; empty where that is nothing."""
        ...

    @property
    def averaged(self) -> bool:
        """Whether a number is averaged, so that there are no options and no shares."""
        ...

    def possible(self, estimates: list[float], result: Result) -> list[float]:
        """The nearest possible values to the estimates of a method, projected (M14)."""
        ...

    def written(self, value: float, result: Result, method: Method) -> str:
        """One such value with the decimals of the table, a share in percent without its sign."""
        ...

    def scale(self, result: Question | Result) -> Scale:
        """What is estimated; also of a question."""
        ...

    def items(self, question: Question) -> list[str]:
        """The parts that have a result each; empty where the whole question has one."""
        ...

    def facts(self, question: Question) -> list[Fact]:
        """What else there is to know about the question."""
        ...

    def nothing(self, question: Mapping[str, Any], language: str) -> list[int]:
        """Return the positions of the options that say, in a language, that none of the options applies."""
        ...

    def doubt(self, question: Question, language: str) -> str:
        """Return what a designer should think about before opening, as a part of a sentence; empty for nothing."""
        ...

    def left_out(self, result: Result) -> str:
        """A sentence on what no report is about, empty where that cannot be."""
        ...

    def sentences(self, result: Result) -> list[str]:
        """What can be said, true wherever the simultaneous intervals of the first method hold. Empty ones are none."""
        ...

    def numbers(self, result: Result, method: Method) -> Context:
        """A method's estimates for results/table.html: `rows` of shares or a `mean`."""
        ...

    def alternative(self, result: Result, level: str) -> str:
        """The plot in words, for those who do not see it."""
        ...

    # Results as a picture.
    def layout(self, result: Result, width: str) -> Plan:
        """Its measures, known without drawing; `width` is one of WIDTHS."""
        ...

    def draw(self, canvas: "Canvas", result: Result) -> None:
        """The picture on the canvas. Only here may matplotlib be imported."""
        ...
