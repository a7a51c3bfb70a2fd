"""Variables of cross-tables: questions with one answer, items of grids, options of multiple choices (M31).

A variable has d categories. Each report about it has k symbols with values 0 and 1: the option or output that was sent,
or a bit for each option. The symbols determine an unbiased score phi_j of category j (M12, M17), so a crossing needs
only the counts of pairs of two variables' symbols.

    randomized_response of one option, exponential, an option    which one was sent: k = d
    of more options, bitwise, laplace, osgt, gaussian            a bit for each: listed, 1, or y >= 1

An item of a grid has the symbols of randomized response. Noisy bins count as bits. With Laplace noise the bit has all
information about the answer (M5), with other noise a part; but sums of unbounded noise have no useful interval for
products.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, cast

import numpy as np
import numpy.typing as npt

from ldp import exact
from ldp.arrays import Values
from ldp.exact import RESOLUTION
from ldp.inference import items
from ldp.mechanisms import MECHANISMS, SAMPLING_OPTIONS, of
from ldp.microdata import MISSING, MicrodataTable
from ldp.question import CHANNEL, Drawn, asked_in, has_channels, of_asked
from ldp.scores import (
    EXCLUSIVE,
    ChannelMoments,
    PairMoments,
    PooledMoments,
    PooledPairs,
    ScoreMoments,
    SumMoments,
    independent,
    indicator,
    mirrored,
)

Symbols = npt.NDArray[np.bool_]

APPLIES, DOES_NOT = "applies", "does not apply"


class NotComputed(ValueError):
    """A statistic that cannot be computed. `reason` is a key of `reasons`, which has its sentence."""

    reasons: ClassVar[dict[str, str]]

    def __init__(self, reason: str) -> None:
        super().__init__(self.reasons[reason])
        self.reason = reason


class NotCrossed(NotComputed):
    """Variables that cannot be crossed with guarantees."""

    reasons: ClassVar = {
        "unknown": "there is no such question, item or option",
        "mean": "a number that is averaged has no options: it cannot be crossed",
        "noise": "a mean by Laplace noise cannot be split by other answers, as its reports take too many values; a "
        "mean by one bit can",
        "parts": "a grid is crossed item by item and a multiple choice option by option: name one, like key.2",
        "same": "a question cannot be crossed with itself",
        "one drawn": "each report is about only one item of this question: two items cannot be crossed",
        "few drawn": "no report is about as many items of one question as are named here",
        "ranking": "two pairs of one ranking cannot be crossed: name one",
        "forms": "no form asks both, so no one was asked both: they cannot be crossed",
        "channels": "the forms that ask all of these randomize them in different ways, some together and some alone, "
        "or with other chances: that is not computed",
        "asked": "not everyone was asked both, and fillers cannot be taken out of their table",
        "one leads on": "everyone who was asked both gave the same answer to one of them: the other's own results are "
        "about these people",
        "too large": "the table has too many cells to show anything: it cannot be crossed",
    }


CELLS_MAX = 1024


@dataclass(frozen=True)
class Variable:
    """A variable. `place` is the position of its item or option, from 0; None for a whole question. Scores follow from
    the output sent, `phi` (k, d), or from a bit with the `moments` of a 0/1 score and the mean products `pair` (M13). A
    mean by one bit has as options the two ends that numbers are rounded to. The upper end's share, among any people, is
    their mean as a fraction of the scale (M8, M43b)."""

    key: str
    question: Drawn
    place: int | None
    options: tuple[str, ...]
    phi: Values | None
    moments: ScoreMoments
    pair: PairMoments | PooledPairs

    @property
    def has_channels(self) -> bool:
        """Return whether forms randomize the variable in several ways. Its moments are then those of pooled scores, and
        single reports have no score."""
        return has_channels(self.question)

    @property
    def text(self) -> str:
        """The question's text, with the item or option."""
        if self.place is None:
            return str(self.question["text"])
        parts = self.question["items" if "items" in self.question else "options"]
        return f"{self.question['text']} — {parts[self.place]}"

    @property
    def scale(self) -> tuple[float, float] | None:
        """The ends of a mean's numbers; None for a question with options."""
        if "low" not in self.question:
            return None
        return float(self.question["low"]), float(self.question["high"])

    @property
    def width(self) -> int:
        """The number of symbols, k."""
        return len(self.options) if self.phi is None else len(self.phi)

    @property
    def one_sent(self) -> bool:
        """Return whether a report sends exactly one symbol. NotCrossed if forms randomize it in several ways."""
        if isinstance(self.pair, PooledPairs):
            raise NotCrossed("channels")
        return self.phi is not None or self.pair == EXCLUSIVE

    @property
    def together(self) -> int:
        """The number of shares whose intervals hold at once. Two mirror images count as one (M15)."""
        d = len(self.options)
        return 1 if mirrored(self.moments, self.pair, d) else d

    @property
    def forms(self) -> frozenset[int] | None:
        """The forms that ask the question; None if everyone is asked."""
        forms = asked_in(self.question)
        return None if forms is None else frozenset(forms)

    @property
    def draws(self) -> dict[int | None, tuple[str, ...]]:
        """The keys of the questions in the variable's draw, by form; by None if everyone is asked."""
        key = self.question["key"]
        if "asked" in self.question:
            return {each["form"]: tuple(each.get("together", [key])) for each in self.question["asked"]}
        return {self.question.get("form"): tuple(self.question.get("together", [key]))}

    @property
    def draw(self) -> tuple[str, ...]:
        """The keys of the questions in the variable's draw. NotCrossed if the draws of forms differ."""
        if len(every := set(self.draws.values())) > 1:
            raise NotCrossed("channels")
        [draw] = every
        return draw

    @property
    def listed(self) -> int:
        """The number of options that a report lists, for mechanisms that list options."""
        table = self.question["table"]
        return int(table["sizes"][0] if "sizes" in table else table.get("size", 1))

    def _columns(self, table: MicrodataTable) -> MicrodataTable:
        """Return the variable's columns from its question's columns."""
        if self.place is None:
            return table
        each = 1 if self.one_sent else len(self.options)
        return table[:, self.place * each : (self.place + 1) * each]

    def about(self, table: MicrodataTable) -> Symbols:
        """Return which reports are about the variable, (n,), from the question's columns, (n, size)."""
        if self.place is None:
            return np.ones(len(table), dtype=np.bool_)
        return np.asarray(self._columns(table)[:, 0] != MISSING)

    def symbols(self, table: MicrodataTable) -> Symbols:
        """Return the symbols, (n, k), of reports about the variable."""
        columns = self._columns(table)
        if self.question["mechanism"] in SAMPLING_OPTIONS:
            return np.asarray(columns == np.array([1, 0]))
        if self.one_sent:
            return np.asarray(columns == np.arange(self.width))
        return np.asarray(columns >= 1)


def are_together(first: Variable, second: Variable) -> bool:
    """Return whether one draw decides about both variables: two questions of a draw, or two items of a question.
    NotCrossed if this holds for only some of the forms that ask both."""
    one, other = first.draws, second.draws
    together = {one[form] == other[form] for form in one.keys() & other.keys()}
    if len(together) > 1:
        raise NotCrossed("channels")
    return together == {True}


def common_forms(variables: Sequence[Variable]) -> frozenset[int] | None:
    """Return the forms whose reports can be about all of the variables, because they ask all questions and draw enough
    items of each list; None if everyone is asked all."""
    in_forms = [each for each in variables if each.forms is not None]
    if not in_forms:
        return None
    parts = Counter(key.partition(".")[0] for key in {each.key for each in variables})
    return frozenset.intersection(*(_forms_about(each, parts[each.question["key"]]) for each in in_forms))


def _forms_about(variable: Variable, parts: int) -> frozenset[int]:
    """Return the forms whose reports are about at least `parts` items of the question, or about its only answer."""
    return frozenset(form for form, most in items_drawn(variable.question) if form is not None and parts <= most)


def items_drawn(question: Drawn) -> list[tuple[int | None, int]]:
    """Return each form that asks the question, None if everyone is asked, and how many of its items a report is about:
    1 for a question with one answer."""
    channels: Sequence[Mapping[str, Any]] = question.get("asked", [question])
    return [(each.get("form"), int(each.get("table", {}).get("sample", 1))) for each in channels]


def part_about(variables: Sequence[Variable]) -> Fraction:
    """Return the fraction of reports that are about all of the variables, among the reports of forms that ask all of
    their questions in one way. The other reports did not draw their items."""
    parts = Counter(key.partition(".")[0] for key in {each.key for each in variables})
    each = {own.question["key"]: own.question for own in variables}
    return math.prod((_part_about(each[key], named) for key, named in parts.items()), start=Fraction(1))


def _part_about(question: Drawn, named: int) -> Fraction:
    """Return the part of reports about all `named` items of a list or grid, or about one pair of a ranking."""
    if "sample" not in question["table"]:
        return Fraction(1)
    drawn = question["table"]["sample"]
    if "ranked" in question:
        named, whole = 2, len(question["ranked"])
    else:
        whole = items.number(question)
    return Fraction(math.comb(whole - named, drawn - named) if named <= drawn else 0, math.comb(whole, drawn))


def within(variable: Variable, forms: frozenset[int] | None) -> Variable:
    """Return the variable with the channels of these forms. At least one of them must ask it."""
    if "asked" not in variable.question or forms is None:
        return variable
    channels = [each for each in variable.question["asked"] if each["form"] in forms]
    return _remade(variable, of_asked(variable.question, channels))


def by_channel(variables: Sequence[Variable]) -> list[list[Variable]]:
    """Return a list of the variables for each way in which the forms that ask all of them randomize them. A listed
    variable has the one channel of these forms, and only these variables in its draws. NotCrossed if no form asks all,
    or no report is about all items."""
    _check_orders(variables)
    sampled = [each for each in variables if each.forms is None and "sample" in each.question["table"]]
    if sampled and not part_about(sampled):
        raise NotCrossed("few drawn")
    forms = common_forms(variables)
    if forms is None:
        return [list(variables)]
    if not forms:
        raise NotCrossed("few drawn" if _common_by_question(variables) else "forms")
    keys, ways = {each.question["key"] for each in variables}, list[tuple[list[object], set[int]]]()
    for form in sorted(forms):
        channels = [_channel(each, form, keys) for each in variables]
        known = next((own for way, own in ways if way == channels), None)
        if known is None:
            ways.append((channels, {form}))
        else:
            known.add(form)
    return [[_with_partners(within(each, frozenset(own)), keys) for each in variables] for _, own in ways]


def _common_by_question(variables: Sequence[Variable]) -> frozenset[int]:
    """Return the forms that ask all of the variables' questions, even if no report is about all of their items."""
    return frozenset.intersection(*(forms for each in variables if (forms := each.forms) is not None))


def _check_orders(variables: Sequence[Variable]) -> None:
    """Raise NotCrossed for two pairs of one ranking: their bits come from one order, not from a product of lists."""
    rankings = [each.question["key"] for each in variables if "ranked" in each.question]
    if len(set(rankings)) < len(rankings):
        raise NotCrossed("ranking")


def _channel(variable: Variable, form: int, keys: set[str]) -> object:
    """Return the variable's mechanism and channel in the form, and the other keys in its draw."""
    question: Mapping[str, Any] = variable.question
    channel = next((each for each in question.get("asked", ()) if each["form"] == form), question)
    partners = keys & {*channel.get("together", ())} - {question["key"]}
    return [question["mechanism"], [channel.get(name) for name in CHANNEL], partners]


def of_all(variables: Sequence[Variable]) -> list[Variable]:
    """Return the variables with the channels of the forms that ask all. NotCrossed if no form asks all, or forms
    randomize them in several ways."""
    ways = by_channel(variables)
    if len(ways) > 1:
        raise NotCrossed("channels")
    return ways[0]


def _with_partners(variable: Variable, keys: set[str]) -> Variable:
    """Return a variable of several forms with only these keys in each draw."""
    if "asked" not in variable.question:
        return variable
    partners = {tuple(key for key in draw if key in keys) for draw in variable.draws.values()}
    if len(partners) > 1:
        raise NotCrossed("channels")
    [own] = partners
    channels = [
        {name: value for name, value in each.items() if name not in ("joint", "together")}
        | ({"joint": True, "together": list(own)} if "joint" in each else {})
        for each in variable.question["asked"]
    ]
    return _remade(variable, cast(Drawn, variable.question | {"asked": channels}))


def _remade(variable: Variable, question: Drawn) -> Variable:
    """Return the variable made anew from this question."""
    made = _of_mean(question) if "options" not in question else None
    every = [made] if made is not None else _of_question(question)
    return next(each for each in every if each.key == variable.key)


def variables(questions: list[Drawn]) -> list[Variable]:
    """Return all variables of a definition that can be crossed, in its order."""
    return [variable for question in questions for variable in _of_question(question)]


def with_means(questions: list[Drawn]) -> list[Variable]:
    """Return all variables that can be crossed, and means by one bit. Answers to another question can split these means
    (M43b)."""
    every = ([one] if (one := _of_mean(question)) else _of_question(question) for question in questions)
    return [each for own in every for each in own]


def pair_of(questions: list[Drawn], first: str, second: str, means: bool = False) -> tuple[Variable, Variable]:
    """Return the variables of these keys with the channels of forms that ask both. `means` as in `variable`. NotCrossed
    if they cannot be crossed with guarantees."""
    return paired(variable(questions, first, means), variable(questions, second, means))


def paired(one: Variable, other: Variable) -> tuple[Variable, Variable]:
    """Return two variables with the channels of forms that ask both. NotCrossed if they have no guaranteed crossing."""
    if one.key == other.key:
        raise NotCrossed("same")
    _check_orders((one, other))
    if one.question["key"] == other.question["key"] and max(drawn for _form, drawn in items_drawn(one.question)) < 2:
        raise NotCrossed("one drawn")
    forms = common_forms((one, other))
    if forms is not None and not forms:
        raise NotCrossed("forms")
    if len(one.options) * len(other.options) > CELLS_MAX:
        raise NotCrossed("too large")
    ways = by_channel((one, other))
    one, other = ways[0] if len(ways) == 1 else (within(one, forms), within(other, forms))
    return one, other


def variable(questions: list[Drawn], key: str, means: bool = False) -> Variable:
    """Return the variable of this key; with `means` also a mean by one bit. NotCrossed if there is none."""
    name, dot, _ = key.partition(".")
    question = next((question for question in questions if question["key"] == name), None)
    if question is None:
        raise NotCrossed("unknown")
    if "options" not in question:
        mean = _of_mean(question) if means and not dot else None
        if mean is None:
            raise NotCrossed("noise" if means else "mean")
        return mean
    match = next((match for match in _of_question(question) if match.key == key), None)
    if match is None:
        raise NotCrossed("unknown" if dot else "parts")
    return match


def _of_mean(question: Drawn) -> Variable | None:
    """Return a mean by one bit as a variable whose options are its two ends; None for all other questions."""
    if "low" not in question:
        return None
    moments = of(question).default()[1]
    if isinstance(moments, SumMoments) or not (moments.binary or isinstance(moments, PooledMoments)):
        return None
    return Variable(question["key"], question, None, (question["low"], question["high"]), None, moments, EXCLUSIVE)


def _of_question(question: Drawn) -> list[Variable]:
    if "options" not in question:
        return []
    if question["mechanism"] in SAMPLING_OPTIONS:
        return [_part(question, place, (APPLIES, DOES_NOT)) for place in range(len(question["options"]))]
    options = tuple(question["options"])
    if "items" in question:
        return [_part(question, place, options) for place in range(len(question["items"]))]
    (name, moments), key = of(question).default(), question["key"]
    if isinstance(moments, ChannelMoments):
        return [Variable(key, question, None, options, np.array(moments.phi()), moments, EXCLUSIVE)]
    if isinstance(moments, SumMoments):
        first = 1 - moments.low  # the bit is [y >= 1]
        bit = indicator(Fraction(sum(moments.inside[first:])), Fraction(sum(moments.outside[first:])))
        return [Variable(key, question, None, options, None, bit, independent(bit))]
    return [Variable(key, question, None, options, None, moments, of(question).pairs()[name])]


def _part(question: Drawn, place: int, options: tuple[str, ...]) -> Variable:
    moments, pair = items.law(question, place)
    if pair is None:  # one option, which applies or does not
        pair = PooledPairs((EXCLUSIVE,) * len(moments.parts)) if isinstance(moments, PooledMoments) else EXCLUSIVE
    return Variable(f"{question['key']}.{place + 1}", question, place, options, None, moments, pair)


# Under another alpha --------------------------------------------------------------------------------------------------


def scaled(own: Variable, factor: float) -> Variable:
    """Return the variable with its alpha times `factor`, with the sizes that the designer set, or the best ones.
    ValueError for a mechanism with a delta, whose table alpha does not determine."""
    mechanism, question = MECHANISMS[own.question["mechanism"]], own.question
    if "delta" in mechanism.EXTRAS:
        raise ValueError("its table does not follow from alpha alone")
    if own.place is None and not question.get("joint"):
        table = mechanism.table(scaled_alpha(question["alpha"], factor), len(own.options), *_named_size(own))
    else:
        table = question["table"] | {"keep": scaled_keep(question, factor)}
    return variable([cast(Drawn, question | {"table": table})], own.key, means=True)


def _named_size(own: Variable) -> tuple[int, ...]:
    """Return how many options a report lists if the designer set it, so that it is not the best at its alpha; otherwise
    nothing."""
    question = own.question
    if "sizes" not in question["table"]:
        return ()
    best = MECHANISMS[question["mechanism"]].table(Fraction(question["alpha"]), len(own.options))["sizes"]
    return () if best == question["table"]["sizes"] else tuple(question["table"]["sizes"])


def scaled_keep(question: Drawn, factor: float) -> int:
    """Return the chance to keep, times 2^53, of this question's joint draw under alpha times `factor`, with the same
    sizes. The draw's other questions matter only through D, which follows from the chance at the present alpha."""
    lam = Fraction(question["table"]["keep"], RESOLUTION)
    rarity = (exact.exp_below(Fraction(question["alpha"])) - 1) * (1 - lam) / lam
    return exact.keeping(scaled_alpha(question["alpha"], factor), rarity)


def scaled_alpha(alpha: str, factor: float) -> Fraction:
    return Fraction(alpha) * Fraction(factor).limit_denominator(10**6)
