"""The analyses by name, in the order of a workbook's sheets and of the planning panels."""

from typing import Any

from surveys.researcher.analyses.comparisons.analysis import COMPARISONS, VALUE_COMPARISON
from surveys.researcher.analyses.crossings.analysis import CROSSINGS
from surveys.researcher.analyses.frame.counted import Counted
from surveys.researcher.analyses.frame.derived import Derived
from surveys.researcher.analyses.honesty.analysis import CORRECTED, KNOWN
from surveys.researcher.analyses.raking.analysis import RAKINGS
from surveys.researcher.analyses.regressions.analysis import REGRESSIONS
from surveys.researcher.analyses.subgroups.analysis import SUBGROUPS
from surveys.researcher.analyses.versions.analysis import VERSIONS
from surveys.researcher.analyses.waves.analysis import WAVES
from surveys.researcher.analyses.weighting.analysis import WEIGHTED

_ALL: tuple[Counted[Any] | Derived, ...] = (
    *(COMPARISONS, VALUE_COMPARISON, VERSIONS, WAVES),
    *(CROSSINGS, SUBGROUPS, REGRESSIONS, RAKINGS),
    *(WEIGHTED, CORRECTED, KNOWN),
)
ANALYSES = {analysis.name: analysis for analysis in _ALL}
COUNTED = {name: analysis for name, analysis in ANALYSES.items() if analysis.counted}
"""Those that a worker counts on request."""
