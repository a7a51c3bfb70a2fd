"""The analyses by their names: those that a worker counts on request, and those that follow at once."""

from typing import Any

from surveys.researcher.analyses.crossings.analysis import CROSSINGS
from surveys.researcher.analyses.frame.analysis import Analysis
from surveys.researcher.analyses.frame.derived import Derived
from surveys.researcher.analyses.honesty.analysis import CORRECTED, KNOWN
from surveys.researcher.analyses.raking.analysis import RAKINGS
from surveys.researcher.analyses.regressions.analysis import REGRESSIONS
from surveys.researcher.analyses.subgroups.analysis import SUBGROUPS
from surveys.researcher.analyses.waves.analysis import WAVES
from surveys.researcher.analyses.weighting.analysis import WEIGHTED

ANALYSES: dict[str, Analysis[Any]] = {
    analysis.name: analysis for analysis in (CROSSINGS, SUBGROUPS, REGRESSIONS, RAKINGS)
}
DERIVED: dict[str, Derived] = {analysis.name: analysis for analysis in (WEIGHTED, CORRECTED, KNOWN, WAVES)}
