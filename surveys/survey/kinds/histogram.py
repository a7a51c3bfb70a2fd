"""A number, counted in bins."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from itertools import pairwise
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from ldp.question import Question
from surveys.figures import layout, numerals
from surveys.figures.display import Result
from surveys.figures.layout import Plan
from surveys.rules.draft_schema import listed, says
from surveys.rules.draft_schema import number as number_schema
from surveys.rules.languages import DEFAULT, ImpliedWords, implied_words
from surveys.rules.limits import CATEGORIES_MAX, UNIT_MAX
from surveys.rules.refusals import Refusals, refuse, unit
from surveys.rules.shapes import increasing, must, option_count
from surveys.rules.texts import decimal, is_text
from surveys.rules.unchecked import Built, Unchecked
from surveys.survey.kinds import numbers
from surveys.survey.kinds.fields import LIMITS, UNIT, WHOLE, Field
from surveys.survey.kinds.options import OptionKind
from surveys.survey.kinds.protocol import Fact, Kind

EDGES = Field(
    "edges",
    gettext_lazy("Edges"),
    listed(number_schema(), 3, CATEGORIES_MAX + 1) | says("Increasing; a bin ends where the next begins."),
    gettext_lazy(
        "One number on each line; a bin ends where the next begins. Of whole numbers 0, 1, 3 make “0” and “1 to 2”."
    ),
    widget="lines",
    entered="number",
    needed=True,
    missing=gettext_lazy("Write at least three edges, one on each line, or fill them in from a range."),
    least=3,
)


class Histogram(OptionKind):
    name: Promise = gettext_lazy("Number")
    purpose: Promise = gettext_lazy("Such as an age or hours. Results show how common each range is.")
    typed_fields: tuple[Field, ...] = (UNIT, LIMITS, EDGES)
    begins: Mapping[str, Any] = {"limits": WHOLE, "edges": []}
    required = frozenset({"edges"})
    optional = frozenset({"unit", "limits", "delta", "size"})
    fields = frozenset({"edges", "options", "unit"})
    voluntary = frozenset({"limits"})
    has_order = ordinal = True
    texts = frozenset({"unit"})
    lists: Mapping[str, int] = {}
    entered = "number"
    reading = "bins"

    def build(self, draft: Unchecked, where: str) -> Built:
        refusals = Refusals()
        limits = refusals.attempt(numbers.limits, draft, where) or {}
        edges = refusals.attempt(_edges, draft["edges"], f"{where}.edges", limits)
        its_unit = refusals.attempt(unit, draft, where)
        refusals.check()
        own: Built = {"edges": edges, "unit": its_unit} | limits
        return {"options": self.implied_options(own, implied_words(DEFAULT))} | own

    def implied_options(self, question: Mapping[str, Any], words: ImpliedWords) -> list[str]:
        """Return the labels of the bins. Without limits, the labels of the outer bins show that they also count numbers
        beyond the outer edges. Bins of whole numbers are named by their first and last number."""
        if question.get("limits") == WHOLE:
            return _of_whole_numbers(list(map(Decimal, question["edges"])), words)
        edges = [words.number(decimal(Decimal(edge))) for edge in question["edges"]]
        inner = [words.between.format(low, high) for low, high in pairwise(edges[1:-1])]
        return [words.under.format(edges[1]), *inner, words.or_more.format(edges[-2])]

    def check(self, question: Unchecked) -> None:
        increasing(question["edges"])
        must(is_text(question["unit"], UNIT_MAX, empty=True))
        must(option_count(question) == len(question["edges"]) - 1)
        numbers.check(question, question["edges"])

    def _picture(self, result: Result) -> str:
        return _("Histogram")

    def filler(self, question: Question) -> str:
        return numerals.with_unit(super().filler(question), question["unit"])

    def facts(self, question: Question) -> list[Fact]:
        meaning = numbers.limits_in_words(question)
        ends = numerals.to(*map(numerals.decimal, numbers.ends(question)))
        return [Fact(_("Limits"), numerals.with_unit(ends, question["unit"]), meaning)] if meaning else []

    def layout(self, result: Result, width: str) -> Plan:
        return layout.bins(result, width)


def _of_whole_numbers(edges: Sequence[Decimal], words: ImpliedWords) -> list[str]:
    ranges = [(words.number(decimal(low)), words.number(decimal(high - 1))) for low, high in pairwise(edges)]
    names = [low if low == high else words.through.format(low, high) for low, high in ranges]
    low, high = ranges[-1]
    return [*names[:-1], low if low == high else words.or_more.format(low)]


def _edges(edges: object, where: str, limits: Mapping[str, Any]) -> list[str]:
    if not isinstance(edges, list) or not 3 <= len(edges) <= CATEGORIES_MAX + 1:
        rule = gettext_noop("must be a list of 3 to %(most)s numbers")
        raise refuse(where, "list_length", rule, least=3, most=CATEGORIES_MAX + 1)
    refusals = Refusals()
    read = [refusals.attempt(numbers.end, edge, f"{where}[{i}]", limits) for i, edge in enumerate(edges)]
    refusals.check()
    given = [edge for edge in read if edge is not None]
    if any(Decimal(low) >= Decimal(high) for low, high in pairwise(given)):
        raise refuse(where, "edge_order", gettext_noop("must increase from each to the next"))
    return given


KIND: Kind = Histogram()
