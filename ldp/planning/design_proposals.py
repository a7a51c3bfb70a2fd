"""The proposed design for a brief (M46): the best of many by one rule, ldp.planning.design_outcomes.Merit; the present
design, and the proposal without wishes, are among them."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from ldp.arrays import Values
from ldp.forms.efficiency import Efficiency
from ldp.planning import budget, design_weights
from ldp.planning.design import Brief, Design, DesignDraw, DesignForm, Keys
from ldp.planning.design_columns import Column, Columns, draw_alone
from ldp.planning.design_outcomes import CROSSING, Outcome, design_efficiency, expected_for, outcome
from ldp.planning.design_search import Search
from ldp.planning.draw_prices import RANDOMIZED_RESPONSE

# The best forms of more questions than this, or with more pairs to be crossed, are not searched for: a page waits for
# them.
SEARCHED_QUESTIONS, SEARCHED_PAIRS = 10, 45

# Designs whose losses differ by less are alike, and the one with the fewest forms is proposed.
IMPOSSIBLE = "has no mechanism for so many answers under so small an alpha"

_ALIKE = 1.002
# Where n takes no more than this from the best of all forms nothing else is searched.
_NEAR = 1.005
# Where none are whole and keep the least, weights are this far from it.
_ROOM = 1.03
_CROSSING_ROUNDS, _WISH_POWERS = 3, (1.0, 1.0, 2.0)


@dataclass(frozen=True)
class Proposal:
    """A design with its outcome. `efficiency` is against the bound (M48), None where none is known. `crossing_cost` is
    the relative number of additional people that the shares need because of pairs to be crossed; None without pairs.
    `stands` says that it is the present design."""

    design: Design
    outcome: Outcome
    efficiency: Efficiency | None
    crossing_cost: float | None = None
    stands: bool = False


def propose(brief: Brief, standing: Design | None = None) -> Proposal:
    """Return the best design found for the brief, or the present one where it is no worse. ValueError where some
    questions cannot be asked under the total."""
    columns = Columns(brief)
    proposed = _searched(brief)
    cost = _crossing_cost(brief, proposed) if brief.pairs else None
    design, result = proposed
    stands = standing is not None and not result.merit.is_no_worse_than((stood := outcome(columns, standing)).merit)
    if standing is not None and stands:
        design, result = standing, stood
    return Proposal(design, result, design_efficiency(columns, design), cost, stands)


def propose_within(brief: Brief, forms: Sequence[Keys]) -> Proposal:
    """Return the best way and weight for each of these forms, and no others. Questions outside of all forms are asked
    of everybody, each with the same part of the total as every form. ValueError where a form has no mechanism under
    it."""
    named = {key for form in forms for key in form}
    everybody = [each.key for each in brief.questions if each.key not in named]
    alphas = budget.equal(brief.total, len(everybody) + 1)
    columns = Columns(replace(brief, everybody=tuple(zip(everybody, alphas, strict=False))))
    place = {each.key: k for k, each in enumerate(columns.free)}
    importance = _importance(columns)
    search, chosen = Search(columns, importance), list[Column]()
    for form in forms:
        way = search.form(tuple(sorted(place[key] for key in form)))
        if way is None:
            raise ValueError(IMPOSSIBLE)
        chosen.append(way)
    information, least = (
        np.array([form.information for form in chosen]),
        min(expected_for(brief.fewest) / brief.n, 1 / len(chosen)),
    )
    weights = design_weights.at_least(information, importance, np.full(len(chosen), 1 / len(chosen)), least)
    numbers = design_weights.whole_weights(information, importance, weights, least) or [1] * len(chosen)
    design = _drawn(columns, chosen, numbers)
    return Proposal(design, outcome(columns, design), design_efficiency(columns, design))


@lru_cache(maxsize=256)
def _searched(brief: Brief) -> tuple[Design, Outcome]:
    columns = Columns(brief)
    designs = [design for design in dict.fromkeys(_designs(columns)) if _overlaps_well(design)]
    results = [(design, outcome(columns, design)) for design in designs]
    if not results:
        raise ValueError(IMPOSSIBLE)
    return _best(results)


def _overlaps_well(design: Design) -> bool:
    """Whether each question in several forms is drawn by randomized response, or identically in all (M45)."""
    collected: dict[str, set[DesignDraw]] = {}
    for form in design.forms:
        for draw in form.draws:
            for key in draw.keys:
                collected.setdefault(key, set()).add(draw)
    return all(
        len(draws) == 1 or all(draw.mechanism == RANDOMIZED_RESPONSE for draw in draws) for draws in collected.values()
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


# The designs that are compared ----------------------------------------------------------------------------------------


def _designs(columns: Columns) -> Iterator[Design]:
    """Designs for the questions' importance, then also for pairs to be crossed, then for wishes; each with as many
    forms as n allows."""
    importance = _importance(columns)
    if _is_large(columns.brief):
        yield from _of_many(columns, importance)
        return
    base = list(_for_importance(columns, importance))
    yield from base
    if columns.pairs:
        crossed = list(_crossed(columns, importance))
        yield from crossed
        base = crossed or base
    if any(each.wished for each in columns.free):
        yield from _wished(columns, importance, base)


def _is_large(brief: Brief) -> bool:
    """Whether there are too many questions or pairs for a search for forms."""
    return len(brief.free) > SEARCHED_QUESTIONS or len(brief.pairs) > SEARCHED_PAIRS


def _of_many(columns: Columns, importance: Values) -> Iterator[Design]:
    """Forms of neighbours, all of one length, or the best mix of lengths; and forms that hold all pairs to be
    crossed."""
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
    """The importance of pairs as well, as it follows from forms that have all pairs and equal weights."""
    pairs, equal = _pairs(columns), np.full(len(forms), 1 / len(forms))
    information = np.array([form.information for form in forms])
    of_shares, of_pairs = (design_weights.value(information, part, equal) for part in (importance, pairs))
    return np.asarray(importance + CROSSING * of_shares / of_pairs * pairs)


def _may_overlap(column: Column) -> bool:
    return all(draw.mechanism == RANDOMIZED_RESPONSE for draw in column.draws)


def _importance(columns: Columns) -> Values:
    """The importance of the questions, as if no pair were to be crossed."""
    whole = math.fsum(each.importance for each in columns.free)
    return np.array([each.importance / whole for each in columns.free] + [0.0] * len(columns.pairs))


def _pairs(columns: Columns) -> Values:
    """The importance of the pairs to be crossed, each the same."""
    return np.concatenate((np.zeros(len(columns.free)), np.full(len(columns.pairs), 1 / len(columns.pairs))))


def _for_importance(columns: Columns, importance: Values) -> Iterator[Design]:
    """The best of all forms, and where n does not allow these, few forms with more questions."""
    search, most = Search(columns, importance), _most_forms(columns.brief)
    forms = search.relaxed()
    design, loss = _design(columns, forms, importance) if forms else (None, 0.0)
    if design:
        yield design
        yield from (each for forms in search.neighbours(most) if (each := _design(columns, forms, importance)[0]))
    if not design or loss > _NEAR:
        few = search.partitions(most) or search.partitions(len(columns.atoms))
        yield from (each for forms in few if (each := _design(columns, forms, importance)[0]))
        if not design and not _possible(columns.brief, few):
            yield from (each for forms in few if (each := _drawn(columns, forms, [1] * len(forms))))


def _possible(brief: Brief, lists: Sequence[Sequence[Column]]) -> bool:
    return any(len(forms) <= _most_forms(brief) for forms in lists)


def _crossed(columns: Columns, importance: Values) -> Iterator[Design]:
    """Designs with pairs. A few rounds find the pairs' importance: at the minimum of log(error of shares) + CROSSING
    log(error of pairs) the slopes are a weighted sum's."""
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
    if not design or loss > _NEAR:
        search = Search(columns, importance + scale * pairs)
        few = [*search.coverings(most), *search.partitions(most)]
        yield from (each for forms in few if (each := _design(columns, forms, importance + scale * pairs)[0]))


def _wished(columns: Columns, importance: Values, base: Sequence[Design]) -> Iterator[Design]:
    """A question whose interval is wider than wished matters more, and one that is narrower less."""
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


def _most_forms(brief: Brief) -> int:
    return max(1, min(brief.most_forms, math.floor(brief.n / expected_for(brief.fewest) + 1e-9)))


def _design(columns: Columns, forms: Sequence[Column], importance: Values) -> tuple[Design | None, float]:
    """The forms with the best whole weights, without the forms that n does not allow, and the loss from that; None
    where too few are left to ask everything."""
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
    """The design; a single form is for everybody. ValueError where a question for everybody has no mechanism for its
    alpha."""
    brief = columns.brief
    order = {each.key: place for place, each in enumerate(brief.questions)}
    alphas = dict(brief.everybody)
    everybody = [draw_alone(each, alphas[each.key]) for each in brief.questions if each.key in alphas]
    if len(forms) == 1:
        draws = sorted([*everybody, *forms[0].draws], key=lambda draw: order[draw.keys[0]])
        return Design(tuple(draws))
    made = [DesignForm(weight, form.draws) for form, weight in zip(forms, weights, strict=True)]
    return Design(
        tuple(everybody), tuple(sorted(made, key=lambda form: ([order[key] for key in form.keys], form.draws)))
    )
