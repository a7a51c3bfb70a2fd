"""One choice of options for each of several items, each of which has a result of its own."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ldp.question import Question
from surveys.figures import cells
from surveys.figures.display import Result
from surveys.figures.layout import Plan
from surveys.rules.draft_schema import Schema, different, positions, text
from surveys.rules.limits import CATEGORIES_MAX, ITEMS_MAX, OPTION_MAX
from surveys.rules.refusals import Refusals
from surveys.rules.refusals import different_texts as read_different_texts
from surveys.rules.shapes import different_texts
from surveys.rules.unchecked import Built, Unchecked
from surveys.survey.kinds.fields import OPTIONS, SAMPLE, SIZE, Field
from surveys.survey.kinds.options import OptionKind
from surveys.survey.kinds.protocol import Kind, Sampling

if TYPE_CHECKING:
    from surveys.figures.drawing import Canvas

ITEMS = Field(
    "items",
    gettext_lazy("Items"),
    different(text(OPTION_MAX), ITEMS_MAX),
    gettext_lazy("One on each line: what each row asks about."),
    widget="lines",
    needed=True,
    rows=4,
    missing=gettext_lazy("Write at least two items, one on each line."),
)


class Grid(OptionKind):
    name: Promise = gettext_lazy("Grid (matrix)")
    purpose: Promise = gettext_lazy("Several things, rated on the same scale.")
    typed_fields: tuple[Field, ...] = (ITEMS, OPTIONS, SAMPLE, SIZE)
    filler_schema: Schema = positions()
    begins: Mapping[str, Any] = {"items": [], "options": []}
    required = frozenset({"items", "options"})
    optional = frozenset({"sample", "size"})
    fields = texts = frozenset({"items", "options"})
    lists: Mapping[str, int] = {"items": ITEMS_MAX, "options": CATEGORIES_MAX}
    sampling = Sampling("items", "items")
    answer = "sets of answers"
    has_order = True  # the same for every item

    def build(self, draft: Unchecked, where: str) -> Built:
        refusals = Refusals()
        items = refusals.attempt(read_different_texts, draft["items"], f"{where}.items", OPTION_MAX, ITEMS_MAX)
        choice = refusals.attempt(super().build, draft, where)
        refusals.check()
        return {"items": items} | (choice or {})

    def layout(self, result: Result, width: str) -> Plan:
        return cells.layout(result, width) if "parts" in result else super().layout(result, width)

    def draw(self, canvas: "Canvas", result: Result) -> None:
        (cells.draw if "parts" in result else super().draw)(canvas, result)

    def alternative(self, result: Result, level: str) -> str:
        if "parts" not in result:
            return super().alternative(result, level)
        words = _(
            "Table of %(items)s items: estimated shares with %(level)s intervals. The tables below hold the numbers."
        )
        return words % {"items": len(result["items"]), "level": level}

    def check(self, question: Unchecked) -> None:
        super().check(question)
        different_texts(question["items"], ITEMS_MAX)

    def usual_filler(self, question: Question) -> object:
        return [super().usual_filler(question)] * len(question["items"])

    def fillers(self, question: Unchecked, options: Sequence[str]) -> list[tuple[object, str]]:
        """One option, which is chosen for every item."""
        items = question.get("items")
        count = len(items) if isinstance(items, list) else 0
        return [([i] * count, option) for i, option in enumerate(options)]

    def filler(self, question: Question) -> str:
        chosen = [question["options"][option] for option in cast(list[int], question["filler"])]
        if len(set(chosen)) == 1:
            return str(chosen[0])
        return "; ".join(f"{item}: {option}" for item, option in zip(question["items"], chosen, strict=True))

    def items(self, question: Question) -> list[str]:
        items: list[str] = question["items"]
        return items


KIND: Kind = Grid()
