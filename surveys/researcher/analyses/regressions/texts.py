"""The document of a regression as texts: names of terms, and tables."""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from django.utils.translation import gettext as _

from ldp.inference.variables import Variable
from ldp.regression.document import Coefficient, Level, Named, RegressionDocument, Share
from ldp.regression.reach import Reach
from surveys.figures import numerals
from surveys.figures.coefficients import CoefficientLine
from surveys.figures.sentences import comma_separated, isolated
from surveys.researcher.analyses.frame.inputs import option_texts
from surveys.researcher.analyses.frame.selection import AnalysisSelection
from surveys.rules.texts import decimal

UNLIMITED = "∞"


def options(document: RegressionDocument, key: str) -> list[str]:
    """Return a variable's options as shown."""
    return option_texts(_variable(document, key)["options"])


def question(document: RegressionDocument, key: str) -> str:
    return str(_variable(document, key)["text"])


def _variable(document: RegressionDocument, key: str) -> Named:
    return next(each for each in document["variables"] if each["key"] == key)


def outcome(document: RegressionDocument) -> str:
    return str(document["model"]["outcome"])


def numbers(document: RegressionDocument) -> list[tuple[str, str]]:
    """Return the questions whose options count as numbers, each with its options and their numbers."""
    model = document["model"]
    given = [
        (model["outcome"], model.get("scores")),
        *((each["key"], each.get("scores")) for each in model["covariates"]),
    ]
    return [(question(document, key), _listed(options(document, key), scores)) for key, scores in given if scores]


def _listed(names: list[str], scores: list[float]) -> str:
    each = zip(names, map(numerals.tick, scores), strict=True)
    return comma_separated(score if name == score else f"{isolated(name)} {score}" for name, score in each)


def level_of(document: RegressionDocument, chosen: AnalysisSelection) -> int:
    return int(document["confidences"].index(chosen.fraction))


NAMED_MAX = 6


def pairs(keys: Sequence[tuple[str, str]], variables: Sequence[Variable]) -> str:
    """Return the texts of pairs of questions; only the first ones if there are many."""
    names = {each.key: each.text for each in variables}
    named = [_("“%(one)s” and “%(other)s”") % {"one": names[one], "other": names[other]} for one, other in keys]
    more = ["…"] if len(named) > NAMED_MAX else []
    return "; ".join(named[:NAMED_MAX] + more)


# Coefficients ---------------------------------------------------------------------------------------------------------


def coefficients(document: RegressionDocument, chosen: AnalysisSelection) -> list[CoefficientLine]:
    """Return the lines of all coefficients except intercepts and thresholds. `more` has the odds ratio with its
    interval, and the interval by the profile likelihood, if they exist."""
    place = level_of(document, chosen)
    rows = [row for row in document["coefficients"] if row["levels"]]
    return [_coefficient(document, row, place) for row in rows]


def _coefficient(document: RegressionDocument, row: Coefficient, place: int) -> CoefficientLine:
    decimals = max(0, numerals.places(row["standard_error"]))
    low, high = ends_of(row["intervals"][place])
    more = [numerals.number(row["standard_error"], decimals)]
    if document["model"]["model"] != "linear":
        more += [_ratio(row["estimate"]), _ratios(low, high)]
    if row["profile"] is not None:
        more.append(limits_text(row["profile"][place], decimals))
    texts = numerals.number(row["estimate"], decimals), limits_text(row["intervals"][place], decimals)
    return CoefficientLine(term(document, row), row["estimate"], low, high, *texts, tuple(more))


def ends_of(limits: Sequence[float | None]) -> tuple[float, float]:
    """Return both ends; an end without a limit is infinite."""
    low, high = limits
    return -math.inf if low is None else low, math.inf if high is None else high


def _ratio(logit: float, digits: int = 3) -> str:
    return UNLIMITED if logit == math.inf else numerals.small(_odds(logit), digits)


def _ratios(low: float, high: float, digits: int = 3) -> str:
    """Return an interval of odds ratios as text. It has more digits if rounding would make it contain 1."""
    least, most = (float(f"{_odds(logit):.{digits - 1}e}") for logit in (low, high))
    if digits < numerals.DECIMALS_MAX and not low <= 0 <= high and least <= 1 <= most:
        return _ratios(low, high, digits + 1)
    return numerals.to(_ratio(low, digits), _ratio(high, digits))


def _odds(logit: float) -> float:
    return math.exp(min(logit, 700))


def limits_text(limits: Sequence[float | None], decimals: int) -> str:
    low, high = ends_of(limits)
    known = [end for end in (low, high) if math.isfinite(end)]
    if not known:
        return _("without a limit")
    least, most = numerals.outward(known[0], known[-1], decimals, 0.0)
    return numerals.to(least if low in known else numerals.local(f"-{UNLIMITED}"), most if high in known else UNLIMITED)


def term(document: RegressionDocument, row: Coefficient) -> str:
    """Return the name of a coefficient: the covariates' answers, and the outcome's answer if each has its own
    coefficient."""
    levels = " × ".join(_level(document, level) for level in row["levels"])
    if row["outcome"] is None or document["model"]["model"] == "logistic":
        return levels
    return f"{options(document, outcome(document))[row['outcome']]}: {levels}"


def _level(document: RegressionDocument, level: Level) -> str:
    text = question(document, level["key"])
    if level["option"] is None:
        return _("%(question)s (a unit more)") % {"question": text}
    return f"{text}: {options(document, level['key'])[level['option']]}"


class ReachRow(NamedTuple):
    """The smallest effect that a survey of this size would show, as text. `needed` and `alpha` are the reports, or the
    total alpha, that would show an odds ratio of two. A linear model has neither."""

    name: str
    smallest: str
    needed: str
    alpha: str


def reaches(document: RegressionDocument) -> list[ReachRow]:
    """Return the reach of each coefficient, at the power and level of ldp/search.py."""
    each = [(row, row.get("reach")) for row in document["coefficients"]]
    return [_reach(document, row, reach) for row, reach in each if reach]


def _reach(document: RegressionDocument, row: Coefficient, reach: Reach) -> ReachRow:
    name = term(document, row)
    if reach["reports"] is None:
        return ReachRow(name, numerals.rounded_up(reach["smallest"]), "", "")
    if reach["reports"] <= document["n_about"]:  # no alpha below the present one was searched
        alpha = _("as now")
    else:
        alpha = "–" if reach["alpha"] is None else numerals.number(reach["alpha"], 1)
    return ReachRow(name, numerals.rounded_up(math.exp(reach["smallest"])), numerals.count_up(reach["reports"]), alpha)


def total_alpha(variables: Sequence[Variable]) -> str:
    """Return the total alpha of the model's questions. Questions of one draw share one alpha."""
    own = {each.draw: each.question["alpha"] for each in variables}
    return decimal(sum((Fraction(alpha) for alpha in own.values()), Fraction(0)))


# Predicted shares and marginal effects --------------------------------------------------------------------------------


def effects(document: RegressionDocument, chosen: AnalysisSelection) -> list[CoefficientLine]:
    """Return the marginal effects in percentage points; those of a linear model have the outcome's unit."""
    return [_share(document, row, chosen) for row in _telling(document, document["marginal"])]


def predicted(document: RegressionDocument, chosen: AnalysisSelection) -> list[CoefficientLine]:
    return [_share(document, row, chosen) for row in _telling(document, document["predicted"])]


def _telling(document: RegressionDocument, rows: list[Share]) -> list[Share]:
    """Return the informative rows. If an outcome has two answers, the second adds nothing."""
    two = len(options(document, outcome(document))) == 2
    return [row for row in rows if not (two and row["outcome"] == 1)]


def _share(document: RegressionDocument, row: Share, chosen: AnalysisSelection) -> CoefficientLine:
    times = 1 if row["outcome"] is None else 100
    low, high = (times * end for end in row["intervals"][level_of(document, chosen)])
    decimals = min(1 if times == 100 else 12, max(0, numerals.places(times * row["standard_error"])))
    apart = None if row["reference"] is None else 0.0
    ends = numerals.outward(low, high, decimals, apart)
    texts = numerals.number(times * row["estimate"], decimals), numerals.to(*ends)
    return CoefficientLine(_name(document, row), times * row["estimate"], low, high, *texts)


def _name(document: RegressionDocument, row: Share) -> str:
    own = options(document, row["key"])
    name = f"{question(document, row['key'])}: {own[row['option']]}"
    if row["reference"] is not None:
        words = {"answer": isolated(name), "other": isolated(own[row["reference"]])}
        name = _("%(answer)s rather than %(other)s") % words
    if row["outcome"] is None:
        return name
    return f"{name} → {options(document, outcome(document))[row['outcome']]}"
