"""The reports of a release, read from its blocks.

As for files (worker/exports.py), the released blocks are always the newest release, and one statement reads them. Only
the bytes of the needed questions are decoded, and only counts are kept. Counts are used only if the questions' totals,
from the same bytes, equal the release's to the last integer (P11).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager

from ldp.inference.variables import Variable
from ldp.microdata import MicrodataTable
from ldp.tally import Batch
from surveys.life import summing
from surveys.models import AnalysisRun, Release
from surveys.models.tally import FormCount, nothing
from surveys.survey.definition.layout import Layout
from worker import blocks
from worker.exports import released
from worker.job_expiry import Abandoned

Reason = AnalysisRun.Reason
Progress = AbstractContextManager[Callable[[int], object]]


@contextmanager
def unseen() -> Iterator[Callable[[int], object]]:
    """Yield a progress function that stores nothing."""
    yield lambda n: None


class ReleasedReports:
    """The reports of a release (surveys/researcher/analyses/frame/reports.py). Reading them enters `progress`, which
    gets the number of reports so far."""

    def __init__(self, release: Release, progress: Callable[[], Progress] = unseen) -> None:
        self.release, self._progress = release, progress

    def read(
        self, variables: Mapping[int, Sequence[Variable]], add: Callable[[int, Mapping[str, MicrodataTable]], None]
    ) -> None:
        """Call `add` with the form and the columns of each block by question. Raise Abandoned if the reports are not
        the release's."""
        layouts = {form: Layout(self.release.survey.definition, form) for form in variables}
        places = {form: _places(layouts[form], each) for form, each in variables.items()}
        tallies = {form: nothing(1)[0] for form in variables}
        with self._progress() as progress:
            for form, block in released(self.release.survey):
                if form in places:
                    tables = {key: place.read(block) for key, place in places[form].items()}
                    add(form, tables)
                    totals = {place.key: place.totals for place in places[form].values()}
                    summing.add(tallies[form], {"n": len(next(iter(tables.values()))), "totals": totals})
                    progress(sum(tally["n"] for tally in tallies.values()))
        self._compare(tallies)

    def _compare(self, tallies: Mapping[int, FormCount]) -> None:
        for form, tally in tallies.items():
            whole = self.release.tallies[form]
            if tally["n"] != whole["n"] or any(whole["totals"][key] != own for key, own in tally["totals"].items()):
                raise Abandoned(Reason.DIFFERS if self.release.is_newest() else Reason.SUPERSEDED)


def _places(layout: Layout, variables: Sequence[Variable]) -> "dict[str, _Place]":
    return {each.question["key"]: _Place(layout, each) for each in variables}


class _Place:
    """A variable's question: its place in a form's packed reports, and the totals of the last block read."""

    def __init__(self, layout: Layout, variable: Variable) -> None:
        self._question: str = variable.question["key"]
        self._field = next(field for field in layout.fields if self._question in field.part.keys)
        self._bytes = self._field.start // 8, (self._field.start + self._field.width + 7) // 8
        self.key, self.totals = self._field.key, dict[str, list[int]]()

    def read(self, block: bytes) -> MicrodataTable:
        """Return the question's columns of a block. Also set `totals` to those of the question's part of the report."""
        rows, start = blocks.decode(block, *self._bytes), self._field.start % 8
        self.totals = self._field.part.tally(Batch(rows).field(start, self._field.width))
        return self._field.part.tables(rows, start)[self._question]
