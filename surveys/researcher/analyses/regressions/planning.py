"""The outlook on a regression of one question on another, for planned numbers of people (M40)."""

from collections.abc import Sequence
from functools import partial

from django.http import QueryDict
from django.utils.translation import gettext as _

from ldp.inference.variables import Variable
from ldp.planning import regressions
from ldp.planning.regressions import CELLS_MAX, Randomized
from ldp.regression.specification import Covariate, Specification
from ldp.search import POWER
from surveys.figures import numerals
from surveys.researcher.analyses.crossings.pairs import REFUSALS
from surveys.researcher.analyses.frame import planning
from surveys.researcher.analyses.frame.planning import PairOutlook, QuestionPlan
from surveys.researcher.analyses.regressions import options

RATIO = 2


def outlook(questions: Sequence[QuestionPlan], data: QueryDict, n: int) -> PairOutlook | None:
    """Return what a regression would show; None if no two questions fit a model."""
    able = planning.for_everyone(questions)
    return planning.outlook_of_two(able, data, ("outcome", "explained"), partial(_sentences, n))


def _sentences(n: int, outcome: QuestionPlan, covariate: QuestionPlan) -> list[str]:
    apart = _("They are in two different forms: no one is asked both, so neither can explain the other.")
    many = _("Together they have too many answers to say here what would show.")
    if hindering := planning.hindrance(outcome, covariate, CELLS_MAX, apart, many):
        return [hindering]
    (_people, (own, other)), *others = planning.ways((outcome, covariate))
    if others:
        return [str(REFUSALS["channels"])]
    pair = planning.randomized(own, other)
    return _power_sentences(pair, own, other, n, planning.share((outcome, covariate)))


def model(outcome: Variable, covariate: Variable) -> Specification:
    """Return the model that the page of models would make of these two. A number counts by its steps instead."""
    fitting = options.fitting(outcome)
    name = "ordered" if fitting == "linear" else fitting
    return Specification(name, outcome.key, (Covariate(covariate.key, reference=options.reference(covariate)),))


def _power_sentences(pair: Randomized, own: Variable, other: Variable, n: int, share: float) -> list[str]:
    chosen = model(own, other)
    law = regressions.law(chosen, (len(own.options), len(other.options)), RATIO)
    planned, about = regressions.planned(pair, chosen, law), max(1, int(n * share))
    words = _words(chosen, own, other) | {"people": numerals.integer(n), "n": numerals.integer(about)}
    words["chance"] = numerals.percent(planning.rounded(regressions.chance(planned, about)))
    sentences = [planning.about_both(share), _at_hand(chosen.model)]
    needed = regressions.needed(planned)
    if needed is None:
        return [sentence % words for sentence in [*sentences, _("No number of people would show this.")]]
    words |= {"needed": numerals.count_up(int(needed / share)), "both": numerals.count_up(needed)}
    words["wanted"] = numerals.percent(POWER)
    sentences.append(planning.needed_text(share))
    alpha = regressions.alpha_needed(pair, chosen, law, about) if needed > about else None
    if alpha is not None:
        words |= {"alpha": numerals.number(alpha, 1), "total": numerals.tick(pair.alpha)}
        sentences.append(_alpha(isinstance(pair, regressions.JointPair)))
    return [sentence % words for sentence in sentences]


def _words(chosen: Specification, own: Variable, other: Variable) -> dict[str, str]:
    """Return the answers that the model's first coefficient compares."""
    base = chosen.covariates[0].reference
    words = {"answer": own.options[0 if chosen.model == "logistic" else 1], "base": own.options[0]}
    words |= {"outcome": own.text, "explained": other.text}
    return words | {"one": other.options[1 - base], "other": other.options[base]}


def _at_hand(model: str) -> str:
    if model == "ordered":
        return _(
            "If those who answer “%(one)s” to “%(explained)s” have twice the odds of a higher step of “%(outcome)s” "
            "that those who answer “%(other)s” have, a regression shows it with a chance of about %(chance)s."
        )
    if model == "logistic":
        return _(
            "If those who answer “%(one)s” to “%(explained)s” have twice the odds of “%(answer)s” to “%(outcome)s” "
            "that those who answer “%(other)s” have, a regression shows it with a chance of about %(chance)s."
        )
    return _(
        "If those who answer “%(one)s” to “%(explained)s” have twice the odds of “%(answer)s” rather than “%(base)s” "
        "to “%(outcome)s” that those who answer “%(other)s” have, a regression shows it with a chance of about "
        "%(chance)s."
    )


def _alpha(is_joint: bool) -> str:
    if is_joint:
        return _("%(people)s people would be enough if the form had an alpha of %(alpha)s; now it has %(total)s.")
    return _(
        "%(people)s people would be enough if both questions together had an alpha of %(alpha)s; now they have "
        "%(total)s."
    )
