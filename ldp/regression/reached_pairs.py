"""Two variables, at least one asked only after certain answers: their reports by the scores of who was asked (M34g)."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import combinations, product
from math import comb, prod

import numpy as np

from ldp.arrays import Integers, Values
from ldp.inference.crossed import joint_counts
from ldp.inference.reached_cells import ReachedCells, ReachedReports, ReachedStates, ReachedStatistic
from ldp.inference.variables import NotCrossed, Symbols, Variable, of_all
from ldp.microdata import MicrodataTable
from ldp.question import Drawn, Rule
from ldp.regression.condition_scores import ConditionScores, merge, rules_of
from ldp.regression.factors import arranged, factors

Rules = tuple[list[Rule], object]
State = tuple[float, ...]
Kept = tuple[tuple[int, ...], tuple[int, ...]]

OUTCOMES_MAX = 1 << 17  # of all cells
REPORTS_MAX = 4096  # possible reports, and combinations of answers


def is_routed(*variables: Variable) -> bool:
    """Return whether not everyone is asked all of these."""
    return any("asked_if" in each.question for each in variables)


def check_everyone_reached(*variables: Variable) -> None:
    """Raise ValueError if some people were not asked one of these, so that fillers would count as answers."""
    if is_routed(*variables):
        raise ValueError("not everyone was asked all of these questions: fillers would count as answers")


def reached_pair(questions: Sequence[Drawn], first: Variable, second: Variable) -> "StatePair | ReportPair":
    """Return the counter of the reports about two variables, one of them not asked of everyone. NotCrossed if reports
    do not show who was asked both, or only one answer to one of the two leads on to the other."""
    try:
        rules, joined = _rules({each["key"]: each for each in questions}, first, second)
        own = [[rule for rule in rules if rule["question"] == each.question["key"]] for each in (first, second)]
        if any(rules and each.place is not None for rules, each in zip(own, (first, second), strict=True)):
            raise NotCrossed("parts")
        others = [rule for rule in rules if rule not in own[0] + own[1]]
        rest = ConditionScores(questions, others, joined) if others else None
        variables = of_all([first, second, *(rest.variables if rest else [])])
        alone = [factor for factor in factors(variables) if len(factor.variables) == 1]
        is_apart = {0, 1} <= {place for factor in alone for place in factor.places}
        kept = _leading(first, own[0], joined), _leading(second, own[1], joined)
        if is_apart and (joined is all or not (own[0] or own[1])):
            scores = [rest, *(ConditionScores(questions, each) if each else None for each in own)]
            pair: StatePair | ReportPair = StatePair(variables, kept, scores)
        else:
            pair = ReportPair(variables, kept, rules, joined)
    except NotCrossed as refused:
        raise NotCrossed("too large" if refused.reason == "too large" else "asked") from None
    if any(len(each) == 1 for each in kept):
        raise NotCrossed("one leads on")
    return pair


class StatePair:
    """The reports about two variables with separate draws, counted by their scores of who was asked both."""

    one_draw = False

    def __init__(self, variables: list[Variable], kept: Kept, scores: Sequence[ConditionScores | None]) -> None:
        self.variables, self.kept, self._scores = variables, kept, scores
        self.first, self.second = variables[:2]
        if self._outcomes > OUTCOMES_MAX:
            raise NotCrossed("too large")
        self._counts: dict[State, Integers] = {}

    @property
    def _outcomes(self) -> int:
        """The largest number of values of the scores of all cells."""
        states = prod(scores.possible for scores in self._scores if scores) + 2 ** len(self._scores)
        values = [2 if each.phi is None else each.width for each in (self.first, self.second)]
        return int(states * prod(values + [len(kept) for kept in self.kept]))

    def add(self, tables: Mapping[str, MicrodataTable]) -> None:
        """Count reports. `tables` are each question's columns, (n, size), by key."""
        one, other = (tables[each.question["key"]] for each in (self.first, self.second))
        about = np.logical_and.reduce(
            [self.first.about(one), self.second.about(other), *(each.about(tables) for each in self._scores if each)]
        )
        if not about.any():
            return
        ones = np.ones(int(about.sum()))
        columns = np.column_stack([each.scores(tables, about) if each else ones for each in self._scores])
        one, other = one[about], other[about]
        states, places = np.unique(columns, axis=0, return_inverse=True)
        for place, state in enumerate(states.tolist()):
            own = places.ravel() == place
            counts = joint_counts(self.first, self.second, [(one[own], other[own])])
            self._counts[tuple(state)] = self._counts.get(tuple(state), 0) + counts

    def cells(self) -> ReachedCells | None:
        """Return the cross-table; None if no report is about all of the questions."""
        if not self._counts:
            return None
        states = self._states()
        outcomes, counts = states.outcomes((self.first, self.second), self.kept), states.counts.sum(axis=0)
        return ReachedCells(self.first, self.second, self.kept, outcomes, counts, False)

    def _states(self) -> ReachedStates:
        none = np.zeros((1 + self.first.width, 1 + self.second.width), np.int64)
        corners = product(*(each.extremes if each else [1.0] for each in self._scores))
        every = dict.fromkeys(corners, none) | self._counts
        states = sorted(every)
        rest, *leading = np.array(states).T
        return ReachedStates(rest, (leading[0], leading[1]), np.array([every[state] for state in states]))

    def statistic(self) -> ReachedStatistic:
        """Return the counts from which the table follows, with the keys of the deciding questions."""
        states = self._states()
        keys = [variable.question["key"] for each in self._scores if each for variable in each.variables]
        return {
            "deciders": list(dict.fromkeys(keys)),
            "rest": states.rest.tolist(),
            "leading": [each.tolist() for each in states.leading],
            "counts": states.counts.tolist(),
        }


class ReportPair:
    """The reports about two variables, if a draw randomized one together with the other or with a deciding question.
    Counts how often each possible report came."""

    def __init__(self, variables: list[Variable], kept: Kept, rules: Sequence[Rule], joined: object) -> None:
        self.variables, self.kept = variables, kept
        self.first, self.second = variables[:2]
        self._factors, self._deciders = factors(variables), [rule["question"] for rule in rules]
        possible = [comb(each.width, each.listed) for each in variables]
        sizes = [len(each.options) for each in variables]
        is_listed = all(each.question["mechanism"] == "randomized_response" for each in variables)
        if not is_listed or any(each.place is not None for each in variables):
            raise NotCrossed("parts")
        if max(prod(possible), prod(sizes)) > REPORTS_MAX or prod(possible + sizes[:2]) > OUTCOMES_MAX:
            raise NotCrossed("too large")
        places = {each.question["key"]: place for place, each in enumerate(variables)}
        about = [(places[rule["question"]], rule["options"]) for rule in rules]
        answers = np.indices(sizes).reshape(len(sizes), -1)
        rules_hold = [np.isin(answers[place], options) for place, options in about]
        holds = (np.logical_and if joined is all else np.logical_or).reduce(rules_hold)
        first, second = ([answers[place] == option for option in own] for place, own in enumerate(kept))
        self._cells = np.array([[one & other & holds for other in second] for one in first])
        self._counts = np.zeros(prod(possible), np.int64)

    @cached_property
    def _symbols(self) -> Symbols:
        """The symbols of all possible reports."""
        each = [combinations(range(variable.width), variable.listed) for variable in self.variables]
        widths = [np.arange(variable.width) for variable in self.variables]
        lists = ([np.isin(*own) for own in zip(widths, row, strict=True)] for row in product(*each))
        return np.array([np.concatenate(row) for row in lists])

    def add(self, tables: Mapping[str, MicrodataTable]) -> None:
        """Count reports. `tables` are each question's columns, (n, size), by key."""
        columns = [tables[each.question["key"]] for each in self.variables]
        sent = np.hstack([each.symbols(own) for each, own in zip(self.variables, columns, strict=True)])
        order = {row.tobytes(): place for place, row in enumerate(self._symbols)}
        lists, counts = np.unique(sent, axis=0, return_counts=True)
        for row, times in zip(lists, counts.tolist(), strict=True):
            self._counts[order[row.tobytes()]] += times

    def cells(self) -> ReachedCells | None:
        """Return the cross-table; None if there are no reports."""
        if not self._counts.any():
            return None
        outcomes = ReachedReports(self._symbols, self._scores(), self._counts).outcomes(self._cells)
        return ReachedCells(self.first, self.second, self.kept, outcomes, self._pairs(), True)

    def _scores(self) -> Values:
        """Return phi of each combination of answers, for each possible report."""
        ends = np.cumsum([each.width for each in self.variables])
        parts = np.split(self._symbols, ends[:-1], axis=1)
        scores = np.ones((len(self._symbols), 1))
        for factor in self._factors:
            own = factor.scores(np.hstack([parts[place] for place in factor.places]))
            scores = (scores[:, :, None] * own[:, None, :]).reshape(len(scores), -1)
        _shape, order = arranged(self._factors)
        return scores if order is None else scores[:, order]

    def _pairs(self) -> Integers:
        """Return the `crossed.joint_counts` of the first two variables."""
        one = self.first.width
        ones = np.ones((len(self._symbols), 1), np.int64)
        left = np.hstack([ones, self._symbols[:, :one]])
        right = np.hstack([ones, self._symbols[:, one : one + self.second.width]])
        return np.asarray(left.T @ (self._counts[:, None] * right), dtype=np.int64)

    def statistic(self) -> ReachedStatistic:
        """Return the reports from which the table follows, with the keys of the deciding questions."""
        ends = np.cumsum([each.width for each in self.variables])[:-1]
        return {
            "deciders": list(dict.fromkeys(self._deciders)),
            "questions": [each.question["key"] for each in self.variables],
            "reports": [
                {"listed": [np.flatnonzero(own).tolist() for own in np.split(row, ends)], "count": count}
                for row, count in zip(self._symbols, self._counts.tolist(), strict=True)
                if count
            ],
        }


def _rules(by_key: Mapping[str, Drawn], first: Variable, second: Variable) -> Rules:
    """Return the rules by which both are asked."""
    routed = [each.question for each in (first, second) if "asked_if" in each.question]
    each = [rules_of(by_key, question) for question in routed]
    if len(each) == 1 or each[0] == each[1]:
        return each[0]
    for question, other in zip(routed, each[::-1], strict=True):
        if other[1] is all and any(rule["question"] == question["key"] for rule in other[0]):
            return other  # everyone asked by these rules was asked the other question too
    if any(joined is not all for _, joined in each):
        raise NotCrossed("parts")
    merged: dict[str, Rule] = {}
    for rule in each[0][0] + each[1][0]:
        merge(merged, rule)
    return list(merged.values()), all


def _leading(variable: Variable, own: Sequence[Rule], joined: object) -> tuple[int, ...]:
    """Return the places of the answers that people asked both can give."""
    return tuple(own[0]["options"]) if own and joined is all else tuple(range(len(variable.options)))
