"""The number of reports, or the alpha, that shows an association of two answers in a regression (M40).

The model has one covariate, with equally common answers. Without an effect the outcome's answers are equally common
too. One answer to the covariate multiplies the odds of the first coefficient by a ratio. A survey shows the association
if its reports are enough for the model and the coefficient's interval excludes 0.
"""

import math
from dataclasses import dataclass, replace
from typing import Protocol, Self

import numpy as np
import scipy

from ldp import search
from ldp.arrays import Values
from ldp.inference.variables import Variable, scaled
from ldp.regression import expectation, models, reach
from ldp.regression.design import Design
from ldp.regression.fitting import ERRORS_MIN, Fit, curvature_errors, fit
from ldp.regression.sample import Sample
from ldp.regression.specification import Specification
from ldp.regression.truncation import INFORMATION_MIN
from ldp.search import POWER, least_alpha

# With more combinations of answers the expectation takes seconds.
CELLS_MAX = 144


class Randomized(Protocol):
    """The draws of the outcome and the covariate."""

    @property
    def alpha(self) -> float:
        """The alpha of both questions, or of the whole form that randomizes them together."""

    def expected(self, law: Values) -> Sample:
        """Return very many expected reports of people with these joint shares, (outcome, covariate)."""

    def with_alpha(self, factor: float) -> "Randomized":
        """Return the pair with its alpha times `factor`. ValueError if alpha does not determine the tables."""


@dataclass(frozen=True)
class SeparatePair:
    """Two questions with separate draws."""

    outcome: Variable
    covariate: Variable

    @property
    def alpha(self) -> float:
        return sum(float(each.question["alpha"]) for each in (self.outcome, self.covariate))

    def expected(self, law: Values) -> Sample:
        return expectation.apart(law, (self.outcome, self.covariate))

    def with_alpha(self, factor: float) -> Self:
        return replace(self, outcome=scaled(self.outcome, factor), covariate=scaled(self.covariate, factor))


class JointPair(SeparatePair):
    """Two questions of one draw."""

    @property
    def alpha(self) -> float:
        return float(self.outcome.question["alpha"])

    def expected(self, law: Values) -> Sample:
        sizes = self.outcome.listed, self.covariate.listed
        return expectation.together(law, self.outcome.question["table"]["keep"], sizes)


# People ---------------------------------------------------------------------------------------------------------------


def law(model: Specification, shape: tuple[int, int], ratio: float) -> Values:
    """Return the joint shares of outcome and covariate, of this shape. One covariate answer multiplies the odds by
    `ratio`."""
    design = Design(model, shape)
    made = models.of(design)
    parameters = made.start(np.full(shape[0], 1 / shape[0]))
    parameters[first_coefficient(made.terms)] = math.log(ratio)
    chances = made.means(parameters)[np.arange(len(design.options)), design.options[:, 0]]
    return np.asarray(chances.reshape(shape) / shape[1])


def first_coefficient(terms: list[models.Term]) -> int:
    """Return the place of the first term that is not an intercept or threshold."""
    return next(place for place, (_, levels) in enumerate(terms) if levels)


# Power ----------------------------------------------------------------------------------------------------------------


def planned(pair: Randomized, model: Specification, law: Values) -> Fit:
    """Return the fit of very many reports of people with this law."""
    return fit(model, pair.expected(law))


def chance(planned: Fit, n: int) -> float:
    """Return the chance that n reports show the first coefficient: they are enough for the model, and its interval
    excludes 0."""
    place, part = first_coefficient(planned.terms), math.sqrt(n / planned.n)
    errors, _ = curvature_errors(planned.model, planned.sample, planned.parameters)
    least = planned.squares.errors.min()
    # `least` varies by about two. If a share falls, the mean of its square falls too, and its part of the error grows.
    enough = scipy.special.ndtr(min(errors.min() * part - ERRORS_MIN, (least * part - INFORMATION_MIN) / 2))
    return float(enough * reach.power(planned.standard_errors[place] / part, planned.parameters[place]))


def needed(planned: Fit, wanted: float = POWER) -> int | None:
    """Return about how many reports show the coefficient with this chance, two digits; None if over N_MOST."""
    return search.fewest(lambda n: chance(planned, n), wanted)


def alpha_needed(pair: Randomized, model: Specification, law: Values, n: int, wanted: float = POWER) -> float | None:
    """Return the least alpha, of both questions or their form, at which n reports show the coefficient with this
    chance; None if there is none, or it is unknown."""
    return least_alpha(
        pair.alpha, lambda alpha: chance(planned(pair.with_alpha(alpha / pair.alpha), model, law), n), wanted
    )
