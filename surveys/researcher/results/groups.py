"""The results of each invited group, one below the other for each question."""

from collections.abc import Mapping
from typing import NamedTuple

from django.utils.translation import gettext as _

from surveys.figures import numerals
from surveys.figures.display import Document, Result
from surveys.rules.context import Context
from surveys.survey import kinds

# An answer, its number and its interval, as texts.
GroupCell = tuple[str, str, str]


class GroupRow(NamedTuple):
    """A group, or all groups together. `none` says why there are no numbers."""

    name: str
    n: str
    cells: list[GroupCell]
    none: str = ""
    whole: bool = False


class GroupQuestion(NamedTuple):
    """A question, or an item of a grid. Shares are in percent. A mean counts as a single answer."""

    key: str
    text: str
    is_mean: bool
    answers: list[str]
    rows: list[GroupRow]


def tables(document: Document) -> Context | None:
    """Return the context of results/groups.html; None for a survey without groups."""
    if "groups" not in document:
        return None
    own = {(result["group"], result["key"]): result for result in document["by_group"]}
    bounded = {key for (_group, key), result in own.items() if result.get("bounded", False)}
    parts = [_part(document, result, own) for result in document["questions"] if result["key"] not in bounded]
    hidden = [result["text"] for result in document["questions"] if result["key"] in bounded]
    return {"many": len(document["groups"]), "parts": parts, "hidden": hidden}


def _part(document: Document, whole: Result, own: Mapping[tuple[str, str], Result]) -> GroupQuestion:
    answers = list(_cells(whole))
    every = _row(_("All together"), whole, answers)._replace(whole=True)
    rows = [
        _row(group["name"], own.get((group["name"], whole["key"])), answers)
        if group["n"]
        else _none(group["name"], document)
        for group in document["groups"]
    ]
    return GroupQuestion(whole["key"], whole["text"], "mean" in _numbers(whole), answers, [*rows, every])


def _row(name: str, result: Result | None, answers: list[str]) -> GroupRow:
    """Return the row of a group, or of all. Items and options that none of its reports drew have no numbers."""
    cells, n = (_cells(result), result["n_about"]) if result else ({}, 0)
    return GroupRow(name, numerals.count(n), [cells.get(answer, (answer, numerals.NONE, "")) for answer in answers])


def _none(name: str, document: Document) -> GroupRow:
    """Return the row of a group without numbers. P11 reveals only at the end whether it has too few reports."""
    few = _("too few reports: nothing is published about this group, and its reports were erased")
    return GroupRow(name, "–", [], few if document["final"] else _("no reports are released yet"))


def _cells(result: Result) -> dict[str, GroupCell]:
    """Return the cells by answer, in the whole survey's order."""
    numbers = _numbers(result)
    cells = [(row["option"], row["share"], row["simultaneous"]) for row in numbers.get("rows", [])]
    if "mean" in numbers:
        cells = [(_("Mean"), numbers["mean"]["estimate"], numbers["mean"]["interval"])]
    return {cell[0]: cell for cell in cells}


def _numbers(result: Result) -> Context:
    return kinds.of(result).numbers(result, result["methods"][0])
