"""The proposed design for a brief (M46): the best of many by one rule, ldp.planning.design_outcomes.Merit. The
candidates include the present design, and the proposal without wishes."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from ldp.arrays import Values
from ldp.forms.efficiency import Efficiency
from ldp.kinds import KINDS
from ldp.mechanisms import POOLED
from ldp.planning import budget, design_weights
from ldp.planning.design import Brief, Design, DesignDraw, DesignForm, Keys
from ldp.planning.design_columns import Column, Columns, draw_alone, question_prices
from ldp.planning.design_outcomes import (
    CROSSING,
    Outcome,
    design_efficiency,
    expected_for,
    outcome,
)
from ldp.planning.design_search import Search
from ldp.planning.draw_prices import Price
from ldp.routing import condition
from ldp.subsets import Items

# With more questions or pairs to cross there is no search for the best forms, because a page waits for it.
SEARCHED_QUESTIONS, SEARCHED_PAIRS = 10, 45

IMPOSSIBLE = "has no mechanism for so many answers under so small an alpha"

# Designs whose losses differ by less count as equal; the one with the fewest forms is proposed.
_ALIKE = 1.002
# The search ends if the best forms that n allows are this near to the best of all forms.
_NEAR = 1.005
# If rounding to whole weights goes below the least weight, weights are at least this times the least.
_ROOM = 1.03
_CROSSING_ROUNDS, _WISH_POWERS = 3, (1.0, 1.0, 2.0)
# How many of the best designs are weighted for wishes, and how often.
_TUNED, _TUNED_ROUNDS = 8, 5


@dataclass(frozen=True)
class Proposal:
    """A design with its outcome. `efficiency` is against the bound (M48), None if none is known. `crossing_cost` is the
    relative number of additional people that shares need because of pairs to cross; None without pairs. `stands` is
    true for the present design."""

    design: Design
    outcome: Outcome
    efficiency: Efficiency | None
    crossing_cost: float | None = None
    stands: bool = False


def propose(brief: Brief, standing: Design | None = None) -> Proposal:
    """Return the best design found for the brief, or the present one if it is no worse. ValueError if some questions
    cannot be asked under the total."""
    columns = Columns(brief)
    proposed = _searched(brief)
    cost = _crossing_cost(brief, proposed) if brief.pairs else None
    design, result = proposed
    stands = standing is not None and not result.merit.is_no_worse_than((stood := outcome(columns, standing)).merit)
    if standing is not None and stands:
        design, result = standing, stood
    return Proposal(design, result, design_efficiency(columns, design), cost, stands)


def propose_within(brief: Brief, forms: Sequence[Keys]) -> Proposal:
    """Return the design with exactly these forms, in their best ways and weights. Everyone is asked the questions
    outside all forms, each with the same part of the total as a form. ValueError if a form has no mechanism under it.
    """
    named = {key for form in forms for key in form}
    everyone = [each.key for each in brief.questions if each.key not in named]
    alphas = budget.equal(brief.total, len(everyone) + 1)
    columns = Columns(replace(brief, everyone=tuple(zip(everyone, alphas, strict=False))))
    place = {each.key: k for k, each in enumerate(columns.free)}
    importance = _importance(columns)
    search, chosen = Search(columns, importance), list[Column]()
    for form in forms:
        way = search.form(tuple(sorted(place[key] for key in form)))
        if way is None:
            raise ValueError(IMPOSSIBLE)
        chosen.append(way)
    design = _weighted(columns, chosen, importance, np.full(len(chosen), 1 / len(chosen)))
    return Proposal(design, outcome(columns, design), design_efficiency(columns, design))


@lru_cache(maxsize=256)
def _searched(brief: Brief) -> tuple[Design, Outcome]:
    plain = replace(brief, questions=tuple(each._replace(wished=None) for each in brief.questions))
    columns, compared = _unwished(plain)
    columns = columns.wishing(brief)
    others = [replace(brief, crossed="none")] if brief.pairs else []
    others += [plain] if plain != brief else []
    simpler = [_searched(each)[0] for each in others]
    designs = dict.fromkeys([*compared, *_wished(columns, compared), *simpler])
    results = [(design, outcome(columns, design)) for design in designs if _overlaps_well(brief, design)]
    if not results:
        raise ValueError(IMPOSSIBLE)
    best = _best([*results, *_tuned(columns, results)])
    better = [pair for pair in results if pair[0] in simpler and not best[1].merit.is_no_worse_than(pair[1].merit)]
    return min(better, key=lambda pair: pair[1].merit, default=best)


@lru_cache(maxsize=16)
def _unwished(brief: Brief) -> tuple[Columns, tuple[Design, ...]]:
    """Return the columns and the designs to compare, without wishes."""
    columns = Columns(brief)
    return columns, tuple(_designs(columns))


def _overlaps_well(brief: Brief, design: Design) -> bool:
    """Return whether each question in several forms has draws that can be pooled, or the same draw in all (M45). A list
    or grid that decides who is asked another question has one draw: no width is planned for several."""
    deciding = {
        rule["question"] for rules in brief.conditions.values() for rule in condition({"asked_if": rules}).rules
    }
    collected: dict[str, set[DesignDraw]] = {}
    for form in design.forms:
        for draw in form.draws:
            for key in draw.keys:
                collected.setdefault(key, set()).add(draw)
    lists = {each.key for each in brief.questions if isinstance(KINDS[each.asked.kind].symbols(each.asked.size), Items)}
    return all(
        len(draws) == 1 or (key not in lists & deciding and all(draw.mechanism in POOLED for draw in draws))
        for key, draws in collected.items()
    )


def _best(results: Sequence[tuple[Design, Outcome]]) -> tuple[Design, Outcome]:
    _, best = min(results, key=lambda pair: pair[1].merit)
    alike = [
        pair
        for pair in results
        if pair[1].merit[:3] == best.merit[:3] and pair[1].merit.loss <= _ALIKE * best.merit.loss
    ]
    return min(alike, key=lambda pair: (len(pair[0].forms), pair[1].merit.loss))


def _crossing_cost(brief: Brief, proposed: tuple[Design, Outcome]) -> float:
    _, without = _searched(replace(brief, crossed="none"))
    return proposed[1].error / without.error - 1


# The designs to compare ----------------------------------------------------------------------------------------------


def _designs(columns: Columns) -> Iterator[Design]:
    """Yield designs for the questions' importance, then also for pairs, each with as many forms as n allows."""
    importance = _importance(columns)
    if is_large(columns.brief):
        yield from _of_many(columns, importance)
        return
    yield from _for_importance(columns, importance)
    if columns.pairs:
        yield from _crossed(columns, importance)


def is_large(brief: Brief) -> bool:
    """Return whether there are too many questions or pairs to search for forms."""
    return len(brief.free) > SEARCHED_QUESTIONS or len(brief.pairs) > SEARCHED_PAIRS


def _of_many(columns: Columns, importance: Values) -> Iterator[Design]:
    """Yield designs with forms of neighbours, of one length or in the best mix of lengths, and with forms that have all
    pairs to cross."""
    search = Search(columns, importance)
    lists = search.chunks(columns.atoms)
    if columns.crossed_atoms != columns.atoms:
        lists += search.chunks(columns.crossed_atoms)
    if not lists:
        return
    if columns.brief.crossed == "all":
        covers = ((forms, _with_pairs(columns, forms, importance)) for forms in search.covers())
        yield from (each for forms, both in covers if (each := _design(columns, forms, both)[0]))
    mixed = [each for forms in lists[1:] for each in forms if _may_overlap(each)]
    designs = [_design(columns, forms, importance)[0] for forms in ([*lists[0], *mixed], *lists)]
    yield from (each for each in designs if each)
    if not any(designs):
        fewest = min(lists, key=len)
        yield _drawn(columns, fewest, [1] * len(fewest))


def _with_pairs(columns: Columns, forms: Sequence[Column], importance: Values) -> Values:
    """Return the importance of questions and pairs, scaled by the errors of these forms with equal weights."""
    pairs, equal = _pairs(columns), np.full(len(forms), 1 / len(forms))
    information = np.array([form.information for form in forms])
    of_shares, of_pairs = (design_weights.value(information, part, equal) for part in (importance, pairs))
    return np.asarray(importance + CROSSING * of_shares / of_pairs * pairs)


def _may_overlap(column: Column) -> bool:
    return all(draw.mechanism in POOLED for draw in column.draws)


def _importance(columns: Columns) -> Values:
    """Return the importance of questions for the search, which uses variances in a population; 0 for pairs."""
    return _relative(columns, columns.alone)


def _relative(columns: Columns, prices: Sequence[Price | None]) -> Values:
    """Return the importance of questions, times their variance about the brief's target over that in a population."""
    whole = [
        each.importance * (price.respondents / price.variance if price and columns.brief.target != "population" else 1)
        for each, price in zip(columns.free, prices, strict=True)
    ]
    return np.array([each / math.fsum(whole) for each in whole] + [0.0] * len(columns.pairs))


def _pairs(columns: Columns) -> Values:
    """Return equal importance for the pairs to cross, 0 for questions."""
    return np.concatenate((np.zeros(len(columns.free)), np.full(len(columns.pairs), 1 / len(columns.pairs))))


def _for_importance(columns: Columns, importance: Values) -> Iterator[Design]:
    """Yield designs with the best of all forms. If n does not allow these, yield few forms of more questions."""
    search, most = Search(columns, importance), _most_forms(columns.brief)
    forms = search.relaxed()
    design, loss = _design(columns, forms, importance) if forms else (None, 0.0)
    if design:
        yield design
        yield from (each for forms in search.neighbours(most) if (each := _design(columns, forms, importance)[0]))
    if not design or loss > _NEAR or not _overlaps_well(columns.brief, design):
        few = search.partitions(most) or search.partitions(len(columns.atoms))
        yield from (each for forms in few if (each := _design(columns, forms, importance)[0]))
        if not design and not _possible(columns.brief, few):
            yield from (each for forms in few if (each := _drawn(columns, forms, [1] * len(forms))))


def _possible(brief: Brief, lists: Sequence[Sequence[Column]]) -> bool:
    return any(len(forms) <= _most_forms(brief) for forms in lists)


def _crossed(columns: Columns, importance: Values) -> Iterator[Design]:
    """Yield designs that cross pairs. A few rounds find the importance of pairs at which the weighted sum of errors has
    the same minimum as log(error of shares) + CROSSING log(error of pairs)."""
    pairs, scale, most = _pairs(columns), 1e-3, _most_forms(columns.brief)
    design, loss, forms = None, math.inf, list[Column]()
    for _ in range(_CROSSING_ROUNDS):
        if not (forms := Search(columns, importance + scale * pairs).relaxed(forms)):
            break
        information = np.array([form.information for form in forms])
        weights = design_weights.best(information, importance + scale * pairs, np.full(len(forms), 1 / len(forms)))
        of_shares, of_pairs = (design_weights.value(information, part, weights) for part in (importance, pairs))
        scale = CROSSING * of_shares / of_pairs
    if forms:
        design, loss = _design(columns, forms, importance + scale * pairs)
    if design:
        yield design
    if not design or loss > _NEAR or not _overlaps_well(columns.brief, design):
        search = Search(columns, importance + scale * pairs)
        few = [*search.coverings(most), *search.partitions(most)]
        yield from (each for forms in few if (each := _design(columns, forms, importance + scale * pairs)[0]))


def _wished(columns: Columns, base: Sequence[Design]) -> Iterator[Design]:
    """Yield designs in which a question with a wider interval than wished is more important, a narrower one less."""
    if is_large(columns.brief) or not any(each.wished for each in columns.free):
        return
    importance = np.array([each.importance for each in columns.free] + [0.0] * len(columns.pairs))
    results = [(design, outcome(columns, design)) for design in base]
    for power in _WISH_POWERS:
        if not results:
            return
        _, best = _best(results)
        if not best.merit.missed:
            return
        changed = importance.copy()
        for place, each in enumerate(columns.free):
            if each.wished:
                changed[place] *= min(max(best.half_widths[each.key] / each.wished, 0.1), 10.0) ** (2 * power)
        changed /= changed[: len(columns.free)].sum()
        designs = list(_crossed(columns, changed) if columns.pairs else _for_importance(columns, changed))
        yield from designs
        results = [(design, outcome(columns, design)) for design in designs]
        importance = changed if power == 1 else importance


def _tuned(columns: Columns, results: Sequence[tuple[Design, Outcome]]) -> Iterator[tuple[Design, Outcome]]:
    """Yield the best designs' forms with other weights. The first weights have the least loss. In each round a question
    is more important if its interval is wider than wished, and less if narrower."""
    for design, result in sorted(results, key=lambda pair: pair[1].merit)[:_TUNED]:
        forms = [] if is_large(columns.brief) else [columns.column(form.draws) for form in design.forms]
        urgency = np.ones(len(columns.free) + len(columns.pairs))
        for step in range(_TUNED_ROUNDS if len(forms) > 1 else 0):
            if not result.merit.missed and (step > 1 or columns.brief.target == "population"):
                break
            for place, each in enumerate(columns.free):
                if each.wished:
                    urgency[place] *= min(max(result.half_widths[each.key] / each.wished, 0.5), 2.0) ** 4
            parts, known = np.array([part for part, _ in design.parts]), question_prices(columns.brief, design.parts)
            prices = [known[each.key] for each in columns.free]
            tuned = _weighted(columns, forms, _relative(columns, prices) * urgency, parts)
            design, result = tuned, outcome(columns, tuned)
            yield design, result


def _weighted(columns: Columns, forms: Sequence[Column], importance: Values, start: Values) -> Design:
    """Return the design of all these forms with the best weights that n allows."""
    brief, informed = columns.brief, np.array([form.information for form in forms])
    needed = _with_pairs(columns, forms, importance) if columns.pairs else importance
    least = min(expected_for(brief.fewest) / brief.n, 1 / len(forms))
    weights = design_weights.at_least(informed, needed, start, least)
    return _drawn(columns, forms, design_weights.whole_weights(informed, needed, weights, least) or [1] * len(forms))


def _most_forms(brief: Brief) -> int:
    return max(1, min(brief.most_forms, math.floor(brief.n / expected_for(brief.fewest) + 1e-9)))


def _design(columns: Columns, forms: Sequence[Column], importance: Values) -> tuple[Design | None, float]:
    """Return the forms with the best whole weights, without forms that n does not allow, and the loss from leaving
    these out; None if the rest cannot ask all questions."""
    brief, information = columns.brief, np.array([form.information for form in forms])
    least = expected_for(brief.fewest) / brief.n
    needed = importance * (information.max(axis=0) > 0)
    if (needed[: len(columns.free)] <= 0).any():
        return None, math.inf
    weights = design_weights.best(information, needed, np.full(len(forms), 1 / len(forms)))
    best = design_weights.value(information, needed, weights)
    if len(forms) > 1:
        left = design_weights.pruned(information, needed, weights, least, brief.most_forms)
        forms, information = [forms[k] for k in left], information[left]
    if len(forms) == 1:
        return _drawn(columns, forms, [1]), design_weights.value(information, needed, np.ones(1)) / best
    if len(forms) > _most_forms(brief):
        return None, math.inf
    for room in (least, _ROOM * least):
        if len(forms) * room > 1:
            break
        weights = design_weights.at_least(information, needed, np.full(len(forms), 1 / len(forms)), room)
        if numbers := design_weights.whole_weights(information, needed, weights, least):
            return _drawn(columns, forms, numbers), design_weights.value(information, needed, weights) / best
    return None, math.inf


def _drawn(columns: Columns, forms: Sequence[Column], weights: Sequence[int]) -> Design:
    """Return the design; a single form is for everyone. ValueError if a question for everyone cannot have its alpha."""
    brief = columns.brief
    order = {each.key: place for place, each in enumerate(brief.questions)}
    alphas = dict(brief.everyone)
    everyone = [draw_alone(each, alphas[each.key]) for each in brief.questions if each.key in alphas]
    if len(forms) == 1:
        draws = sorted([*everyone, *forms[0].draws], key=lambda draw: order[draw.keys[0]])
        return Design(tuple(draws))
    made = [DesignForm(weight, form.draws) for form, weight in zip(forms, weights, strict=True)]
    return Design(
        tuple(everyone), tuple(sorted(made, key=lambda form: ([order[key] for key in form.keys], form.draws)))
    )
