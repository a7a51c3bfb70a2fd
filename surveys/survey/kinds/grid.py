"""A choice among the same options for each of several items. Each item has a result."""

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ldp.question import Question
from surveys.figures import cells
from surveys.figures.display import Result
from surveys.figures.layout import Plan
from surveys.rules.draft_schema import different, text
from surveys.rules.limits import CATEGORIES_MAX, ITEMS_MAX, OPTION_MAX
from surveys.rules.refusals import Refusals
from surveys.rules.refusals import different_texts as read_different_texts
from surveys.rules.shapes import different_texts
from surveys.rules.unchecked import Built, Unchecked
from surveys.survey.kinds.fields import OPTIONS, SAMPLE, SIZE, Field
from surveys.survey.kinds.options import OptionKind
from surveys.survey.kinds.protocol import Kind, Sampling

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

    def items(self, question: Question) -> list[str]:
        items: list[str] = question["items"]
        return items


KIND: Kind = Grid()
