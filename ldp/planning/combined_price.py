"""The price of a form that asks several questions which no present form asks together (M44).

An analysis that needs all answers of the same people (a logistic model, weights by two margins) needs this form. It may
have one draw for all questions, or a draw for each with an equal part of alpha. The better way counts.
"""

import math
from collections.abc import Sequence
from fractions import Fraction

from ldp import exact, subsets
from ldp.forms import definition as definitions
from ldp.forms.schema import Definition
from ldp.inference.variables import Variable, variable
from ldp.mechanisms import randomized_response
from ldp.question import channels
from ldp.regression.expectation import share_variance
from ldp.subsets import CELLS_MAX


def reports_factor(definition: Definition, variables: Sequence[Variable]) -> float | None:
    """Return the largest factor by which the number of reports for a question's share would grow, at equal shares; None
    if an item or option is among the variables, or there are too many combinations."""
    counts = tuple(len(each.options) for each in variables)
    if any(each.place is not None for each in variables) or math.prod(counts) > CELLS_MAX:
        return None
    alpha = _alpha(definition, {each.key for each in variables})
    now = [_information(each) for each in variables]
    return min(
        max(variance * information for variance, information in zip(each, now, strict=True))
        for each in (_together(alpha, counts), _apart(alpha, counts))
    )


def _alpha(definition: Definition, keys: set[str]) -> Fraction:
    """Return the largest form's alpha plus the alphas of draws for everyone that ask only these questions: the new form
    could use both."""
    whole = definitions.questionnaire(definition)
    freed = (draw.alpha for draw in whole.everyone if keys.issuperset(draw.questions))
    return max(form.alpha for form in whole.forms) + sum(freed, Fraction(0))


def _information(variable_now: Variable) -> float:
    """Return a report's information about a share, averaged over the forms that ask."""
    question = variable_now.question
    every = [variable([each], variable_now.key, means=True) for each in channels(question)]
    weights = [each["weight"] for each in question["asked"]] if len(every) > 1 else [1]
    known = (weight / share_variance(each) for weight, each in zip(weights, every, strict=True))
    return sum(known) / sum(weights)


def _together(alpha: Fraction, counts: tuple[int, ...]) -> list[float]:
    """Return n times the variance of each question's share, in one draw of all."""
    bound, sizes = exact.exp_short(alpha), randomized_response.best_sizes(alpha, counts)
    rarity = subsets.rarity(counts, sizes)
    listed = map(subsets.listed, sizes)
    return [float(randomized_response.variance(bound, rarity, d, a)) for d, a in zip(counts, listed, strict=True)]


def _apart(alpha: Fraction, counts: tuple[int, ...]) -> list[float]:
    return [_together(alpha / len(counts), (d,))[0] for d in counts]
