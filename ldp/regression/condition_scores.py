"""The share of people whom several rules ask together, from single reports (M34e).

A rule is about one factor's answers: a factor is a deciding question, or several that one draw randomizes. Let phi_c(z)
be the unbiased score of combination c of a factor's answers (M40). The mean of g(z), the sum of phi_c(z) over a set of
combinations, is the share of people in the set. Draws are independent, so the mean of the product of all g is the share
of people in all sets. All rules hold if each factor is in the set where its rules hold. Any rule holds unless each
factor is in the set where none of its rules holds.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations, count, product
from math import ceil, comb, log10, prod
from typing import NamedTuple

import numpy as np

from ldp import kinds
from ldp.arrays import Booleans, Values
from ldp.document import ConditionTally
from ldp.inference.variables import NotCrossed, Symbols, Variable, of_all, variable
from ldp.microdata import MicrodataTable
from ldp.question import Drawn, Rule, has_channels
from ldp.regression.factors import Factor, factors
from ldp.routing import condition, leads_on
from ldp.scores import independent

SETS_MAX = 4096  # largest number of combinations of a factor's answers, of kinds of reports about it, and of scores
DIGITS = 12  # of the largest score


class Term(NamedTuple):
    """A factor, a mark for each combination in the set, (combinations,), the ends of g, and the largest number of g's
    values: one for each report, or for each number of listed options in the set."""

    factor: Factor
    holds: Booleans
    ends: tuple[float, float]
    possible: int


class ConditionScores:
    """The scores of the reports that are about all deciding questions. NotCrossed if the reports do not show the share:
    forms randomize a question in several ways, a report is about too few options of a multiple choice, or too many
    scores are possible."""

    def __init__(self, questions: Sequence[Drawn], rules: Sequence[Rule], joined: object = all) -> None:
        self.is_all = joined is all
        by_rule = [_variables(questions, rule) for rule in rules]
        self.variables = of_all([each for variables in by_rule for each in variables])
        place = count()
        places = [[next(place) for _each in variables] for variables in by_rule]
        self._terms = [self._term(factor, rules, places) for factor in factors(self.variables)]
        self.possible = prod(term.possible for term in self._terms)
        if self.possible > SETS_MAX:
            raise NotCrossed("too large")
        self._counts: dict[float, int] = {}

    def _term(self, factor: Factor, rules: Sequence[Rule], places: Sequence[Sequence[int]]) -> Term:
        if prod(factor.sizes) > SETS_MAX:
            raise NotCrossed("too large")
        about = [(rule, at) for rule, at in zip(rules, places, strict=True) if set(at) <= {*factor.places}]
        answers = [dict(zip(factor.places, places, strict=True)) for places in product(*map(range, factor.sizes))]
        rules_hold = ([self._holds(rule, at, answer) for rule, at in about] for answer in answers)
        holds = np.array([all(each) if self.is_all else not any(each) for each in rules_hold])
        values = factor.scores(_extreme(factor, holds)) @ holds
        ends = float(values.min()), float(values.max())
        every = len(factor.variables) > 1 or factor.variables[0].one_sent
        possible = len(np.unique(rounded(values, ends))) if every else int(holds.sum()) + 1
        return Term(factor, holds, ends, possible)

    def _holds(self, rule: Rule, places: Sequence[int], answer: Mapping[int, int]) -> bool:
        """Return whether a rule holds for these answers, by their variables' places: one answer, or options that apply
        (0)."""
        if self.variables[places[0]].place is None:
            return answer[places[0]] in rule["options"]
        return any(answer[place] == 0 for place in places)

    def add(self, tables: Mapping[str, MicrodataTable]) -> None:
        """Count reports. `tables` are each question's columns, (n, size), by key."""
        about = self.about(tables)
        values, counts = np.unique(self.scores(tables, about), return_counts=True)
        for value, times in zip(values.tolist(), counts.tolist(), strict=True):
            self._counts[value] = self._counts.get(value, 0) + times

    def about(self, tables: Mapping[str, MicrodataTable]) -> Booleans:
        """Return which reports are about all deciding questions, (n,)."""
        columns = self._columns(tables)
        return np.asarray(np.logical_and.reduce([term.factor.about(columns) for term in self._terms]))

    def scores(self, tables: Mapping[str, MicrodataTable], about: Booleans) -> Values:
        """Return the scores of the reports that are `about` all deciding questions."""
        columns, whole = self._columns(tables), np.ones(int(about.sum()))
        if whole.size:
            for factor, holds, *_rest in self._terms:
                whole *= factor.scores(factor.symbols(columns, about)) @ holds
        return rounded(whole if self.is_all else 1 - whole, self.ends)

    @property
    def extremes(self) -> list[float]:
        """The ends, rounded like `scores`."""
        return [float(end) for end in rounded(np.array(self.ends), self.ends)]

    def _columns(self, tables: Mapping[str, MicrodataTable]) -> list[MicrodataTable]:
        return [tables[variable.question["key"]] for variable in self.variables]

    def tally(self) -> ConditionTally | None:
        """Return the counted scores; None if no report is about all deciding questions."""
        if not self._counts:
            return None
        scores = sorted(self._counts)
        return {"scores": scores, "counts": [self._counts[score] for score in scores], "ends": self.ends}

    @property
    def ends(self) -> list[float]:
        """The least and the largest possible score."""
        corners = [prod(each) for each in product(*(term.ends for term in self._terms))]
        return [min(corners), max(corners)] if self.is_all else [1 - max(corners), 1 - min(corners)]


def scores_of(questions: Sequence[Drawn], question: Drawn) -> ConditionScores | None:
    """Return the scores of reports for a question; None if totals show who is asked, or if single reports do not."""
    by_key = {each["key"]: each for each in questions}
    if by_totals(by_key, question):
        return None
    try:
        return ConditionScores(questions, *rules_of(by_key, question))
    except NotCrossed:
        return None


def by_totals(questions: Mapping[str, Drawn], question: Drawn) -> bool:
    """Return whether the totals of single questions show who is asked: one question decides, by one answer or one
    option that applies, and the same holds for the questions that decide on it."""
    rules, _joined = condition(question)
    if len(rules) != 1:
        return not rules
    deciding = questions[rules[0]["question"]]
    if kinds.of(deciding).several and len(rules[0]["options"]) > 1:
        return False
    return not leads_on(deciding, rules[0]["options"]) or by_totals(questions, deciding)


def bounded(questions: Sequence[Drawn], watched: bool) -> list[Drawn]:
    """Return the questions for which reports only bound the number of people asked. `watched`: results are looked at
    more than once, or decide when the survey ends."""
    by_key = {each["key"]: each for each in questions}
    several = [each for each in questions if not by_totals(by_key, each)]
    return several if watched else [each for each in several if scores_of(questions, each) is None]


def rules_of(questions: Mapping[str, Drawn], question: Drawn) -> tuple[list[Rule], object]:
    """Return rules about different questions that show who is asked, whatever is randomized for unasked questions.
    NotCrossed if some of these rules need not all hold."""
    rules, joined = condition(question)
    merged: dict[str, Rule] = {}
    for rule in rules:
        deciding = questions.get(rule["question"])
        if deciding is None:
            raise NotCrossed("unknown")
        merge(merged, rule)
        if "asked_if" not in deciding or not leads_on(deciding, rule["options"]):
            continue
        before, before_joined = rules_of(questions, deciding)
        if before_joined is not all or (joined is not all and len(rules) > 1):
            raise NotCrossed("parts")
        for each in before:
            merge(merged, each)
    return list(merged.values()), joined if len(rules) > 1 else all


def merge(merged: dict[str, Rule], rule: Rule) -> None:
    """Add another rule that must hold. NotCrossed if there is a rule about other answers to the same question."""
    known = merged.setdefault(rule["question"], rule)
    if known["options"] != rule["options"]:
        raise NotCrossed("parts")


def _variables(questions: Sequence[Drawn], rule: Rule) -> list[Variable]:
    """Return the deciding question; its deciding options if several can apply."""
    [question] = [each for each in questions if each["key"] == rule["question"]]
    if not kinds.of(question).several:
        return [variable([question], question["key"])]
    if has_channels(question):
        raise NotCrossed("channels")
    if question["table"]["sample"] < len(rule["options"]):
        raise NotCrossed("one drawn")
    return [variable([question], f"{question['key']}.{option + 1}") for option in rule["options"]]


def rounded(values: Values, ends: Sequence[float]) -> Values:
    """Return the scores without the digits that depend on the order of sums."""
    return np.round(values, DIGITS - ceil(log10(max(1.0, *map(abs, ends)))))


def _extreme(factor: Factor, holds: Booleans) -> Symbols:
    """Return reports with all values that g can take, or at least with its ends."""
    if len(factor.variables) == 1:
        return _single_extreme(factor.variables[0], holds)
    if prod(comb(len(each.options), each.listed) for each in factor.variables) > SETS_MAX:
        raise NotCrossed("too large")
    sizes = [(variable.width, variable.listed) for variable in factor.variables]
    listings = [[_listing(width, places) for places in combinations(range(width), size)] for width, size in sizes]
    return np.array([np.concatenate(rows) for rows in product(*listings)])


def _single_extreme(own: Variable, holds: Booleans) -> Symbols:
    if own.one_sent:
        return np.eye(own.width, dtype=np.bool_)
    if own.pair == independent(own.moments):
        return np.array([holds, ~holds])
    inside, outside = np.flatnonzero(holds).tolist(), np.flatnonzero(~holds).tolist()
    size = own.listed
    return np.array([_listing(own.width, order[:size]) for order in (inside + outside, outside + inside)])


def _listing(width: int, places: Sequence[int]) -> Booleans:
    row = np.zeros(width, dtype=np.bool_)
    row[list(places)] = True
    return row
