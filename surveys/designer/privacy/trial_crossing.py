"""The cross-table of a trial run: of the first wished pair, else of two questions that are randomized together. Imports
in functions load scipy: a second and 50 MB, for processes that run a trial only."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from ldp.forms import definition as definitions
from ldp.forms import report
from surveys.figures import numerals
from surveys.researcher.analyses.crossings import findings
from surveys.researcher.analyses.crossings.grid import grid
from surveys.researcher.analyses.frame.selection import AnalysisSelection
from surveys.rules.context import Context
from surveys.survey.definition.document import Definition

if TYPE_CHECKING:
    from ldp.crossing import CrossingDocument
    from ldp.forms.crossed import Crossed
    from ldp.inference.variables import Variable

Keys = tuple[str, str]


def keys_of(definition: Definition, wishes: Sequence[Keys]) -> Keys | None:
    """The keys of the pair that is crossed, in the definition's order; None where there is none."""
    from ldp.inference.variables import NotCrossed

    order = [question["key"] for question in definition["questions"]]
    for wished in [*wishes, *_together(definition)]:
        keys = sorted(wished, key=lambda key: order.index(key) if key in order else -1)
        try:
            variables_of(definition, (keys[0], keys[1]))
        except NotCrossed:
            continue
        return keys[0], keys[1]
    return None


def variables_of(definition: Definition, keys: Keys) -> "tuple[Variable, Variable]":
    """The two questions as variables. NotCrossed where they cannot be crossed."""
    from ldp.inference.variables import pair_of

    return pair_of(report.alone(definition), *keys)


def _together(definition: Definition) -> Iterator[Keys]:
    for form in range(len(definitions.forms(definition))):
        for part in report.parts(definition, form):
            yield from combinations(part.keys, 2)


def document_of(crossing: "Crossed") -> "CrossingDocument":
    from ldp import crossing as crossings

    return crossings.document({}, crossing)  # type: ignore[typeddict-item]


def context(document: "CrossingDocument") -> Context:
    """The names of design/trial_crossing.html: a cross-table, its findings, and its number of people."""
    chosen = AnalysisSelection()
    return {
        "first": document["first"]["text"],
        "second": document["second"]["text"],
        "headline": findings.headline(document, chosen),
        "grid": grid(document, chosen),
        "n": numerals.integer(document["n_about"]),
        "level": numerals.percent(chosen.fraction),
    }
