"""The half-widths of a design's questions. Those of routed questions are only about the people asked (M34f, M46)."""

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from ldp import pooled_scores, subsets
from ldp.forms.columns import keep_chance
from ldp.kinds import KINDS
from ldp.mechanisms import randomized_response
from ldp.mechanisms.pooled import EXPECTED
from ldp.planning import draw_prices, routed
from ldp.planning.candidates import PlannedQuestion, candidate
from ldp.planning.design import Brief, BriefQuestion, Design, DesignDraw
from ldp.planning.design_columns import keep_alone, question_prices
from ldp.planning.draw_prices import CONFIDENCE
from ldp.planning.expected_scores import Scores
from ldp.planning.routed import Reach
from ldp.scores import PooledPairs, ScoreMoments, indicator, mirrored
from ldp.subsets import Size


class Widths:
    """The half-widths of a design's questions. A `published` form is its fraction of all reports, and its draws."""

    def __init__(self, brief: Brief, design: Design, published: Sequence[tuple[float, tuple[DesignDraw, ...]]]) -> None:
        self._target = brief.target
        self.prices = question_prices(brief, published)
        conditions = {key: rules for key, rules in brief.conditions.items() if key in self.prices}
        self._scores = _scores(brief, design, published) if conditions else {}
        questions = {each.key: _question(brief, each) for each in brief.questions}
        reaches = ((key, routed.reach(questions, self._scores, key, brief.target)) for key in conditions)
        self._reach: dict[str, Reach] = {key: whom for key, whom in reaches if whom}

    def at(self, key: str, n: float) -> float:
        """Return the half-width of a question's simultaneous intervals with n people."""
        if whom := self._reach.get(key):
            own = self._scores[key]
            return routed.half_width(own, whom, n * own.reports, CONFIDENCE)
        return self.prices[key].half_width(n, self._target)

    @property
    def reached(self) -> dict[str, float]:
        """The expected fraction of people asked, for each question whose results are only about them."""
        return {key: whom.part for key, whom in self._reach.items()}


def _question(brief: Brief, question: BriefQuestion) -> Mapping[str, Any]:
    """Return the fields of a question that decide who is asked."""
    own = {"key": question.key, "kind": question.asked.kind, "options": range(question.asked.size.d)}
    return own | ({"asked_if": brief.conditions[question.key]} if question.key in brief.conditions else {})


def _scores(
    brief: Brief, design: Design, published: Sequence[tuple[float, tuple[DesignDraw, ...]]]
) -> dict[str, Scores]:
    """Return the scores of each question over all its forms, as estimates pool them (M45)."""
    planned = {each.key: each.asked for each in brief.questions}
    in_forms = {key for form in design.forms for key in form.keys}
    collected: dict[str, list[tuple[float, Scores]]] = {}
    for part, draws in published:
        for draw in draws:
            for key, own in zip(draw.keys, _of_draw(draw, [planned[key] for key in draw.keys]), strict=True):
                collected.setdefault(key, []).append((part, own))
    return {key: _pooled(own)._replace(in_forms=key in in_forms) for key, own in collected.items()}


def _pooled(each: Sequence[tuple[float, Scores]]) -> Scores:
    whole, first = math.fsum(part for part, _ in each), each[0][1]
    if len({own.moments for _, own in each}) == 1:
        return first._replace(reports=whole)
    about = [part * own.size.sample for part, own in each]  # for a list, the reports that draw an item
    counts = [
        (round(EXPECTED * part / math.fsum(about)), own.moments) for part, (_, own) in zip(about, each, strict=True)
    ]
    moments, _ = pooled_scores.every(counts, first.options or 2)
    pairs = {own.moments: own.pair for _, own in each}
    parts = [pair for part in moments.parts if (pair := pairs[part.moments]) and not isinstance(pair, PooledPairs)]
    alike = len({own.size.sample for _, own in each}) == 1
    size = first.size if alike else first.size._replace(sample=math.fsum(about) / whole)
    return first._replace(reports=whole, size=size, moments=moments, pair=PooledPairs(tuple(parts)), keep=0.0)


def _of_draw(draw: DesignDraw, planned: Sequence[PlannedQuestion]) -> list[Scores]:
    if len(planned) > 1:
        counts = tuple(each for one in planned if (each := draw_prices.joined(one)) is not None)
        keep = keep_chance(float(draw.alpha), float(subsets.rarity(counts, draw.sizes)))
        pairs = zip(planned, draw.sizes, strict=True)
        return [_listing(one, size, keep)._replace(draw=draw.keys) for one, size in pairs]
    [one] = planned
    if draw.mechanism not in draw_prices.LISTING:
        return [candidate(one._replace(mechanism=draw.mechanism), draw.alpha).scores]
    keep, listed = keep_alone(draw, one)
    return [_listing(one, (draw.sample, listed) if draw.sample else listed, keep)]


def _listing(question: PlannedQuestion, size: Size, keep: float) -> Scores:
    kind = KINDS[question.kind]
    drawn, listed = (None, size) if isinstance(size, int) else size
    own = question.size._replace(sample=drawn) if drawn else question.size
    d, lam = draw_prices.options(question.kind, own), Fraction(keep)
    moments: ScoreMoments = indicator(*randomized_response.listed_chances(lam, listed, d))
    pair = randomized_response.pair_moments(lam, listed, d)
    # The options of a list have separate reports.
    together = kind.together(own, draw_prices.is_one_answer(question.kind) and mirrored(moments, pair, d))
    return Scores(question.kind, own, moments, pair, together, keep=keep, listed=listed)
