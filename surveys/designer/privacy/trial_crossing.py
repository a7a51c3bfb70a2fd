"""The cross-table of a trial run: of the first wished pair, else of two jointly randomized questions. Functions import
scipy, which takes a second and 50 MB, so only trial runs load it."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from ldp import crossing as crossings
from ldp.crossing import CrossingDocument
from ldp.forms import definition as definitions
from ldp.forms import report
from ldp.forms.crossed import Crossed
from ldp.inference.variables import NotCrossed, Variable, pair_of
from ldp.regression.reached_pairs import is_routed
from surveys.figures import numerals
from surveys.researcher.analyses.crossings import findings
from surveys.researcher.analyses.crossings.grid import grid
from surveys.researcher.analyses.frame.selection import AnalysisSelection
from surveys.rules.context import Context
from surveys.survey.definition.document import Definition

Keys = tuple[str, str]


def keys_of(definition: Definition, wishes: Sequence[Keys]) -> Keys | None:
    """Return the keys of the pair to cross, in the definition's order; None if no pair can be crossed."""
    order = [question["key"] for question in definition["questions"]]
    for wished in [*wishes, *_together(definition)]:
        keys = sorted(wished, key=lambda key: order.index(key) if key in order else -1)
        try:
            variables_of(definition, (keys[0], keys[1]))
        except NotCrossed:
            continue
        return keys[0], keys[1]
    return None


def variables_of(definition: Definition, keys: Keys) -> tuple[Variable, Variable]:
    """Return the two questions as variables. Raise NotCrossed if they cannot be crossed, or if not everyone is asked
    both: the trial has no table of only some people."""
    pair = pair_of(report.alone(definition), *keys)
    if is_routed(*pair):
        raise NotCrossed("asked")
    return pair


def _together(definition: Definition) -> Iterator[Keys]:
    for form in range(len(definitions.forms(definition))):
        for part in report.parts(definition, form):
            yield from combinations(part.keys, 2)


def document_of(crossing: Crossed) -> CrossingDocument:
    return crossings.document({}, crossing)  # type: ignore[typeddict-item]


def context(document: CrossingDocument) -> Context:
    """Return the context of designer/trial_crossing.html: a cross-table, its findings, and its number of people."""
    chosen = AnalysisSelection()
    return {
        "first": document["first"]["text"],
        "second": document["second"]["text"],
        "headline": findings.headline(document, chosen),
        "grid": grid(document, chosen),
        "n": numerals.integer(document["n_about"]),
        "level": numerals.level(chosen.fraction),
    }
