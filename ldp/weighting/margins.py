"""The specification of weights by several margins: the question, and the known shares of other questions' answers."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from ldp.fields import require_fields
from ldp.inference.variables import CELLS_MAX, NotComputed, Variable, variable
from ldp.question import Drawn
from ldp.weighting.margin import checked


class NotWeighted(NotComputed):
    """A question that cannot be weighted by these margins."""

    reasons: ClassVar = {
        "margins": "at least two questions with known shares are needed, or one for a mean; weight shares by one "
        "question in its cross-table",
        "repeated": "each variable can be used once, as the question or as one margin",
        "some asked": "a question that only some people were asked cannot be used: the others' answers are made up",
        "shares": "known shares must be one for each answer, none below 0, and add up to 1",
        "too large": f"the questions may have at most {CELLS_MAX} combinations of answers",
    }


@dataclass(frozen=True)
class Margin:
    """A variable with its options' shares in the population, each in 0..1."""

    key: str
    shares: tuple[float, ...]


@dataclass(frozen=True)
class Margins:
    """`question` is the key of the variable that is weighted by the known margins."""

    question: str
    known: tuple[Margin, ...]

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of the known questions, then the question's, in the order of answers in a combination."""
        return (*(margin.key for margin in self.known), self.question)


def variables(margins: Margins, questions: list[Drawn]) -> list[Variable]:
    """Return the variables with `margins.keys`. NotCrossed if one does not exist."""
    return [*(variable(questions, each.key) for each in margins.known), variable(questions, margins.question, True)]


def check(margins: Margins, variables: Sequence[Variable]) -> None:
    """Raise NotWeighted, naming the rule, if these variables break one. Only the question may be a mean."""
    rules = {
        "margins": len(margins.known) >= (1 if variables[-1].scale else 2),
        "repeated": len(set(margins.keys)) == len(margins.keys),
        "some asked": not any("asked_if" in variable.question for variable in variables),
        "shares": all(
            _are_shares(margin, variable) for margin, variable in zip(margins.known, variables[:-1], strict=True)
        ),
        "too large": math.prod(len(variable.options) for variable in variables) <= CELLS_MAX,
    }
    for reason, holds in rules.items():
        if not holds:
            raise NotWeighted(reason)


def _are_shares(margin: Margin, variable: Variable) -> bool:
    try:
        checked(margin.shares, len(variable.options))
    except ValueError:
        return False
    return True


# As JSON --------------------------------------------------------------------------------------------------------------


def as_json(margins: Margins) -> dict[str, Any]:
    known = [{"key": margin.key, "shares": list(margin.shares)} for margin in margins.known]
    return {"question": margins.question, "margins": known}


def from_json(given: Any) -> Margins:
    """Return the margins from `as_json`'s result or a user's data. ValueError names the field and the rule."""
    require_fields(given, "margins", {"question": str, "margins": list}, {})
    return Margins(given["question"], tuple(_margin(place, each) for place, each in enumerate(given["margins"], 1)))


def _margin(place: int, given: Any) -> Margin:
    where = f"margins[{place}]"
    require_fields(given, where, {"key": str, "shares": list}, {})
    if not all(isinstance(share, int | float) and not isinstance(share, bool) for share in given["shares"]):
        raise ValueError(f"{where}.shares: must be numbers")
    return Margin(given["key"], tuple(float(share) for share in given["shares"]))
