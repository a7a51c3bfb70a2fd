"""An observer of a survey's turnout. The observer reads each count and knows when all reports came except one. The
observer sends reports to see that one arrive.

A survey's steps follow a rule. From the shown count, the number at which it rises and the number of people, the rule
gives the next count and the next such number. The observer wants to know whether one person answers within an hour in
which no one else does. The observer sends one report an hour until the next report is expected to show, and then waits
for that person.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple

from surveys.models.turnout import FIRST, STEP
from worker import turnout

Rule = Callable[[int, int, int], tuple[int, int]]
Sum = Callable[[Sequence[int], int], int]


def full_tens(shown: int, turning: int, people: int) -> tuple[int, int]:
    """Return the next step by the rejected rule: a step at every full ten."""
    return turnout.step(shown, turning, people, lambda most: 0)


def by_lot(random: Random) -> Rule:
    """Return the rule that the site uses."""
    return lambda shown, turning, people: turnout.step(shown, turning, people, random.randrange)


class Site:
    """A survey. The observer sees `shown` and knows how many people have answered."""

    def __init__(self, rule: Rule, people: int) -> None:
        self._rule, self.people = rule, people
        self.shown, self._turning = rule(0, FIRST, people)

    def hour(self) -> bool:
        """Let one person answer within an hour. Return whether the count shows it."""
        self.people += 1
        before = self.shown
        self.shown, self._turning = self._rule(before, self._turning, self.people)
        return self.shown > before


class Guess(NamedTuple):
    """The number of reports that the observer sent, and whether the count then showed the person's answer."""

    sent: int
    noticed: bool


def notice(rule: Rule, people: int, most: int, places: int) -> Guess:
    """Make the observer's best guess with at most `most` reports. A step is at one of `places` numbers, so the observer
    sends reports until the next one is sure to show."""
    site = Site(rule, people)
    for sent in range(most):
        if site.people + 1 == site.shown + STEP + places - 1:
            return Guess(sent, site.hour())
        site.hour()
    return Guess(most, site.hour())


def noticed(places: int, most: int, tries: int = 2000) -> tuple[float, float]:
    """Return the share of tries in which the person's answer showed, and the observer's mean number of reports."""
    random = Random(str((places, most)))
    rule = full_tens if places == 1 else by_lot(random)
    guesses = [notice(rule, random.randrange(FIRST, 400), most, places) for _ in range(tries)]
    return sum(guess.noticed for guess in guesses) / tries, sum(guess.sent for guess in guesses) / tries


def whole_groups(numbers: Sequence[int], least: int) -> int:
    """Return the sum by the rejected rule: a group counts completely once it has the least published number."""
    return sum(n for n in numbers if n >= least)


def noticed_in_a_group(people: Sum, place: int, tries: int = 2000) -> float:
    """Return the share of tries in which the answer of the person with this place in their group showed. There is
    another group, and the observer knows everyone in it."""
    random = Random(str(place))
    rule, shown = by_lot(random), 0
    for _ in range(tries):
        other = random.randrange(2 * FIRST, 400)
        before = rule(0, FIRST, people([place - 1, other], FIRST))
        shown += rule(*before, people([place, other], FIRST))[0] > before[0]
    return shown / tries
