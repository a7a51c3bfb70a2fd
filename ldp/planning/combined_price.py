"""What a form costs that asks several questions together, of which the forms of a survey ask some only (M44).

What needs all answers of the same people, a logistic model or weights by two margins, needs such a form. It may have
one draw of all questions, or one of each with an equal part of alpha; the better one counts.
"""

import math
from collections.abc import Sequence
from fractions import Fraction

from ldp import exact
from ldp.forms import definition as definitions
from ldp.forms.schema import Definition
from ldp.inference.variables import Variable, variable
from ldp.mechanisms import randomized_response
from ldp.mechanisms.randomized_response import CELLS_MAX
from ldp.question import channels
from ldp.regression.expectation import share_variance


def reports_factor(definition: Definition, variables: Sequence[Variable]) -> float | None:
    """How many times as many reports about it the share of a question would need at most, at equal shares; None where
    an item or option is among the variables, or there are too many combinations."""
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
    """The largest of a form, and of what everybody is asked of these questions alone, which could stand there."""
    whole = definitions.questionnaire(definition)
    freed = (draw.alpha for draw in whole.everybody if keys.issuperset(draw.questions))
    return max(form.alpha for form in whole.forms) + sum(freed, Fraction(0))


def _information(variable_now: Variable) -> float:
    """That of a report about a share, on average over the forms that ask."""
    question = variable_now.question
    every = [variable([each], variable_now.key, means=True) for each in channels(question)]
    weights = [each["weight"] for each in question["asked"]] if len(every) > 1 else [1]
    known = (weight / share_variance(each) for weight, each in zip(weights, every, strict=True))
    return sum(known) / sum(weights)


def _together(alpha: Fraction, counts: tuple[int, ...]) -> list[float]:
    """n times the variance of a share of each question, of a draw of all."""
    bound, sizes = exact.exp_short(alpha), randomized_response.best_sizes(alpha, counts)
    rarity = randomized_response.rarity(counts, sizes)
    return [float(randomized_response.variance(bound, rarity, d, a)) for d, a in zip(counts, sizes, strict=True)]


def _apart(alpha: Fraction, counts: tuple[int, ...]) -> list[float]:
    return [_together(alpha / len(counts), (d,))[0] for d in counts]
