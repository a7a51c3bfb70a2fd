"""The document of a cross-table of two variables of a release (M17, M31).

M44 covers two questions of one draw, M34g the people who were asked both. Intervals are for one look at one release
(M30), even while the survey is open.
"""

import math
from collections.abc import Iterator
from typing import Literal, NotRequired, TypedDict

from ldp.confidences import CONFIDENCES
from ldp.document import Header
from ldp.forms.crossed import Crossed
from ldp.forms.pooled_cells import PooledCells
from ldp.inference import association, intervals
from ldp.inference.association import Standing
from ldp.inference.crossed import Crossing
from ldp.inference.hypotheses import ChiSquare
from ldp.inference.reached_cells import ReachedCells, ReachedStatistic
from ldp.inference.variables import Variable, common_forms
from ldp.planning.associations import Outlook, outlooks
from ldp.tidy import Row, ends, release_row

FORMAT = 2
QuantityName = Literal["joint", "within_first", "within_second"]
QUANTITIES: tuple[QuantityName, ...] = ("joint", "within_first", "within_second")


class CrossedCategory(TypedDict):
    """One option of a variable, over the reports about both. `subgroup` is false if it is too small for one."""

    option: str
    estimate: float
    standard_error: float
    subgroup: bool


class Side(TypedDict):
    """One of the two variables. `key` is the question's key; an item or option appends a dot and its number, from 1.
    `alphas` replaces `alpha` where the forms that ask both randomize it differently."""

    key: str
    text: str
    kind: str
    alpha: NotRequired[str]
    alphas: NotRequired[list[str]]
    mechanism: str
    categories: list[CrossedCategory]


class Quantity(TypedDict):
    """One number of a cell. `levels` has its intervals at each confidence of the document: `interval` for this cell
    alone (joint shares only), `simultaneous` for the same quantity of all cells at once."""

    estimate: float
    levels: list[dict[str, list[float]]]


class Cell(TypedDict):
    """One pair of answers. `joint` is the share of people with both. `within_first` is the share of the second option
    among people with the first, `within_second` the reverse; None if that subgroup is too small. Intervals are for a
    population and hold for the respondents too. `p_value` is Fisher's for independence, `corrected` is Holm's over all
    cells; None without an exact test. `direction` is 1 if more people have both answers than under independence, -1 if
    fewer."""

    first: str
    second: str
    standard_errors: dict[str, float]
    joint: Quantity
    within_first: Quantity | None
    within_second: Quantity | None
    p_value: float | None
    corrected: float | None
    direction: int


class Reasons(TypedDict):
    """Sentences that say why p-values of the cells, or of the whole table, are missing; None if they are not."""

    cells: str | None
    independence: str | None


class ChannelCounts(TypedDict):
    """Counts of the forms that randomize both variables alike. `forms` has these forms' numbers, from 0."""

    forms: list[int]
    counts: list[list[int]]


class Reach(ReachedStatistic):
    """The people who were asked both, if not everyone was. All numbers of the document describe only them, and no
    filler counts as an answer. `share` is their share of all people, `standard_error` that share's error."""

    share: Quantity
    standard_error: float


class CrossingDocument(TypedDict):
    """A cross-table. `counts` is the sufficient statistic: how often symbols came together (ldp/inference/crossed.py).
    `independence` tests the whole table; None if a cell expects too few reports. `reasons` says why p-values are
    missing; stored documents lack it. `outlook` says for each confidence what would show dependence; empty if everyone
    seems to give one answer. `joint` is true if one draw randomized both variables. Every interval is then for a
    population, cells have no tests, and `forms` has the numbers, from 0, of the forms that ask both. If forms randomize
    the two in several ways, cells are pooled (M45) and have no tests, a side may have `alphas`, and `channels` has each
    way's counts."""

    format: int
    header: Header
    n_about: int
    confidences: list[float]
    together: int
    first: Side
    second: Side
    cells: list[Cell]
    independence: dict[str, float] | None
    counts: list[list[int]]
    outlook: list[Outlook]
    joint: bool
    forms: NotRequired[list[int]]
    channels: NotRequired[list[ChannelCounts]]
    asked: NotRequired[Reach]
    reasons: NotRequired["Reasons"]


def document(
    header: Header, crossing: Crossed | ReachedCells, statistic: ReachedStatistic | None = None
) -> CrossingDocument:
    """Return the document at all CONFIDENCES; the confidence of `header` is not used. `statistic` is the sufficient
    statistic of a table of the people who were asked both."""
    test, standing = _tests(crossing)
    made: CrossingDocument = {
        "format": FORMAT,
        "header": header,
        "n_about": crossing.n,
        "confidences": list(CONFIDENCES),
        "together": math.prod(crossing.shape),
        "first": _side(crossing.first, crossing),
        "second": _side(crossing.second, crossing.turned()),
        "cells": _cells(crossing, standing),
        "independence": None if test is None else {**test._asdict()},
        "counts": crossing.counts.tolist(),
        "outlook": [] if isinstance(crossing, ReachedCells) else outlooks(crossing, CONFIDENCES),
        "joint": crossing.one_draw,
    }
    if isinstance(crossing, ReachedCells) and statistic:
        made["asked"] = _reach(crossing, statistic)
    forms = _forms(crossing)
    if forms and made["joint"]:
        made["forms"] = forms
    if isinstance(crossing, PooledCells):
        made["channels"] = [{"forms": _forms(part), "counts": part.counts.tolist()} for part in crossing.parts]
    return made


def _reach(crossing: ReachedCells, statistic: ReachedStatistic) -> Reach:
    levels = [{"interval": list(crossing.share_interval(confidence))} for confidence in CONFIDENCES]
    share: Quantity = {"estimate": crossing.share_reached, "levels": levels}
    return {**statistic, "share": share, "standard_error": crossing.share_error}


def _forms(crossing: Crossed | ReachedCells) -> list[int]:
    """Return the numbers of the forms that ask both variables; empty if everyone is asked both."""
    return sorted(common_forms((crossing.first, crossing.second)) or ())


def _tests(crossing: Crossed | ReachedCells) -> tuple[ChiSquare | None, Standing | None]:
    """Return the tests of the whole table, and of its cells."""
    if isinstance(crossing, ReachedCells):
        return None, None
    if isinstance(crossing, Crossing):
        return association.whole_table(crossing), association.cells(crossing)
    return crossing.independence(), None


def _side(variable: Variable, crossing: Crossed | ReachedCells) -> Side:
    """Return the side for the crossing's first variable."""
    shares, errors = crossing.margins[0]
    group = (~crossing.too_small[0]).tolist()
    numbers = zip(crossing.options[0], shares.tolist(), errors.tolist(), group, strict=True)
    question = variable.question
    made: Side = {
        "key": variable.key,
        "text": variable.text,
        "kind": question["kind"],
        "mechanism": question["mechanism"],
        "categories": [
            {"option": option, "estimate": share, "standard_error": error, "subgroup": group}
            for option, share, error, group in numbers
        ],
    }
    if variable.has_channels:
        made["alphas"] = [each["alpha"] for each in question["asked"]]
    else:
        made["alpha"] = question["alpha"]
    return made


def _cells(crossing: Crossed | ReachedCells, standing: Standing | None) -> list[Cell]:
    population, respondents = crossing.standard_errors
    joint = _joint(crossing)
    within_first, within_second = _within(crossing), _within(crossing.turned())
    direction = None if standing is None else standing.direction
    return [
        {
            "first": option,
            "second": other,
            "standard_errors": {"population": float(population[j, k]), "respondents": float(respondents[j, k])},
            "joint": joint[j][k],
            "within_first": within_first[j][k],
            "within_second": within_second[k][j],
            "p_value": None if standing is None else float(standing.p_values[j, k]),
            "corrected": None if standing is None else float(standing.corrected[j, k]),
            "direction": 0 if direction is None else int(direction[j, k]),
        }
        for j, option in enumerate(crossing.options[0])
        for k, other in enumerate(crossing.options[1])
    ]


def _joint(crossing: Crossed | ReachedCells) -> list[list[Quantity]]:
    alone = [crossing.intervals(level).tolist() for level in CONFIDENCES]
    together = [crossing.intervals(level).tolist() for level in _levels(crossing)]
    return [
        [
            {
                "estimate": estimate,
                "levels": [
                    {"interval": one[j][k], "simultaneous": every[j][k]}
                    for one, every in zip(alone, together, strict=True)
                ],
            }
            for k, estimate in enumerate(row)
        ]
        for j, row in enumerate(crossing.joint.tolist())
    ]


def _within(crossing: Crossed | ReachedCells) -> list[list[Quantity | None]]:
    together = [crossing.within_first_intervals(level).tolist() for level in _levels(crossing)]
    return [
        [
            {"estimate": estimate, "levels": [{"simultaneous": every[j][k]} for every in together]} if group else None
            for k, estimate in enumerate(row)
        ]
        for j, (row, group) in enumerate(
            zip(crossing.within_first().tolist(), (~crossing.too_small[0]).tolist(), strict=True)
        )
    ]


def _levels(crossing: Crossed | ReachedCells) -> list[float]:
    return [intervals.bonferroni(confidence, math.prod(crossing.shape)) for confidence in CONFIDENCES]


# Laid flat ------------------------------------------------------------------------------------------------------------

NEEDED = {"smallest_shown": "smallest", "reports_needed": "reports", "alpha_needed": "alpha"}


def _needed(document: CrossingDocument, cell: Cell, confidence: float) -> Row:
    """Return the outlook's numbers if the outlook is about this cell; otherwise None for each."""
    for each in document["outlook"]:
        answers = [document[side]["categories"][each[end]]["option"] for side, end in _SIDES]
        if each["confidence"] == confidence and answers == [cell["first"], cell["second"]]:
            return {name: each[field] for name, field in NEEDED.items()}  # type: ignore[literal-required]
    return dict.fromkeys(NEEDED)


_SIDES: tuple[tuple[Literal["first"], Literal["row"]], tuple[Literal["second"], Literal["column"]]] = (
    ("first", "row"),
    ("second", "column"),
)


def rows(document: CrossingDocument) -> Iterator[Row]:
    """Yield one row for each cell, quantity and confidence; missing numbers are None."""
    same = release_row(document["header"])
    same |= {"n_about": document["n_about"], "together": document["together"]}
    reason = document["reasons"]["cells"] if "reasons" in document else None
    same |= {"first": document["first"]["key"], "second": document["second"]["key"]}
    for cell in document["cells"]:
        about = same | {"option": cell["first"], "other_option": cell["second"]}
        about |= {"p_value": cell["p_value"], "corrected_p_value": cell["corrected"], "reason": reason}
        for quantity in QUANTITIES:
            number: Quantity | None = cell[quantity]
            if number is None:
                continue
            of_joint = quantity == "joint"
            errors = cell["standard_errors"] if of_joint else {"population": None, "respondents": None}
            for place, confidence in enumerate(document["confidences"]):
                level = number["levels"][place]
                alone = level.get("interval", [None, None])
                row = about | {"quantity": quantity, "estimate": number["estimate"], "confidence": confidence}
                row |= {f"standard_error_{target}": error for target, error in errors.items()}
                row |= ends("interval", alone) | ends("simultaneous", level["simultaneous"])
                row |= _needed(document, cell, confidence) if of_joint else dict.fromkeys(NEEDED)
                yield row
