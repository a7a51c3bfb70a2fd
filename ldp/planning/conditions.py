"""The expected fraction of people for whom conditions hold, if people answer each question independently (M34f).

By default all answers are equally common, and each option of a multiple choice applies to half of the people. A
question needs only its key, kind, options and condition.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, cast

from ldp import kinds, routing
from ldp.question import Question, Rule

# Questions by key, in the order of the survey.
Questions = Mapping[str, Mapping[str, Any]]
Shares = Mapping[str, Sequence[float]]  # of each option, by question key
# For each rule: whether its options include the randomized answer, and whether the rule holds, which also requires that
# its question was asked.
State = tuple[tuple[bool, bool], ...]

STATES_MAX = 4096


class TooManyStates(ValueError):
    """More rules depend on each other than are enumerated."""


def part(questions: Questions, key: str, given: Shares | None = None, most: float = STATES_MAX) -> Fraction:
    """Return the expected fraction of people who are asked a question."""
    rules, joined = routing.condition(questions[key])
    states = law(questions, rules, given, most)
    return sum((chance for state, chance in states.items() if joined(holds for _, holds in state)), Fraction(0))


def deciding(questions: Questions, key: str) -> set[str]:
    """Return the keys of the questions that decide on this one, directly or through others."""
    return {rule["question"] for rule in _closure(questions, routing.condition(questions[key]).rules)}


def law(
    questions: Questions, rules: Sequence[Rule], given: Shares | None = None, most: float = STATES_MAX
) -> dict[State, Fraction]:
    """Return the exact chance of each state of the rules. TooManyStates if there are more than `most`."""
    needed = list(_closure(questions, rules))
    last = [_last(questions, rule, needed, rules) for rule in needed]
    states: dict[tuple[Any, ...], Fraction] = {(None,) * len(needed): Fraction(1)}
    for place, (key, question) in enumerate(questions.items()):
        own = [k for k, rule in enumerate(needed) if rule["question"] == key]
        if own:
            answered = memberships(question, [needed[k]["options"] for k in own], given)
            states = _after(states, question, needed, own, answered)
            states = _summed((_without(state, last, place), chance) for state, chance in states.items())
            if len(states) > most:
                raise TooManyStates("too many conditions depend on each other")
    places = [needed.index(rule) for rule in rules]
    return _summed((tuple(state[k] for k in places), chance) for state, chance in states.items())


def _closure(questions: Questions, rules: Sequence[Rule]) -> Iterator[Rule]:
    """Yield the rules, and the rules of the questions that they are about."""
    known: list[Rule] = []
    left = list(rules)
    while left:
        rule = left.pop(0)
        if rule not in known:
            known.append(rule)
            left += routing.condition(questions[rule["question"]]).rules
            yield rule


def _last(questions: Questions, rule: Rule, needed: Sequence[Rule], wanted: Sequence[Rule]) -> float:
    """Return the place of the last question that needs a rule; infinite for a wanted rule."""
    keys = {each["question"] for each in needed}
    uses = [k for k, key in enumerate(questions) if key in keys and rule in routing.condition(questions[key]).rules]
    return float("inf") if rule in wanted else max(uses)


def _without(state: tuple[Any, ...], last: Sequence[float], place: int) -> tuple[Any, ...]:
    """Return the state without rules that no later question needs."""
    return tuple(None if end <= place else rule for rule, end in zip(state, last, strict=True))


def _after(
    states: Mapping[tuple[Any, ...], Fraction],
    question: Mapping[str, Any],
    rules: Sequence[Rule],
    own: Sequence[int],
    answered: Mapping[tuple[bool, ...], Fraction],
) -> dict[tuple[Any, ...], Fraction]:
    """Return the states after a question is answered, or its filler is randomized."""
    before, joined = routing.condition(question)
    places = [rules.index(rule) for rule in before]
    filler = tuple(routing.leads_on(cast(Question, question), rules[k]["options"]) for k in own)

    def ways() -> Iterator[tuple[tuple[Any, ...], Fraction]]:
        for state, chance in states.items():
            applies = joined(state[k][1] for k in places)
            for within, share in answered.items() if applies else [(filler, Fraction(1))]:
                made = list(state)
                for k, member in zip(own, within, strict=True):
                    made[k] = member, applies and member
                yield tuple(made), chance * share

    return _summed(ways())


def memberships(
    question: Mapping[str, Any], options: Sequence[Sequence[int]], given: Shares | None = None
) -> dict[tuple[bool, ...], Fraction]:
    """Return the chance of each combination of memberships: whether each set of options includes the answer."""
    every = [tuple(place in each for each in options) for place in range(len(question["options"]))]
    several = kinds.of(cast(Question, question)).several
    equal = Fraction(1, 2) if several else Fraction(1, len(every))
    shares = [Fraction(share) for share in given[question["key"]]] if given else [equal] * len(every)
    if not several:
        return _summed(zip(every, shares, strict=True))
    none = (False,) * len(options)
    states = {none: Fraction(1)}
    for within, share in zip(every, shares, strict=True):
        if any(within):
            ways = ((within, share), (none, 1 - share))
            states = _summed(
                (tuple(map(max, known, also)), chance * own) for known, chance in states.items() for also, own in ways
            )
    return states


def _summed(pairs: Any) -> dict[Any, Fraction]:
    sums: dict[Any, Fraction] = {}
    for state, chance in pairs:
        sums[state] = sums.get(state, Fraction(0)) + chance
    return sums
