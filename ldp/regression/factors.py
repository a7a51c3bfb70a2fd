"""Which of the variables share a draw: their noise is one, and the scores of their tuple count, not products of theirs.

A factor is one variable with a draw of its own, or several of one joint form, as one variable whose options are their
tuples (M34b).
"""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ldp import microdata
from ldp.arrays import Indices
from ldp.forms.report import Joint
from ldp.inference.variables import Variable
from ldp.mechanisms import joint
from ldp.microdata import MicrodataTable
from ldp.scores import EXCLUSIVE


class Factor(NamedTuple):
    """`places` are those of its variables among all, and `sizes` their numbers of options."""

    variable: Variable
    places: tuple[int, ...]
    sizes: tuple[int, ...]

    def table(self, tables: Sequence[MicrodataTable]) -> MicrodataTable:
        """Its columns, of those of all variables' questions."""
        if len(self.places) == 1:
            return tables[self.places[0]]
        return microdata.tuple_numbers([tables[place] for place in self.places], self.sizes)


def factors(variables: Sequence[Variable], joint_forms: Mapping[int, Joint]) -> list[Factor]:
    """In the order of their first variables; `joint_forms` are the joint parts of a definition's forms by number."""
    return [_factor(variables, places, joint_forms) for places in draws(variables)]


def draws(variables: Sequence[Variable]) -> list[tuple[int, ...]]:
    """The places of the variables of each draw, in the order of their first ones."""
    rows: dict[object, list[int]] = {}
    for place, variable in enumerate(variables):
        together = variable.form if variable.question.get("joint") else None
        rows.setdefault(variable.key if together is None else together, []).append(place)
    return [tuple(places) for places in rows.values()]


def _factor(variables: Sequence[Variable], places: tuple[int, ...], joint_forms: Mapping[int, Joint]) -> Factor:
    own = [variables[place] for place in places]
    sizes = tuple(len(variable.options) for variable in own)
    form = own[0].form
    if len(own) == 1 or form is None:
        return Factor(own[0], places, sizes)
    part = joint_forms[form]
    table = joint.marginal(part.table, part.sizes, [part.keys.index(variable.key) for variable in own])
    tuples = tuple(map(str, range(math.prod(sizes))))
    moments = joint.moments(table, sizes)["support"]
    return Factor(Variable("", part.alone(0), None, tuples, None, moments, EXCLUSIVE), places, sizes)


def arranged(each: Sequence[Factor]) -> tuple[tuple[int, ...], Indices | None]:
    """The variables' numbers of options, and for each combination its place where the factors follow each other."""
    places = [place for factor in each for place in factor.places]
    sizes = [size for factor in each for size in factor.sizes]
    back = np.argsort(places)
    shape = tuple(sizes[k] for k in back)
    if places == sorted(places):
        return shape, None
    return shape, np.arange(math.prod(sizes)).reshape(sizes).transpose(back).ravel()
