"""Lists of questions to build a model from, and the model that the form describes."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from ldp.inference.variables import Variable, with_means
from ldp.kinds.histogram import bin_ends
from ldp.question import Drawn
from ldp.regression.design import steps
from ldp.regression.specification import Covariate, ModelName, Specification
from surveys.survey import kinds
from surveys.survey.kinds.date import places

NAMES: dict[str, Promise] = {
    "": _("what fits the question"),
    "logistic": _("logistic: the odds of one of two answers"),
    "ordered": _("ordered: the odds of a higher step"),
    "multinomial": _("multinomial: the odds of each answer against the first"),
    "linear": _("linear: the mean of the steps, bins or spans as numbers"),
}


def eligible(questions: list[Drawn]) -> list[Variable]:
    """Return the possible variables of a model: questions without a condition. A mean can only be the outcome."""
    return [each for each in with_means(questions) if "asked_if" not in each.question]


def scores(variable: Variable) -> tuple[float, ...] | None:
    """Return the options as numbers: middles of bins or spans, steps, or the ends of a mean; None if they have none."""
    question = variable.question
    if variable.scale is not None:
        return variable.scale
    if question["prefer_not_to_say"] or not kinds.of(question).has_order or len(variable.options) < 3:
        return None
    if "edges" in question:
        return tuple(float((low + high) / 2) for low, high in bin_ends(question))
    if "dates" in question:  # in years, months or days since the first date: the year 2000 is not a quantity
        first, *later = map(Fraction, places(question["dates"]))
        edges = [Fraction(0), *(place - first for place in later)]
        return tuple(float((low + high) / 2) for low, high in pairwise(edges))
    return tuple(steps(len(variable.options)))


def reference(variable: Variable) -> int:
    """Return the reference option: the second of two, so that "yes" is compared with "no"."""
    return 1 if len(variable.options) == 2 else 0


def fitting(outcome: Variable) -> ModelName:
    """Return the default model of an outcome."""
    if outcome.scale is not None:
        return "linear"
    if len(outcome.options) == 2:
        return "logistic"
    if scores(outcome) is None:
        return "multinomial"
    return "linear" if "edges" in outcome.question else "ordered"


def specification(form: Mapping[str, str], known: Mapping[str, Variable]) -> Specification | None:
    """Return the model that a submitted form describes; None if the outcome is missing or unknown."""
    outcome = known.get(form.get("outcome", ""))
    if outcome is None:
        return None
    name: Any = form.get("kind") or fitting(outcome)
    roles = {key: form.get(f"as.{key}", "") for key in known if key != outcome.key}
    covariates = tuple(_covariate(known[key], role) for key, role in roles.items() if role)
    pair = form.get("product", ""), form.get("by", "")
    numbers = _outcome_scores(outcome) if name == "linear" else None
    return Specification(name, outcome.key, covariates, (pair,) if all(pair) else (), numbers)


def _outcome_scores(outcome: Variable) -> tuple[float, ...] | None:
    """Return the outcome's scores. The first of two answers has 1, so that the mean is the share of "yes"."""
    return (1.0, 0.0) if len(outcome.options) == 2 and outcome.scale is None else scores(outcome)


def _covariate(variable: Variable, role: str) -> Covariate:
    if role == "scores":
        return Covariate(variable.key, scores(variable) or ())
    return Covariate(variable.key, reference=reference(variable))
