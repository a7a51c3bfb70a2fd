"""Check the analyses of releases: their variables belong to the survey, and their documents have their kind."""

from typing import Any

from surveys.models import AnalysisRun, Survey
from surveys.researcher.analyses.frame.inputs import AnalysisRefused
from surveys.researcher.analyses.frame.selection import digest
from surveys.researcher.analyses.registry import COUNTED
from surveys.rules.typed import fits
from surveys.transfer.releases import says
from surveys.transfer.rules import must


def check(survey: Survey) -> None:
    for run in AnalysisRun.objects.filter(release__survey=survey).select_related("release__survey"):
        must(run.kind in COUNTED, "analysisrun.kind", "must be one of this site's analyses")
        must(run.state == AnalysisRun.State.READY, f"{run.kind}.state", "must be “ready”")
        whole = "must have the fields of its kind of document, and their types"
        document: Any = run.document
        must(fits(document, COUNTED[run.kind].document_type, others=True), f"{run.kind}.document", whole)
        same = "must name its survey and its release"
        must(says(document["header"], run.release), f"{run.kind}.document", same)
        must(_is_possible(run), run.kind, "must be about the survey's questions, as it can be requested here")


def _is_possible(run: AnalysisRun) -> bool:
    """Return whether this analysis could have been requested here, with the same stored specification."""
    analysis = COUNTED[run.kind]
    try:
        specification = analysis.from_json(run.specification)
        analysis.check(run.release, specification)
    except (AnalysisRefused, ValueError):
        return False
    stored = analysis.as_json(analysis.ordered(run.release, specification))
    return run.specification == stored and run.digest == digest(stored)
