"""A report of a form: how its answers are randomized, packed and tallied (M34b, M35); as a report without forms, but
that the answers of a joint form are one part."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NotRequired, cast

from ldp import exact, kinds, mechanisms
from ldp.forms import definition as definitions
from ldp.forms.schema import Definition
from ldp.mechanisms import MARGINAL, joint
from ldp.packing import Packing
from ldp.question import Answers, Question
from ldp.routing import filled
from ldp.scores import Totals
from ldp.words import Uniform

if TYPE_CHECKING:
    from ldp.kernels import Rows
    from ldp.microdata import MicrodataTable
    from ldp.tally import Field


def randomize_question(question: Question, answer: Any, uniform: Uniform) -> Any:
    """The randomized value of an answer with a draw of its own. ValueError says what kind of answer is needed."""
    return mechanisms.of(question).randomize(kinds.of(question).answer(question, answer, uniform), uniform)


@dataclass(frozen=True)
class Single:
    """A question with a draw of its own."""

    question: Question

    @property
    def keys(self) -> tuple[str, ...]:
        return (self.question["key"],)

    def randomize(self, answers: Answers, uniform: Uniform) -> Answers:
        [key] = self.keys
        try:
            return {key: randomize_question(self.question, answers[key], uniform)}
        except ValueError as refusal:
            raise ValueError(f"{key}: {refusal}") from None

    def alone(self, place: int) -> Question:
        return self.question

    @property
    def packing(self) -> Packing:
        return mechanisms.of(self.question).packing()

    def value(self, answers: Answers) -> Any:
        """What is packed of a report."""
        return answers[self.keys[0]]

    def tally(self, field: "Field") -> Totals:
        return mechanisms.of(self.question).tally(field)

    def tables(self, rows: "Rows", start: int) -> dict[str, "MicrodataTable"]:
        """The columns of packed reports (ldp/microdata.py) by key; its bits begin at `start` of each."""
        from ldp import microdata  # whoever takes reports needs no numpy

        return {self.question["key"]: microdata.unpacked(rows, start, self.packing.columns)}

    def field(self, tables: Mapping[str, "MicrodataTable"]) -> "Field":
        """The packed bits of such columns. ValueError where no report has such a row."""
        from ldp import microdata

        return microdata.field(tables[self.question["key"]], self.packing.columns)


class Alone(Question):
    """A question as if it had been asked alone. In a joint form its noise is that of the form's other answers, so it is
    marked: no Crossing of two such questions is made."""

    form: NotRequired[int]
    joint: NotRequired[bool]


@dataclass(frozen=True)
class Joint:
    """The questions of a joint form, randomized together under one alpha."""

    questions: tuple[Question, ...]
    table: exact.Table
    sizes: tuple[int, ...]
    alpha: str

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(question["key"] for question in self.questions)

    def randomize(self, answers: Answers, uniform: Uniform) -> Answers:
        """A number is rounded to an end first, by one uniform integer; then one is drawn for all."""
        given = [self._symbol(place, question, answers, uniform) for place, question in enumerate(self.questions)]
        return dict(zip(self.keys, joint.randomize(given, self.table, self.sizes, uniform), strict=True))

    def _symbol(self, place: int, question: Question, answers: Answers, uniform: Uniform) -> int:
        key = question["key"]
        try:
            return int(kinds.of(question).answer(self.alone(place), answers[key], uniform))
        except ValueError as refusal:
            raise ValueError(f"{key}: {refusal}") from None

    def alone(self, place: int) -> Alone:
        """One of its questions with the form's alpha and the channel that its own answer goes through."""
        question = self.questions[place]
        own = {"alpha": self.alpha, "mechanism": MARGINAL[question["kind"]], "joint": True}
        return cast(Alone, question | own | {"table": joint.marginal(self.table, self.sizes, (place,))})

    @property
    def packing(self) -> Packing:
        return joint.packing(self.table, self.sizes)

    def value(self, answers: Answers) -> list[Any]:
        return [answers[key] for key in self.keys]

    def tally(self, field: "Field") -> Totals:
        return joint.tally(field, self.table, self.sizes)

    def tables(self, rows: "Rows", start: int) -> dict[str, "MicrodataTable"]:
        """As of a single question; each has one column."""
        from ldp import microdata

        return dict(zip(self.keys, microdata.digits(rows, start, self.packing.width, self.sizes), strict=True))

    def field(self, tables: Mapping[str, "MicrodataTable"]) -> "Field":
        """As of a single question."""
        from ldp import microdata

        numbers = microdata.tuple_numbers([tables[key] for key in self.keys], self.sizes)
        return microdata.field(numbers, self.packing.columns)


Part = Single | Joint


def parts(definition: Definition, form: int) -> list[Part]:
    """What a report of the form is made of: the questions with draws of their own in their order, then a joint form's
    own ones. In this order they are drawn and packed."""
    own = definitions.forms(definition)[form]
    if not definitions.is_joint(own):
        return [Single(question) for question in definitions.questions_of(definition, form)]
    together = tuple(definitions.members(definition, form))
    alone = [question for question in definitions.questions_of(definition, form) if question not in together]
    sizes = tuple(definitions.sizes(definition, form))
    return [
        *(Single(question) for question in alone),
        Joint(together, cast(exact.Table, own["table"]), sizes, own["alpha"]),
    ]


def alone(definition: Definition) -> list[Question]:
    """All questions in their order, each as if it had been asked alone: what pages, plots and files of one question are
    made of. One of a form names it."""
    questions: dict[str, Question] = {question["key"]: question for question in definition["questions"]}
    for form, own in enumerate(definitions.forms(definition)):
        for part in parts(definition, form):
            for place, key in enumerate(part.keys):
                if key in own["questions"]:
                    questions[key] = cast(Alone, part.alone(place) | {"form": form})
    return list(questions.values())


def randomize(definition: Definition, form: int, answers: Answers, uniform: Uniform) -> Answers:
    """The report's values by key, of a person with this form; fillers stand for what was not asked. KeyError where an
    answer is missing, ValueError says what kind of answer is needed."""
    given = filled(definitions.questions_of(definition, form), answers)
    report: Answers = {}
    for part in parts(definition, form):
        report |= part.randomize(given, uniform)
    return report


def fields(definition: Definition, form: int) -> Iterator[tuple[Part, int, int]]:
    """For each part of a packed report the bit that it starts from, and how many it has."""
    start = 0
    for part in parts(definition, form):
        yield part, start, part.packing.width
        start += part.packing.width
