"""The observer of a survey's turnout: who reads each count, knows when all reports came but one, and sends reports of
their own to see that one come.

A survey's steps are a rule: from the count shown, the number at which it goes up, and how many there are, to the next
of both. The observer wants to know whether one person answers within an hour in which nobody else does. They send their
own reports one an hour, until they expect the next report to show, and then wait for that person.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple

from surveys.models.turnout import FIRST, STEP
from worker import turnout

Rule = Callable[[int, int, int], tuple[int, int]]
Sum = Callable[[Sequence[int], int], int]


def full_tens(shown: int, turning: int, people: int) -> tuple[int, int]:
    """The rule that is not used: a step at every full ten."""
    return turnout.step(shown, turning, people, lambda most: 0)


def by_lot(random: Random) -> Rule:
    """The rule that is used."""
    return lambda shown, turning, people: turnout.step(shown, turning, people, random.randrange)


class Site:
    """A survey of which the observer sees `shown`, and knows how many people have answered."""

    def __init__(self, rule: Rule, people: int) -> None:
        self._rule, self.people = rule, people
        self.shown, self._turning = rule(0, FIRST, people)

    def hour(self) -> bool:
        """Let one person answer within an hour; whether the count shows it."""
        self.people += 1
        before = self.shown
        self.shown, self._turning = self._rule(before, self._turning, self.people)
        return self.shown > before


class Guess(NamedTuple):
    """How many reports of their own the observer sent, and whether the count then showed the person's answer."""

    sent: int
    noticed: bool


def notice(rule: Rule, people: int, most: int, places: int) -> Guess:
    """The best that an observer can do with at most so many reports of their own, where a step is at one of so many
    `places`: send them until the next report is sure to show."""
    site = Site(rule, people)
    for sent in range(most):
        if site.people + 1 == site.shown + STEP + places - 1:
            return Guess(sent, site.hour())
        site.hour()
    return Guess(most, site.hour())


def noticed(places: int, most: int, tries: int = 2000) -> tuple[float, float]:
    """The share of tries in which the person's answer showed, and how many reports the observer sent on average."""
    random = Random(str((places, most)))
    rule = full_tens if places == 1 else by_lot(random)
    guesses = [notice(rule, random.randrange(FIRST, 400), most, places) for _ in range(tries)]
    return sum(guess.noticed for guess in guesses) / tries, sum(guess.sent for guess in guesses) / tries


def whole_groups(numbers: Sequence[int], least: int) -> int:
    """The sum that is not used: a group counts whole once it has the least that is published."""
    return sum(n for n in numbers if n >= least)


def noticed_in_a_group(people: Sum, place: int, tries: int = 2000) -> float:
    """The share of tries in which the answer of the person with this place in their group showed, beside another group
    of which the observer knows everyone."""
    random = Random(str(place))
    rule, shown = by_lot(random), 0
    for _ in range(tries):
        other = random.randrange(2 * FIRST, 400)
        before = rule(0, FIRST, people([place - 1, other], FIRST))
        shown += rule(*before, people([place, other], FIRST))[0] > before[0]
    return shown / tries
