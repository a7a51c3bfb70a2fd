"""The analyses that a worker computes on request, by their names."""

from typing import Any

from surveys.researcher.analyses.crossings.analysis import CROSSINGS
from surveys.researcher.analyses.frame.analysis import Analysis
from surveys.researcher.analyses.raking.analysis import RAKINGS
from surveys.researcher.analyses.regressions.analysis import REGRESSIONS
from surveys.researcher.analyses.subgroups.analysis import SUBGROUPS

ANALYSES: dict[str, Analysis[Any]] = {
    analysis.name: analysis for analysis in (CROSSINGS, SUBGROUPS, REGRESSIONS, RAKINGS)
}
