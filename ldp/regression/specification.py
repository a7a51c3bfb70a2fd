"""The specification of a regression: outcome, covariates and interactions, by variables' keys."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from ldp.fields import require_fields
from ldp.inference.variables import CELLS_MAX, NotComputed, Variable

COLUMNS_MAX = 64  # of a model from pairs, whose time grows with the square of this

ModelName = Literal["linear", "logistic", "multinomial", "ordered"]
MODELS: tuple[ModelName, ...] = ("linear", "logistic", "multinomial", "ordered")


class NotFitted(NotComputed):
    """A regression that is not computed."""

    reasons: ClassVar = {
        "model": "a model is one of linear, logistic, multinomial and ordered",
        "two options": "logistic regression needs an outcome with two options: use multinomial or ordered",
        "scores": "scores must be one finite number for each option, and not all the same",
        "covariates": "a model has at least one covariate",
        "repeated": "each variable can be in a model once, as the outcome or as one covariate",
        "reference": "the reference must be one of the options",
        "interactions": "an interaction is one of two different covariates of the model, named once",
        "too large": f"outcome and covariates may have at most {CELLS_MAX} combinations of answers",
        "too many": f"a model from pairs may have at most {COLUMNS_MAX} coefficients",
        "mean": "a mean can be in a model only as the outcome of a linear one, with the ends of its scale as scores",
        "some asked": "a question that only some people were asked cannot be in a model: the others' answers are made "
        "up",
    }


@dataclass(frozen=True)
class Covariate:
    """One column for each option except `reference`, or one column of `scores`, a number for each option."""

    key: str
    scores: tuple[float, ...] | None = None
    reference: int = 0


@dataclass(frozen=True)
class Specification:
    """`scores` are the outcome's in a linear model, by default 0, 1, 2 and so on in the order of its options. An
    interaction is a pair of covariates' keys."""

    model: ModelName
    outcome: str
    covariates: tuple[Covariate, ...]
    interactions: tuple[tuple[str, str], ...] = ()
    scores: tuple[float, ...] | None = None

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of the outcome and the covariates, in the order of answers in a combination."""
        return (self.outcome, *(covariate.key for covariate in self.covariates))


def check(specification: Specification, variables: Sequence[Variable], by_pairs: bool = False) -> None:
    """Raise NotFitted, naming the rule, if variables with `specification.keys` break one. `by_pairs`: the model is
    computed from pairs of them."""
    for reason in _broken(specification, variables, by_pairs):
        raise NotFitted(reason)


def _broken(specification: Specification, variables: Sequence[Variable], by_pairs: bool) -> list[str]:
    outcome, *others = (len(variable.options) for variable in variables)
    each = specification.covariates
    rules = {
        "model": specification.model in MODELS,
        "covariates": bool(each),
        "repeated": len(set(specification.keys)) == len(specification.keys),
        "mean": _means_fit(specification, variables),
        "some asked": not any("asked_if" in variable.question for variable in variables),
        "too large": by_pairs or math.prod((outcome, *others)) <= CELLS_MAX,
        "too many": not by_pairs or sum(map(columns, each, others)) <= COLUMNS_MAX,
        "two options": specification.model != "logistic" or outcome == 2,
        "scores": _scores_fit(specification.scores, outcome)
        and all(_scores_fit(one.scores, d) for one, d in zip(each, others, strict=True)),
        "reference": all(0 <= one.reference < d for one, d in zip(each, others, strict=True)),
        "interactions": _interactions_fit(specification),
    }
    return [reason for reason, kept in rules.items() if not kept]


def columns(covariate: Covariate, d: int) -> int:
    """Return the number of columns of a covariate with d options."""
    return 1 if covariate.scores is not None else d - 1


def _scores_fit(scores: tuple[float, ...] | None, d: int) -> bool:
    finite = scores is None or all(abs(score) <= 1e9 for score in scores)
    return scores is None or (finite and len(scores) == d and len(set(scores)) > 1)


def _means_fit(specification: Specification, variables: Sequence[Variable]) -> bool:
    # A number is rounded to an end of its scale at random, so that its expected value is the number (M43b).
    outcome, *others = (variable.scale for variable in variables)
    fits = outcome is None or (specification.model == "linear" and specification.scores == outcome)
    return fits and not any(others)


def _interactions_fit(specification: Specification) -> bool:
    keys, pairs = specification.keys[1:], [frozenset(pair) for pair in specification.interactions]
    return len(set(pairs)) == len(pairs) and all(len(pair) == 2 and pair <= set(keys) for pair in pairs)


# As JSON --------------------------------------------------------------------------------------------------------------


def as_json(specification: Specification) -> dict[str, Any]:
    """Return the specification as JSON data without defaults, so that one model has one text."""
    data: dict[str, Any] = {"model": specification.model, "outcome": specification.outcome}
    if specification.scores is not None:
        data["scores"] = list(specification.scores)
    data["covariates"] = [_covariate_json(covariate) for covariate in specification.covariates]
    if specification.interactions:
        data["interactions"] = [list(pair) for pair in specification.interactions]
    return data


def _covariate_json(covariate: Covariate) -> dict[str, Any]:
    data: dict[str, Any] = {"key": covariate.key}
    if covariate.scores is not None:
        return data | {"scores": list(covariate.scores)}
    return data | ({"reference": covariate.reference} if covariate.reference else {})


def from_json(given: Any) -> Specification:
    """Return the specification from `as_json`'s result or a user's data. ValueError names the field and the rule."""
    require_fields(
        given, "the model", {"model": str, "outcome": str, "covariates": list}, {"scores": list, "interactions": list}
    )
    pairs = given.get("interactions", [])
    if not all(
        isinstance(pair, list) and len(pair) == 2 and all(isinstance(key, str) for key in pair) for pair in pairs
    ):
        raise ValueError("interactions: must be pairs of keys")
    covariates = tuple(_covariate(place, each) for place, each in enumerate(given["covariates"], 1))
    interactions = tuple((first, second) for first, second in pairs)
    scores = _scores("scores", given.get("scores"))
    return Specification(given["model"], given["outcome"], covariates, interactions, scores)


def _covariate(place: int, given: Any) -> Covariate:
    where = f"covariates[{place}]"
    require_fields(given, where, {"key": str}, {"scores": list, "reference": int})
    return Covariate(given["key"], _scores(f"{where}.scores", given.get("scores")), given.get("reference", 0))


def _scores(where: str, given: list[Any] | None) -> tuple[float, ...] | None:
    if given is not None and not all(isinstance(score, int | float) and not isinstance(score, bool) for score in given):
        raise ValueError(f"{where}: must be numbers")
    return None if given is None else tuple(float(score) for score in given)
