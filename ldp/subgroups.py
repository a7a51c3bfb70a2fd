"""The document of a release's subgroups: shares of every other question (M31b), and means by one bit (M43b), within
each answer to one randomized question, the stratum.

The shares come from a crossing (M31; M34b for questions randomized together). Intervals hold for all shares of the
document at once, for one look at one release; those of all differences between strata hold at once too
(subgroup_comparisons.py).
"""

from collections.abc import Iterator, Sequence
from typing import ClassVar, NotRequired, TypedDict

from ldp.confidences import CONFIDENCES
from ldp.document import Header
from ldp.forms.crossed import Crossed
from ldp.inference import intervals
from ldp.inference.variables import NotComputed, NotCrossed, Variable, paired, variable, with_means
from ldp.question import Drawn
from ldp.subgroup_comparisons import Apart, Between, compared, measure, options
from ldp.tidy import Row, ends, release_row
from ldp.weighting.margin import needed

FORMAT = 3
SHARES_MAX = 2048

TOO_LARGE = f"there are more than {SHARES_MAX:,} shares within its answers, too many to show anything together"


class Stratum(TypedDict):
    """An answer to the stratum, over the reports about both questions. If `subgroup` is false, the stratum is too
    small, and about `needed` reports about both would be enough."""

    option: str
    estimate: float
    standard_error: float
    subgroup: bool
    needed: int | None


class Within(TypedDict):
    """A share within a stratum. `simultaneous` has an interval for each confidence of the document."""

    estimate: float
    simultaneous: list[list[float]]


_Numbers = Within | Between | None


class Share(TypedDict):
    """An answer. `estimate` is its share of the people asked both questions. `within` has its share in each stratum,
    None if too small. `differences` compares all pairs of large enough strata, or neighbours if pairs are too many."""

    option: str
    estimate: float
    standard_error: float
    within: list[Within | None]
    differences: list[Between]


class ByStratum(TypedDict):
    """A question, item or option. A mean has one share, "mean", in its unit; `scale` has the ends of its range, None
    for others. `joint`: one draw randomized it with the stratum, so its intervals are proved and for a population."""

    key: str
    text: str
    kind: str
    unit: NotRequired[str | None]
    scale: NotRequired[list[float] | None]
    n_about: int
    joint: bool
    strata: list[Stratum]
    shares: list[Share]


class StratumQuestion(TypedDict):
    key: str
    text: str
    kind: str
    options: list[str]


class LeftOut(TypedDict):
    """A question that the stratum cannot split. `reason` is a key of NotCrossed's reasons, "some asked", or "nobody" if
    no report is about both."""

    key: str
    text: str
    reason: str


class SubgroupsDocument(TypedDict):
    """The document. `together` is the number of share intervals that hold at once, `compared` that of differences. Both
    include strata that are too small."""

    format: int
    header: Header
    confidences: list[float]
    together: int
    compared: int
    stratum: StratumQuestion
    questions: list[ByStratum]
    left_out: list[LeftOut]


# The questions by a stratum -------------------------------------------------------------------------------------------


def partners(
    questions: list[Drawn], key: str, variables: Sequence[Variable] | None = None
) -> tuple[Variable, list[Variable]]:
    """Return the stratum and all variables shown by it, in the definition's order. NotCrossed or NoSubgroups if the
    question cannot be a stratum. `variables` are those of the questions, if already computed."""
    stratum = variable(questions, key)
    if "asked_if" in stratum.question:
        raise NoSubgroups("some asked")
    every = with_means(questions) if variables is None else variables
    shown = [other for other in every if _reason(stratum, other) is None]
    if not shown:
        raise NoSubgroups("nothing")
    if together(stratum, shown) > SHARES_MAX:
        raise NoSubgroups("many shares")
    return stratum, shown


class NoSubgroups(NotComputed):
    """A question that cannot be a stratum."""

    reasons: ClassVar = {
        "some asked": "a question that only some people were asked cannot be a stratum: the others' answers are made "
        "up",
        "nothing": "no other question can be crossed with it",
        "many shares": TOO_LARGE,
    }


def _reason(stratum: Variable, other: Variable) -> str | None:
    """Return the reason why the stratum cannot split the other variable; None if it can."""
    if "asked_if" in other.question:
        return "some asked"
    try:
        paired(stratum, other)
    except NotCrossed as refused:
        return refused.reason
    return None


def together(stratum: Variable, shown: Sequence[Variable]) -> int:
    return len(stratum.options) * sum(len(options(other)) for other in shown)


# The document ---------------------------------------------------------------------------------------------------------


def document(header: Header, questions: list[Drawn], crossings: Sequence[Crossed]) -> SubgroupsDocument:
    """Return the document of one stratum's crossings. The stratum is their first variable."""
    stratum, shown = crossings[0].first, [crossing.second for crossing in crossings]
    many = together(stratum, shown)
    levels = [intervals.bonferroni(confidence, many) for confidence in CONFIDENCES]
    apart = Apart(stratum, shown)
    return {
        "format": FORMAT,
        "header": header,
        "confidences": list(CONFIDENCES),
        "together": many,
        "compared": compared(stratum, shown),
        "stratum": {
            "key": stratum.key,
            "text": stratum.text,
            "kind": stratum.question["kind"],
            "options": list(stratum.options),
        },
        "questions": [_question(crossing, levels, apart) for crossing in crossings],
        "left_out": list(_left_out(questions, stratum, {other.key for other in shown})),
    }


def _left_out(questions: list[Drawn], stratum: Variable, shown: set[str]) -> Iterator[LeftOut]:
    """Yield the questions that are not shown at all, with the reason of their first part."""
    for question in questions:
        parts = [other for other in with_means([question]) if other.key != stratum.key]
        if question["key"] == stratum.question["key"] or any(other.key in shown for other in parts):
            continue
        reason = _reason(stratum, parts[0]) or "nobody" if parts else "noise"
        yield {"key": question["key"], "text": question["text"], "reason": reason}


def _question(crossing: Crossed, levels: Sequence[float], apart: Apart) -> ByStratum:
    other, (shares, errors) = crossing.second, crossing.margins[1]
    low, width = measure(other)
    limits = [(low + width * crossing.within_first_intervals(level)).tolist() for level in levels]
    return {
        "key": other.key,
        "text": other.text,
        "kind": other.question["kind"],
        "unit": other.question["unit"] if other.scale else None,
        "scale": [*other.scale] if other.scale else None,
        "n_about": crossing.n,
        "joint": crossing.one_draw,
        "strata": _strata(crossing),
        "shares": [
            {
                "option": name,
                "estimate": low + width * float(shares[k]),
                "standard_error": width * float(errors[k]),
                "within": [_within(crossing, limits, s, k) for s in range(crossing.shape[0])],
                "differences": differences,
            }
            for (k, name), differences in zip(options(other), apart.of(crossing), strict=True)
        ],
    }


def _within(crossing: Crossed, limits: list[list[list[list[float]]]], s: int, k: int) -> Within | None:
    if crossing.too_small[0][s]:
        return None
    low, width = measure(crossing.second)
    estimate = low + width * float(crossing.within_first()[s, k])
    return {"estimate": estimate, "simultaneous": [each[s][k] for each in limits]}


def _strata(crossing: Crossed) -> list[Stratum]:
    shares, errors = crossing.margins[0]
    return [
        {
            "option": option,
            "estimate": share,
            "standard_error": error,
            "subgroup": not small,
            "needed": needed(share, error, crossing.n) if small else None,
        }
        for option, share, error, small in zip(
            crossing.first.options, shares.tolist(), errors.tolist(), crossing.too_small[0].tolist(), strict=True
        )
    ]


# Laid flat ------------------------------------------------------------------------------------------------------------


def rows(document: SubgroupsDocument) -> Iterator[Row]:
    """Yield a row for each answer, stratum and confidence, then one for each answer, difference and confidence. A
    difference is the stratum minus the `reference`. Missing numbers are None."""
    same = release_row(document["header"]) | {"stratum": document["stratum"]["key"]}
    for question in document["questions"]:
        about = same | {"n_about": question["n_about"], "question": question["key"], "unit": question.get("unit")}
        for share in question["shares"]:
            own = about | {"option": share["option"], "estimate_of_all": share["estimate"]}
            for row, numbers in _numbers(document, question, share):
                for place, confidence in enumerate(document["confidences"]):
                    level = ends("simultaneous", numbers["simultaneous"][place] if numbers else (None, None))
                    level |= {"confidence": confidence, "estimate": numbers["estimate"] if numbers else None}
                    yield own | row | level


def _numbers(document: SubgroupsDocument, question: ByStratum, share: Share) -> Iterator[tuple[Row, _Numbers]]:
    """Yield an answer's numbers, each with the columns that describe it."""
    strata = question["strata"]
    same: Row = {"quantity": "within", "reference": None, "together": document["together"]}
    for stratum, within in zip(strata, share["within"], strict=True):
        yield same | {"stratum_option": stratum["option"], "needed": stratum["needed"]}, within
    same = {"quantity": "difference", "needed": None, "together": document["compared"]}
    for between in share["differences"]:
        first, second = (strata[s]["option"] for s in between["strata"])
        yield same | {"stratum_option": first, "reference": second}, between
