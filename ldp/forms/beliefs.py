"""By how much a report of a form changes what somebody believes (M39), for ldp.planning.meaning.belief."""

from fractions import Fraction

from ldp.exact import RESOLUTION
from ldp.mechanisms import joint


def joint_factor(table: joint.Table, sizes: joint.Sizes) -> Fraction:
    """How many times likelier a joint report can be for some answers than for others, of all of them and so of each:
    exactly. A report's factor is the product of its form's and of those of the questions for everybody."""
    others = joint.tuples(sizes) - 1
    return Fraction(RESOLUTION - others * table["other"], table["other"])
