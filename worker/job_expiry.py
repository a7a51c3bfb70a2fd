"""The end of requested jobs that cannot be done."""

from surveys.models import AnalysisRun, Export

TRIES_MAX = 3


class Abandoned(Exception):
    """Raised if a job cannot be done, with the reason; without a reason if another worker has it."""

    def __init__(self, reason: Export.Reason | AnalysisRun.Reason | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
