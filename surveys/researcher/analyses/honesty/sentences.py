"""The sentences about anchors. Each says whether it is about corrected or uncorrected shares."""

import math
from fractions import Fraction

from django.utils.translation import gettext as _

from ldp.honesty.attention import TooInattentive
from ldp.honesty.document import CorrectedDocument
from ldp.honesty.known import KnownComparison
from ldp.planning import known as planning
from ldp.planning.arms import Arm
from ldp.planning.outlook import quantile
from surveys.figures import numerals
from surveys.researcher.analyses.honesty.anchors import Attention
from surveys.researcher.results.released import ReleasedQuestion

DEPARTURE = 0.05  # a fraction; the page states the reports needed to show it


def attention(of: Attention) -> str:
    """Return how many people pay attention, according to one anchor."""
    low, high = numerals.outward(100 * of.interval.low, 100 * of.interval.high, 0)
    rule = _(
        "If those who pay no attention give each answer equally often, %(low)s to %(high)s%% of people pay attention "
        "(estimate: %(estimate)s%%)."
    )
    return rule % {"low": low, "high": high, "estimate": numerals.share(of.estimate, 0)}


def sentences(document: CorrectedDocument, names: list[str], place: int, decimals: int) -> list[str]:
    """Return the largest change by the correction, and the reports needed if these are too few. `names` has the answers
    as shown. `place` is the index of the confidence in `levels`."""
    shares = document["shares"]
    j = max(range(len(names)), key=lambda each: abs(shares[each]["estimate"] - shares[each]["uncorrected"]))
    low, high = shares[j]["levels"][place]["simultaneous"]
    texts = dict(zip(("low", "high"), numerals.outward(100 * low, 100 * high, decimals), strict=True))
    texts |= {"answer": names[j], "uncorrected": numerals.share(shares[j]["uncorrected"], decimals)}
    text = _(
        "Corrected, %(low)s to %(high)s%% of those who pay attention answer “%(answer)s”. Uncorrected, the estimate is "
        "%(uncorrected)s%% of everyone."
    )
    return [text % texts, *_needed(document, place)]


def _needed(document: CorrectedDocument, place: int) -> list[str]:
    """Return how many reports would estimate each corrected share alone within DEPARTURE, if these do not."""
    error = max(share["standard_error"] for share in document["shares"])
    half = quantile(document["confidences"][place]) * error
    if half <= DEPARTURE:
        return []
    words = {"n": numerals.count_up(math.ceil(document["n_about"] * (half / DEPARTURE) ** 2))}
    words["points"] = numerals.number(100 * DEPARTURE, 0)
    rule = _("About %(n)s reports about both questions would give each corrected share within %(points)s points.")
    return [rule % words]


def too_inattentive(refused: TooInattentive) -> str:
    rule = _(
        "It is not certain that anyone paid attention, so nothing can be corrected by it. About %(reports)s reports "
        "about both questions would be enough if the right answer stays as common."
    )
    return rule % {"reports": numerals.integer(refused.needed)}


def against_known(of: KnownComparison, answer: str, known: str, level: str) -> list[str]:
    """Return how a share compares with the true one. `known` is in percent, as typed."""
    low, high = sorted((100 * of.interval.low, 100 * of.interval.high), key=abs)
    texts = {"answer": answer, "known": known, "level": level}
    texts |= dict(zip(("low", "high"), numerals.outward(abs(low), abs(high), 1, 0), strict=True))
    if of.direction > 0:
        return [_more() % texts, _causes()]
    if of.direction < 0:
        return [_fewer() % texts, _causes()]
    texts |= dict(zip(("low", "high"), numerals.outward(100 * of.interval.low, 100 * of.interval.high, 1), strict=True))
    return [_same() % texts, _no_proof()]


def power(released: ReleasedQuestion, known: float, confidence: float) -> list[str]:
    """Return the smallest departure that these reports can show, and the reports needed for a small one. Return nothing
    if the interval holds at every release."""
    if released.watched or released.is_mean:
        return []
    one, level = Arm(released.question, Fraction(1)), 1 - confidence
    least, needed = planning.smallest(one, known, released.n, level), planning.needed(one, known, DEPARTURE, level)
    words = {"n": numerals.integer(released.n), "least": numerals.rounded_up(100 * (least or 1))}
    words |= {"size": numerals.number(100 * DEPARTURE, 0), "needed": numerals.count_up(needed or 0)}
    texts = []
    if least is not None:
        texts.append(
            _("The smallest departure that %(n)s people show with a chance of 80%% is %(least)s points.") % words
        )
    if needed is not None and (least is None or least > DEPARTURE):
        texts.append(_("About %(needed)s people would show %(size)s points.") % words)
    return texts


def _more() -> str:
    return _(
        "“%(answer)s” is answered more often than is true: by %(low)s to %(high)s percentage points above the known "
        "%(known)s%%, at %(level)s confidence."
    )


def _fewer() -> str:
    return _(
        "“%(answer)s” is answered less often than is true: by %(low)s to %(high)s percentage points below the known "
        "%(known)s%%, at %(level)s confidence."
    )


def _same() -> str:
    return _(
        "These reports do not show that “%(answer)s” is answered more or less often than the known %(known)s%%: the "
        "difference is %(low)s to %(high)s percentage points, at %(level)s confidence."
    )


def _causes() -> str:
    return _(
        "The difference has one or more of three causes: respondents are not like the population, they do not say what "
        "is true, or they pay no attention. No report shows which."
    )


def _no_proof() -> str:
    return _(
        "That is no proof of honesty: a difference may be too small to show, and people who are truthful here may lie "
        "about something more sensitive."
    )
