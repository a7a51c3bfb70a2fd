"""The document of a regression: a model of a release's questions and its statistics (M40).

It is for one look at one release, and for a population.
"""

from collections.abc import Sequence
from typing import Any, NotRequired, TypedDict

from ldp.confidences import CONFIDENCES
from ldp.document import Header
from ldp.inference.intervals import bonferroni
from ldp.inference.variables import Variable
from ldp.regression import effects, pairs, specification
from ldp.regression.effects import Effect
from ldp.regression.fitting import Fit, Separated, TooFewToFit, around, fit
from ldp.regression.pairs import PairsFit, Source, TooFewPairs
from ldp.regression.profile import Profile
from ldp.regression.reach import Reach, linear_reaches, reaches
from ldp.regression.sample import JointSample, Sample, total
from ldp.regression.specification import Specification

FORMAT = 4
# With more combinations no profile is computed, because it would take minutes.
PROFILE_MAX = 256

Intervals = list[list[float]]  # one for each of the document's confidences
Limits = list[list[float | None]]  # the same; None if there is no limit


class Named(TypedDict):
    """The outcome, or a covariate."""

    key: str
    text: str
    options: list[str]


class Level(TypedDict):
    """One covariate of a coefficient. `option` is None for a covariate with scores."""

    key: str
    option: int | None


class Coefficient(TypedDict):
    """A coefficient. `outcome` is the logit's option; for an ordered model's threshold the last option below it;
    otherwise None. An intercept or threshold has no levels, an interaction two. A limit is None if all reports of a
    decisive rare answer may be noise, because fits with fewer are not shown. `profile` assumes the model. `reach` says
    what would show the coefficient, None for an intercept or threshold; documents of format 1 lack it."""

    outcome: int | None
    levels: list[Level]
    estimate: float
    standard_error: float
    intervals: Limits
    profile: Limits | None
    reach: NotRequired[Reach | None]


class Share(TypedDict):
    """A predicted share, or a marginal effect against the option `reference`; in a linear model, with `outcome` None,
    of the mean score. `simultaneous` intervals hold for all marginal effects at once. Predicted shares lack them, and
    so do documents of format 1 or 2, whose intervals are for normal estimates."""

    key: str
    option: int
    reference: int | None
    outcome: int | None
    estimate: float
    standard_error: float
    intervals: Intervals
    simultaneous: NotRequired[Intervals]


class Refusal(TypedDict):
    """The reason for missing numbers: "too few", with the number of reports that would be enough, or "separated"."""

    reason: str
    needed: int | None


class RegressionDocument(TypedDict):
    """The document. `variables` are the outcome and the covariates. With a `refusal` the lists are empty. `n_pair` is
    the least number of reports about two of the questions if pairs gave the model (M47), otherwise None; with pairs
    `n_about` counts the reports about two or more. Documents of format 1 to 3 lack `n_pair`."""

    format: int
    header: Header
    n_about: int
    n_pair: NotRequired[int | None]
    confidences: list[float]
    model: dict[str, Any]
    variables: list[Named]
    coefficients: list[Coefficient]
    predicted: list[Share]
    marginal: list[Share]
    refusal: Refusal | None


def document(
    header: Header, chosen: Specification, variables: Sequence[Variable], sample: Sample
) -> RegressionDocument:
    """Return the document of a model of these variables, which have the specification's keys, from a sample about them.
    NotFitted if the specification breaks a rule."""
    specification.check(chosen, variables)
    made = _empty(header, chosen, variables, total(sample))
    try:
        fitted = fit(chosen, sample)
    except TooFewToFit as refused:
        return {**made, "refusal": {"reason": "too few", "needed": refused.needed}}
    except Separated:
        return {**made, "refusal": {"reason": "separated", "needed": None}}
    predicted = [each for one in chosen.covariates for each in effects.predicted(fitted, one.key)]
    marginal = [each for one in chosen.covariates for each in effects.marginal(fitted, one.key, one.reference)]
    return _with_effects({**made, "coefficients": _coefficients(fitted, variables)}, predicted, marginal)


def document_of_pairs(
    header: Header, chosen: Specification, variables: Sequence[Variable], sources: Sequence[Source]
) -> RegressionDocument:
    """Return the document of a linear model from pairs (M47). PairsMissing if no source is about some pair."""
    specification.check(chosen, variables, by_pairs=True)
    made = _empty(header, chosen, variables, pairs.n_about(sources))
    made["n_pair"] = pairs.n_pair(chosen.keys, sources)
    try:
        fitted = pairs.fit(chosen, sources)
    except TooFewPairs as refused:
        return {**made, "refusal": {"reason": "too few", "needed": refused.needed}}
    predicted = [each for one in chosen.covariates for each in fitted.predicted(one)]
    marginal = [each for one in chosen.covariates for each in fitted.marginal(one)]
    return _with_effects({**made, "coefficients": _coefficients_of_pairs(fitted)}, predicted, marginal)


def _empty(header: Header, chosen: Specification, variables: Sequence[Variable], n_about: int) -> RegressionDocument:
    return {
        "format": FORMAT,
        "header": header,
        "n_about": n_about,
        "n_pair": None,
        "confidences": list(CONFIDENCES),
        "model": specification.as_json(chosen),
        "variables": [{"key": one.key, "text": one.text, "options": list(one.options)} for one in variables],
        "coefficients": [],
        "predicted": [],
        "marginal": [],
        "refusal": None,
    }


def _with_effects(
    made: RegressionDocument, predicted: Sequence[Effect], marginal: Sequence[Effect]
) -> RegressionDocument:
    at_once = [bonferroni(confidence, max(len(marginal), 1)) for confidence in CONFIDENCES]
    differences: list[Share] = [_share(each) | {"simultaneous": _ends(each, at_once)} for each in marginal]
    return {**made, "predicted": [_share(each) for each in predicted], "marginal": differences}


def _coefficients_of_pairs(fitted: PairsFit) -> list[Coefficient]:
    errors = fitted.standard_errors
    limits = _levels(lambda confidence: around(fitted.parameters, errors, confidence))
    reach = linear_reaches(errors.tolist())
    return [
        {
            "outcome": None,
            "levels": [] if term is None else [{"key": term[0], "option": term[1]}],
            "estimate": float(fitted.parameters[j]),
            "standard_error": float(errors[j]),
            "intervals": limits[j],
            "profile": None,
            "reach": None if term is None else reach[j],
        }
        for j, term in enumerate(fitted.terms)
    ]


def _coefficients(fitted: Fit, variables: Sequence[Variable]) -> list[Coefficient]:
    errors, alone = fitted.standard_errors, _levels(fitted.intervals)
    jointly = isinstance(fitted.sample, JointSample) and len(fitted.sample.shares) <= PROFILE_MAX
    likely = jointly and fitted.design.specification.model != "linear"
    profile = _levels(Profile(fitted).intervals) if likely else None
    reach = reaches(fitted, variables)
    return [
        {
            "outcome": outcome,
            "levels": [{"key": key, "option": option} for key, option in levels],
            "estimate": float(fitted.parameters[j]),
            "standard_error": float(errors[j]),
            "intervals": alone[j],
            "profile": None if profile is None else profile[j],
            "reach": reach[j] if levels else None,
        }
        for j, (outcome, levels) in enumerate(fitted.terms)
    ]


def _levels(intervals: Any) -> list[Limits]:
    """Return each parameter's intervals at the confidences."""
    each = [intervals(confidence).tolist() for confidence in CONFIDENCES]
    return [[_finite(ends) for ends in of_one] for of_one in zip(*each, strict=True)]


def _finite(ends: Sequence[float]) -> list[float | None]:
    return [end if abs(end) < float("inf") else None for end in ends]


def _share(effect: Effect) -> Share:
    return {
        "key": effect.key,
        "option": effect.option,
        "reference": effect.reference,
        "outcome": effect.outcome,
        "estimate": effect.estimate,
        "standard_error": effect.standard_error,
        "intervals": _ends(effect, CONFIDENCES),
    }


def _ends(effect: Effect, confidences: Sequence[float]) -> Intervals:
    return [list(effect.interval(confidence)) for confidence in confidences]
