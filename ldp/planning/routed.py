"""The planned half-width of a question that only some people are asked, among those people (M34f). It equals that of
the published interval (M34d, M34e) at the totals expected for equally common answers."""

import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import NamedTuple, cast

import numpy as np
import scipy

from ldp import numeric
from ldp.arrays import Values
from ldp.exact import RESOLUTION
from ldp.inference import estimates
from ldp.inference.intervals import Interval, bonferroni
from ldp.inference.reading import unasked
from ldp.inference.reading.quantiles import SPENT
from ldp.inference.reading.unasked import Unasked
from ldp.inference.variables import NotCrossed
from ldp.planning import conditions
from ldp.planning.candidates import of_question
from ldp.planning.conditions import Questions
from ldp.planning.expected_scores import Scores
from ldp.planning.outlook import quantile
from ldp.question import Drawn, Rule, asked_in, of_asked
from ldp.regression.condition_scores import SETS_MAX, by_totals, rules_of
from ldp.routing import condition, leads_on
from ldp.scores import (
    ChannelMoments,
    PooledMoments,
    PooledPairs,
    ScoreMoments,
    SumMoments,
    Target,
    indicator,
)


def of_drawn(question: Drawn, reports: float = 1.0) -> Scores:
    """Return the scores of a definition's question that this fraction of the survey's reports asks."""
    own = _of_channel(question, reports)
    if "asked" not in question:
        return own._replace(forms=tuple((form, own) for form in asked_in(question) or ()))
    part = reports / sum(each["weight"] for each in question["asked"])
    channels = ((each["form"], of_asked(question, [each]), part * each["weight"]) for each in question["asked"])
    return own._replace(forms=tuple((form, _of_channel(each, reports)) for form, each, reports in channels))


def _of_channel(question: Drawn, reports: float) -> Scores:
    table = question.get("table", {})
    return of_question(question).scores._replace(
        reports=reports,
        in_forms=asked_in(question) is not None,
        draw=tuple(question.get("together", ())),
        keep=table.get("keep", 0) / RESOLUTION,
        listed=table["sizes"][0] if "sizes" in table else table.get("size", 1),
    )


# The share of people not asked ---------------------------------------------------------------------------------------


class Missing(NamedTuple):
    """The precision with which one question, or single reports, show who is not asked: n times the variance, the
    interval's addition, and whether the interval is by hulls, which is wider (M32b)."""

    variance: float
    addition: float
    hulls: bool = False

    def half_width(self, n: float, confidence: float) -> float:
        wide = math.sqrt(2 * math.log(2 / (1 - confidence))) if self.hulls else quantile(confidence)
        return wide * math.sqrt(self.variance / n) + self.addition / n


class RuleBounds(NamedTuple):
    """The expected bounds of the share of people whom one rule keeps out. `error` is that of a share; 1 - `least` adds
    up `options` shares. `before` has the rules of the rule's question if its filler leads on."""

    least: float
    most: float
    error: Missing | None = None
    options: int = 1
    before: "ConditionBounds | None" = None

    def at(self, n: float, confidence: float) -> tuple[float, float]:
        """Return the least and the most that reports show."""
        half = self.error.half_width(n, bonferroni(confidence, self.options)) if self.error else 0.0
        low, high = self.before.at(n, confidence) if self.before else (0.0, 0.0)
        return max(self.least - self.options * half, 0.0) + low, self.most + half + high


class ConditionBounds(NamedTuple):
    """The rules of a question, whether `all` must hold or any, and its own filler's share with that share's error."""

    rules: tuple[RuleBounds, ...]
    is_all: bool
    filled: tuple[float, Missing] | None = None

    @property
    def limits(self) -> int:
        """The number of limits that hold at once."""
        return sum(1 + (rule.before.limits if rule.before else 0) for rule in self.rules)

    def at(self, n: float, confidence: float) -> tuple[float, float]:
        """Return the least and the largest share of people who are not asked."""
        leasts, mosts = zip(*(rule.at(n, confidence) for rule in self.rules), strict=True)
        return (max(leasts), sum(mosts)) if self.is_all else (max(0.0, sum(leasts) - len(leasts) + 1), min(mosts))

    def unasked(self, missing: float, n: float, confidence: float) -> Unasked:
        level = bonferroni(confidence, self.limits + (self.filled is not None))
        least, most = self.at(n, level)
        if self.filled:
            share, error = self.filled
            most = min(most, share + error.half_width(n, level))
        return Unasked(missing, min(most, 1.0), least)


class Reach(NamedTuple):
    """The expected part of the people who are asked a question. `errors` say how exactly the reports of the question
    show it; `bounds` replace them if reports only bound it. `target` is whom the question's results describe."""

    part: float
    errors: tuple[Missing, ...]
    target: Target
    bounds: ConditionBounds | None = None

    def unasked(self, n: float, confidence: float) -> Unasked:
        if self.bounds:
            return self.bounds.unasked(1 - self.part, n, confidence)
        each = bonferroni(confidence, len(self.errors))
        half, missing = sum(error.half_width(n, each) for error in self.errors), 1 - self.part
        return Unasked(missing, min(missing + half, 1.0), max(missing - half, 0.0))


def reach(
    questions: Questions, scores: Mapping[str, Scores], key: str, target: Target, watched: bool = False
) -> Reach | None:
    """Return the reach of a question; None if everyone is asked, or a rule's question cannot decide. `questions` are
    all of the survey, in order. `watched`: results may decide when the survey ends, so single reports show nothing
    (M34e)."""
    rules = condition(questions[key]).rules
    if not rules or any(rule["question"] not in scores or scores[rule["question"]].is_mean for rule in rules):
        return None
    try:
        used = conditions.deciding(questions, key)
        # Different forms ask different people, so the part asked is only known for the population.
        about = "population" if any(scores[one].in_forms for one in (key, *used)) else target
        return _reach(questions, scores, key, about, watched)
    except KeyError:
        return None


def _reach(questions: Questions, scores: Mapping[str, Scores], key: str, target: Target, watched: bool) -> Reach:
    own = cast(Mapping[str, Drawn], questions)
    try:
        part = float(conditions.part(questions, key))
    except conditions.TooManyStates:
        return Reach(0.0, (), target, ConditionBounds((RuleBounds(0.0, 1.0),), True))  # no width is promised
    try:
        if by_totals(own, own[key]):
            return Reach(part, tuple(_by_totals(questions, scores, key, target)), target)
        if not watched:
            return Reach(part, (_by_reports(questions, scores, key),), target)
    except (NotCrossed, conditions.TooManyStates):
        pass
    return Reach(part, (), target, _bounds(questions, scores, key, target, part))


def reach_of(
    questions: Sequence[Drawn], reports: Mapping[str, float], key: str, target: Target, watched: bool = False
) -> Reach | None:
    """Return whom a question of a definition reaches (`reach`). `reports` has the fractions of the survey's reports
    that ask these questions; other questions of the survey may be missing."""
    by_key = {question["key"]: question for question in questions}
    try:
        needed = conditions.deciding(by_key, key)
    except KeyError:
        return None
    own = {one: by_key[one] for one in by_key if one in needed or one == key}
    scores = {one: of_drawn(each, reports[one]) for one, each in own.items()}
    return reach(own, scores, key, target, watched) if needed else None


def _chain(questions: Questions, key: str) -> Iterator[Rule]:
    """Yield the rule of the deciding question, and the earlier rules whose totals are needed too."""
    for rule in condition(questions[key]).rules:
        yield rule
        if leads_on(cast(Drawn, questions[rule["question"]]), rule["options"]):
            yield from _chain(questions, rule["question"])


def _by_totals(questions: Questions, scores: Mapping[str, Scores], key: str, target: Target) -> Iterator[Missing]:
    for rule in _chain(questions, key):
        own, part = scores[rule["question"]], float(conditions.part(questions, rule["question"]))
        rarer = scores[key].reports / own.reports
        if own.several:
            variance, added = float(own.variances(part, target)[0]), own.rarity * numeric.addition(own.moments)
        else:
            variance, added = own.set_variance(part, rule["options"], target)
        hulls = isinstance(own.pair, PooledPairs) and not own.pair.exclusive
        yield Missing(rarer * variance, rarer * added, hulls)


# Where reports only bound it (M34d) -----------------------------------------------------------------------------------


def _bounds(
    questions: Questions, scores: Mapping[str, Scores], key: str, target: Target, part: float
) -> ConditionBounds:
    own, whole = scores[key], _condition_bounds(questions, scores, key, scores[key].reports, target)
    if own.fillers[-1] != 1:
        return whole
    error = Missing(float(own.variances(part, target)[-1]), own.rarity * numeric.addition(own.moments))
    return whole._replace(filled=(float(own.shares(part)[-1]), error))


def _condition_bounds(
    questions: Questions, scores: Mapping[str, Scores], key: str, reports: float, target: Target
) -> ConditionBounds:
    rules, joined = condition(questions[key])
    return ConditionBounds(
        tuple(_rule_bounds(questions, scores, rule, reports, target) for rule in rules), joined is all
    )


def _rule_bounds(
    questions: Questions, scores: Mapping[str, Scores], rule: Rule, reports: float, target: Target
) -> RuleBounds:
    """Return the people whom a rule keeps out; `reports` is the part of all that ask the question with this rule."""
    key, options = rule["question"], rule["options"]
    own, part, rarer = scores[key], float(conditions.part(questions, key)), reports / scores[key].reports
    routed = "asked_if" in questions[key] and leads_on(cast(Drawn, questions[key]), options)
    before = _condition_bounds(questions, scores, key, reports, target) if routed else None
    if own.several:
        share, variance = float(own.shares(part)[0]), float(own.variances(part, target)[0])
        error = Missing(rarer * variance, rarer * own.rarity * numeric.addition(own.moments))
        return RuleBounds(max(0.0, 1 - len(options) * share), 1 - share, error, len(options), before)
    variance, added = own.set_variance(part, options, target)
    hulls = isinstance(own.pair, PooledPairs) and not own.pair.exclusive
    share = 1 - float(own.shares(part)[list(options)].sum())
    return RuleBounds(share, share, Missing(rarer * variance, rarer * added, hulls), 1, before)


# By single reports (M34e) ---------------------------------------------------------------------------------------------


class _Part(NamedTuple):
    """One deciding question. Its score is about the answers at `places`. For `several` options it is about whether any
    of them applies if all rules must hold, otherwise about whether none does."""

    scores: Scores
    places: tuple[int, ...]
    several: bool
    is_all: bool

    @property
    def size(self) -> tuple[int, int]:
        """The number of combinations in the set, and of all combinations."""
        if self.several:
            every = 2 ** len(self.places)
            return (every - 1 if self.is_all else 1), every
        return len(self.places), self.scores.options

    @property
    def values(self) -> int:
        """The number of values that the score can take."""
        if isinstance(self.scores.moments, ChannelMoments):
            return self.scores.size.d
        return 2 if self.several or (self.scores.listed == 1 and self.scores.keep) else self.size[0] + 1

    @property
    def about(self) -> float:
        """The fraction of the question's reports that are about all its deciding options."""
        if not self.scores.several:
            return 1.0
        m, s, c = self.scores.size.d, int(self.scores.size.sample), len(self.places)
        return math.comb(m - c, s - c) / math.comb(m, s)

    # Product subsets: W is the sum of w over the set (M44)

    def moments(self, inside: bool, kept: bool) -> tuple[float, float]:
        """Return the means of W and W^2, for an answer that is `inside` the set or not, and `kept` or not."""
        if not self.several:
            k, d = self.size
            return _listed(d, self.scores.listed, k, inside if kept else None)
        none, count = self.is_all != inside, len(self.places)
        named, unnamed = (_listed(2, 1, 1, not one if kept else None) for one in (True, False))
        first, second = (unnamed[e] ** count if none else _of_some(named[e], unnamed[e], count) for e in (0, 1))
        return (1 - first, 1 - 2 * first + second) if self.is_all else (first, second)

    @property
    def ends(self) -> tuple[float, float]:
        """The least and the largest W."""
        if self.several:
            return 0.0, 1.0
        (k, d), a = self.size, self.scores.listed
        least, most, absent = max(0, a - (d - k)), min(a, k), -(a - 1) / (d - a)
        return least + (k - least) * absent, most + (k - most) * absent

    # Other mechanisms

    @property
    def phi(self) -> Values:
        """The scores that the set can have."""
        moments = self.scores.moments
        if isinstance(moments, ChannelMoments):
            return np.asarray(np.array(moments.phi())[:, list(self.places)].sum(axis=1))
        bit, k = _bit(moments), len(self.places)
        return np.asarray((np.arange(k + 1) - k * float(bit.b)) / float(bit.gap))

    def square(self, inside: bool) -> float:
        """Return the mean square of the score, averaged over the answers inside the set, or outside."""
        moments, d = self.scores.moments, self.scores.size.d
        truths = [x for x in range(d) if (x in self.places) == inside]
        if isinstance(moments, ChannelMoments):
            return float((estimates.channel_rows(moments) @ self.phi**2)[truths].mean())
        bit, k = _bit(moments), len(self.places)
        noise = float((inside * bit.v_a + (k - inside) * bit.v_b) / bit.gap**2)
        return noise + inside


def _bit(moments: ScoreMoments) -> ScoreMoments:
    """Return the moments of the bit that replaces a noisy option in single reports (M31)."""
    if not isinstance(moments, SumMoments):
        return moments
    first = 1 - moments.low
    return indicator(Fraction(sum(moments.inside[first:])), Fraction(sum(moments.outside[first:])))


def _of_some(named: float, unnamed: float, count: int) -> float:
    """Return the mean product over options, given that at least one applies, each to half of the people."""
    none = 2.0**-count
    return float((((named + unnamed) / 2) ** count - none * unnamed**count) / (1 - none))


def _listed(d: int, a: int, k: int, inside: bool | None) -> tuple[float, float]:
    """Return the means of W and W^2 for a set of k options. `inside`: a kept answer is in the set; None if it was not
    kept."""
    given = int(bool(inside))
    drawn = (d, k, a) if inside is None else (d - 1, k - given, a - 1)
    numbers = np.arange(k + 1)
    chances = scipy.stats.hypergeom.pmf(numbers - given, *drawn)
    values = numbers + (k - numbers) * (-(a - 1) / (d - a))
    return float(chances @ values), float(chances @ values**2)


def _by_reports(questions: Questions, scores: Mapping[str, Scores], key: str) -> Missing:
    """Return how exactly single reports' scores show who is asked. NotCrossed if they do not."""
    rules, joined = rules_of(cast(Mapping[str, Drawn], questions), cast(Drawn, questions[key]))
    is_all, keys = joined is all, [rule["question"] for rule in rules]
    reports, deciders = _in_common_forms([scores[key] for key in keys], keys)
    parts = [_part(own, rule["options"], is_all) for own, rule in zip(deciders, rules, strict=True)]
    if math.prod(part.values for part in parts) > SETS_MAX:
        raise NotCrossed("too large")
    factors, part, square = _factors(parts, keys), 0.0, 0.0
    for state, chance in conditions.law(questions, rules).items():
        inside = [member == is_all for member, _ in state]
        part += float(chance) * all(inside)
        squares = (_square([parts[k] for k in own], [inside[k] for k in own]) for own in factors)
        square += float(chance) * math.prod(squares)
    corners = [math.prod(each) for each in product(*(_ends([parts[k] for k in own]) for own in factors))]
    rarer = scores[key].reports / (reports * math.prod(part.about for part in parts))
    return Missing(rarer * (square - part**2), rarer * (max(corners) - min(corners)) / 2)


def _in_common_forms(each: Sequence[Scores], keys: Sequence[str]) -> tuple[float, list[Scores]]:
    """Return the fraction of the survey's reports that ask all of the questions, and the questions' scores in these
    reports. NotCrossed if no form asks all, if these forms randomize them in several ways, or if any form randomizes a
    list in another way."""
    in_forms = [dict(own.forms) for own in each]
    known = [forms for forms in in_forms if forms]
    if not known:
        return min(own.reports for own in each), list(each)
    if any(own.several and isinstance(own.moments, PooledMoments) for own in each):
        raise NotCrossed("channels")
    common = sorted(set(known[0]).intersection(*known))
    if not common:
        raise NotCrossed("forms")
    by_form = {form: [forms.get(form, own) for forms, own in zip(in_forms, each, strict=True)] for form in common}
    if len({tuple(_way(own, keys) for own in scores) for scores in by_form.values()}) > 1:
        raise NotCrossed("channels")
    return sum(known[0][form].reports for form in common), by_form[common[0]]


def _way(own: Scores, keys: Sequence[str]) -> tuple[object, ...]:
    """Return how a form randomizes a question, and the other deciding questions of its draw."""
    return own.moments, own.keep, own.listed, own.size, tuple(key for key in own.draw if key in keys)


def _part(scores: Scores, options: Sequence[int], is_all: bool) -> _Part:
    """Return the question's part in the score. NotCrossed if reports are about too few of its options."""
    if scores.several:
        if scores.size.sample < len(options):
            raise NotCrossed("one drawn")
        return _Part(scores, tuple(options), len(options) > 1, is_all)
    others = [j for j in range(scores.size.d) if j not in options]
    return _Part(scores, tuple(options if is_all else others), False, is_all)


def _factors(parts: Sequence[_Part], keys: Sequence[str]) -> list[list[int]]:
    """Return the places of the parts, by draw. NotCrossed if a draw has too many lists."""
    draws: dict[tuple[str, ...], list[int]] = {}
    for place, (part, key) in enumerate(zip(parts, keys, strict=True)):
        draws.setdefault(tuple(one for one in part.scores.draw if one in keys) or (key,), []).append(place)
    for places in draws.values():
        lists = math.prod(math.comb(parts[k].scores.options, parts[k].scores.listed) for k in places)
        if len(places) > 1 and lists > SETS_MAX:
            raise NotCrossed("too large")
    return list(draws.values())


def _square(parts: Sequence[_Part], inside: Sequence[bool]) -> float:
    """Return the mean square of a factor's score of its set, for answers inside their sets or not."""
    lam, square = parts[0].scores.keep, 0.0
    if not lam:
        return parts[0].square(inside[0])
    shift = _shift(parts)
    for kept, chance in ((True, lam), (False, 1 - lam)):
        firsts, seconds = zip(*(part.moments(own, kept) for part, own in zip(parts, inside, strict=True)), strict=True)
        square += chance * (math.prod(seconds) / lam**2 - 2 * shift * math.prod(firsts) / lam + shift**2)
    return square


def _ends(parts: Sequence[_Part]) -> tuple[float, float]:
    """Return the least and the largest score of a factor."""
    lam = parts[0].scores.keep
    if not lam:
        values = parts[0].phi
        return float(values.min()), float(values.max())
    corners = [math.prod(each) / lam - _shift(parts) for each in product(*(part.ends for part in parts))]
    return min(corners), max(corners)


def _shift(parts: Sequence[_Part]) -> float:
    lam, sizes = parts[0].scores.keep, [part.size for part in parts]
    return (1 - lam) / lam * math.prod(k / d for k, d in sizes)


# The half-width -------------------------------------------------------------------------------------------------------


def half_width(scores: Scores, whom: Reach, n: float, confidence: float) -> float:
    """Return the half-width of the widest simultaneous interval of a question's results among the people asked. n
    reports ask the question."""
    errors = np.sqrt(scores.variances(whom.part, whom.target) / n)
    added = scores.rarity * numeric.addition(scores.moments) / n
    return among(scores, whom, n, confidence, (scores.shares(whom.part), errors, added), scores.fillers)


def among(
    scores: Scores, whom: Reach, n: float, confidence: float, numbers: tuple[Values, Values, float], fillers: Values
) -> float:
    """Return the largest half-width among the people asked, at most half the scale, because intervals are cut to the
    scale. `numbers` are shares among everyone, their standard errors, and the intervals' addition to these."""
    error, (shares, errors, added) = 1 - confidence, numbers
    missing = whom.unasked(n, 1 - error * SPENT / scores.size.items)
    reaches = quantile(1 - error * (1 - SPENT), scores.together) * errors + added
    rows = zip(shares, reaches, fillers, strict=True)
    spans = [unasked.among(Interval(share - own, share + own), filler, missing) for share, own, filler in rows]
    return float(max(high - low for low, high in spans) / 2)
