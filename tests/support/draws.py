"""The draws of a report in order: the words to try at each draw, the report that a definition makes of them, and the
draws that a wanted report needs."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from ldp.exact import RESOLUTION

ALWAYS, NEVER = 0, RESOLUTION - 1  # one draw below every threshold, one above

# A longer row of thresholds is tried only at this many places, from first to last. Every bin has noise, so its limit is
# lower.
THRESHOLDS_MAX, NOISES_MAX = 256, 12


def boundary(t: int) -> list[int]:
    """Return words on both sides of t, the ends, and words that agree with t in their low byte or low half."""
    words = (0, t - 2**32, t - 256, t - 1, t, t + 1, t + 256, t + 2**32, RESOLUTION - 1)
    return [u for u in words if 0 <= u < RESOLUTION]


class Draw(NamedTuple):
    """One draw: a comparison with thresholds or, if k > 0, a uniform choice among k."""

    thresholds: Sequence[int]
    k: int = 0

    def tried(self) -> list[list[int]]:
        if not self.k:
            return [[u] for t in self.thresholds for u in boundary(t)]
        end = RESOLUTION - RESOLUTION % self.k
        accepted = {u for u in (0, 1, self.k - 1, self.k, 2**32, end - self.k, end - 1) if 0 <= u < end}
        rejected = {u for u in (end, RESOLUTION - 1) if u >= end}
        return [[u] for u in sorted(accepted)] + [[u, u % self.k] for u in sorted(rejected)]


def of_lists(counts: Sequence[int], table: Any) -> list[Draw]:
    """Return the draws of randomized response on one question or several."""
    choices = [Draw([], d - i) for d, size in zip(counts, table["sizes"], strict=True) for i in range(size)]
    return [Draw([table["keep"]]), *choices]


def some(thresholds: list[int], most: int) -> list[int]:
    last = len(thresholds) - 1
    return thresholds if last < most else [thresholds[i * last // (most - 1)] for i in range(most)]


# The report of accepted draws -----------------------------------------------------------------------------------------


def listed(answers: Sequence[int], counts: Sequence[int], table: Any, u: list[int]) -> list[list[int]]:
    """Return the reported list of options for each question (M44). If the draw keeps the answers, every list holds its
    answer; otherwise the list is uniform."""
    remaining, lists = u[1:], []
    for x, d, size in zip(answers, counts, table["sizes"], strict=True):
        steps, remaining = dealt(list(range(d)), remaining[:size]), remaining[size:]
        if u[0] < table["keep"] and 0 not in steps:
            steps[0] = 0
        lists.append(sorted((x + step) % d for step in steps))
    return lists


def dealt(deck: list[int], u: list[int]) -> list[int]:
    """Return the first cards of a shuffled deck. Each drawn card trades places with the first remaining card."""
    dealt = []
    for one in u:
        place = one % len(deck)
        dealt.append(deck[place])
        deck[place] = deck[0]
        deck = deck[1:]
    return dealt


def cell(thresholds: Sequence[int], u: int) -> int:
    """Return the z with c_z <= u < c_{z+1}."""
    return next((z for z, c in enumerate(thresholds) if u < c), len(thresholds))


# The draws of a wanted report -----------------------------------------------------------------------------------------


def listing(answers: Sequence[int], counts: Sequence[int], lists: Sequence[Sequence[int]]) -> list[int]:
    """Return the draws that give these lists. They keep the answers if every list holds its answer."""
    steps = [[(z - x) % d for z in each] for x, d, each in zip(answers, counts, lists, strict=True)]
    kept = ALWAYS if all(0 in each for each in steps) else NEVER
    return [kept, *(u for each, d in zip(steps, counts, strict=True) for u in shuffle(d, each))]


def reaching(thresholds: list[int], count: int) -> int:
    """Return a draw that passes exactly this many cumulative thresholds."""
    assert 0 <= count <= len(thresholds)
    return thresholds[count - 1] if count else ALWAYS


def shuffle(n: int, wished: Iterable[int]) -> list[int]:
    """Return the draws with which a partial shuffle of 0..n-1 begins with the wished values."""
    deck, drawn = list(range(n)), []
    for i, value in enumerate(wished):
        j = deck.index(value)
        drawn.append(j - i)
        deck[i], deck[j] = deck[j], deck[i]
    return drawn
