"""A form's report: randomizing, packing and tallying its answers, draw by draw (M35, M44)."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, Any, cast

from ldp import kinds, mechanisms, packing
from ldp.forms import definition as definitions
from ldp.forms import schema
from ldp.forms.schema import Definition
from ldp.mechanisms import MARGINAL, SAMPLING_OPTIONS, randomized_response
from ldp.packing import DrawPacking, Packing
from ldp.question import CHANNEL, Answers, Asked, Drawn, Question, of_asked
from ldp.routing import filled
from ldp.scores import Totals
from ldp.subsets import Options, Size
from ldp.words import Uniform

if TYPE_CHECKING:
    from ldp.kernels import Rows
    from ldp.microdata import MicrodataTable
    from ldp.tally import Field


def randomize_question(question: Drawn, answer: Any, uniform: Uniform) -> Any:
    """Return the randomized value of an answer with a separate draw. ValueError names the needed kind of answer."""
    return mechanisms.of_channel(question).randomize(kinds.of(question).answer(question, answer, uniform), uniform)


@dataclass(frozen=True)
class Part:
    """One draw's part of a report. `form` is the form's place; None for a draw for everyone."""

    questions: tuple[Question, ...]
    draw: schema.Draw
    form: int | None = None

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(question["key"] for question in self.questions)

    @property
    def alpha(self) -> str:
        return self.draw["alpha"]

    @property
    def joint(self) -> bool:
        """Return whether the draw is about several questions."""
        return len(self.questions) > 1

    @property
    def sizes(self) -> list[Size]:
        """The number of options that a report lists for each question; for a list or grid (drawn items, options for
        each). Joint draws only."""
        return list(self.draw["table"]["sizes"])

    @cached_property
    def counts(self) -> tuple[Options, ...]:
        """The number of each answer's values; joint draws only."""
        return tuple(definitions.counts(self.questions))

    def alone(self, place: int) -> Drawn:
        """Return the question at this place with its channel."""
        draw: dict[str, object] = {name: value for name, value in self.draw.items() if name != "questions"}
        if self.joint:
            draw["mechanism"] = MARGINAL[self.questions[place]["kind"]]
            table = randomized_response.marginal(self.draw["table"], place)
            if draw["mechanism"] in SAMPLING_OPTIONS:  # one of two is always listed
                del table["size"]
            draw["table"] = table
            draw |= {"joint": True, "together": list(self.keys)}
        if self.form is not None:
            draw["form"] = self.form
        return cast(Drawn, self.questions[place] | draw)

    @cached_property
    def drawn(self) -> tuple[Drawn, ...]:
        """All questions of the draw, each with its channel."""
        return tuple(map(self.alone, range(len(self.questions))))

    def randomize(self, answers: Answers, uniform: Uniform) -> Answers:
        """Return the randomized values by key. First each answer becomes the mechanism's input: a number becomes an end
        of its range, by one uniform integer. Then one draw randomizes all."""
        given = [self._symbol(question, answers, uniform) for question in self.drawn]
        if self.joint:
            lists = randomized_response.draw(given, self.draw["table"], self.counts, uniform)
            values = [_as_sent(question, each) for question, each in zip(self.drawn, lists, strict=True)]
        else:
            values = [mechanisms.of_channel(self.drawn[0]).randomize(given[0], uniform)]
        return dict(zip(self.keys, values, strict=True))

    def _symbol(self, question: Drawn, answers: Answers, uniform: Uniform) -> Any:
        key = question["key"]
        try:
            return kinds.of(question).answer(question, answers[key], uniform)
        except ValueError as refusal:
            raise ValueError(f"{key}: {refusal}") from None

    @cached_property
    def packings(self) -> tuple[Packing, ...]:
        """The packing of each question, in the draw's order."""
        return tuple(mechanisms.of_channel(question).packing() for question in self.drawn)

    @cached_property
    def packing(self) -> DrawPacking:
        return packing.of_draw(self.packings)

    def value(self, answers: Answers) -> list[Any]:
        """Return the values to pack, in the draw's order."""
        return [answers[key] for key in self.keys]

    def tally(self, field: "Field") -> Totals:
        if self.joint:
            return randomized_response.tally(field, self.draw["table"], self.counts)
        return mechanisms.of_channel(self.drawn[0]).tally(field)

    def tables(self, rows: "Rows", start: int) -> dict[str, "MicrodataTable"]:
        """Return the columns of packed reports (ldp/microdata.py) by key, from bit `start` of each report."""
        from ldp import microdata  # intake needs no numpy

        starts = accumulate((own.width for own in self.packings), initial=start)
        return {
            key: microdata.unpacked(rows, begin, own.columns)
            for key, own, begin in zip(self.keys, self.packings, starts, strict=False)
        }

    def field(self, tables: Mapping[str, "MicrodataTable"]) -> "Field":
        """Return the packed bits of these columns. ValueError if a row cannot be a report."""
        from ldp import microdata

        return microdata.field([(tables[key], own.columns) for key, own in zip(self.keys, self.packings, strict=True)])


def _as_sent(question: Drawn, listed: list[Any]) -> list[Any]:
    """Return a question's lists in its own mechanism's format: one bit for each option that applies or does not."""
    return [[item, bit] for item, [bit] in listed] if question["mechanism"] in SAMPLING_OPTIONS else listed


def parts(definition: Definition, form: int) -> list[Part]:
    """Return the parts of the form's reports, in the order of randomizing and packing."""
    questions = {question["key"]: question for question in definition["questions"]}
    everyone, own = definition["draws"], definitions.forms(definition)[form]["draws"]
    in_form = form if "forms" in definition else None
    drawn = [(draw, None) for draw in everyone] + [(draw, in_form) for draw in own]
    return [Part(tuple(questions[key] for key in draw["questions"]), draw, place) for draw, place in drawn]


def alone(definition: Definition, forms: Iterable[int] | None = None) -> list[Drawn]:
    """Return all questions in order, each as if asked alone, for pages, plots and files about one question. A question
    of one form has that form's number; a question of several forms has `asked` (ldp/question.py). Only the draws of
    `forms` count, by default all."""
    channels: dict[str, list[Asked]] = {}
    drawn: dict[str, Drawn] = {}
    weights = definitions.weights(definition)
    for form in range(len(weights)) if forms is None else sorted(forms):
        for own in (own for part in parts(definition, form) for own in part.drawn):
            drawn[own["key"]] = own
            if "form" in own:
                channels.setdefault(own["key"], []).append(_channel_of(own, weights[form]))
    merged = {key: of_asked(drawn[key], every) for key, every in channels.items() if len(every) > 1}
    return [(drawn | merged)[question["key"]] for question in definition["questions"] if question["key"] in drawn]


def _channel_of(question: Drawn, weight: int) -> Asked:
    names = (*CHANNEL, "form", "joint", "together")
    return cast(Asked, {name: question[name] for name in names if name in question} | {"weight": weight})  # type: ignore[literal-required]


def randomize(definition: Definition, form: int, answers: Answers, uniform: Uniform) -> Answers:
    """Return the values of a report of this form by key. Fillers replace answers to unasked questions. KeyError if an
    answer is missing; ValueError names the needed kind of answer."""
    given = filled(definitions.questions_of(definition, form), answers)
    report: Answers = {}
    for part in parts(definition, form):
        report |= part.randomize(given, uniform)
    return report


def fields(definition: Definition, form: int) -> Iterator[tuple[Part, int, int]]:
    """Yield each part of a packed report with its first bit and its number of bits."""
    start = 0
    for part in parts(definition, form):
        yield part, start, part.packing.width
        start += part.packing.width
