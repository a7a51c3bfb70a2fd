"""What a designer begins with: how strongly a report shall be protected, how many people will answer, and what is
wished of the questions."""

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from ldp.scores import Target
from surveys.drafts.proposals import Pairs


class Wish(NamedTuple):
    """Questions are named by their place among those that can be planned. A form with `fewest` reports is published at
    the end. `own` are asked of everybody, with their alphas; `crossed` and `linked` must be in one report, to be
    crossed or since one decides whether the other is asked; `apart` must not, being versions of one. Half-widths are
    about `target`."""

    total: Fraction
    n: int
    fewest: int
    widths: Mapping[int, float]
    own: Mapping[int, Fraction]
    crossed: Pairs = frozenset()
    linked: Pairs = frozenset()
    apart: Pairs = frozenset()
    target: Target = "population"
