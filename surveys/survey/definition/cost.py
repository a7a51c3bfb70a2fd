"""The computing time of a definition. It is bounded when a draft is accepted, so that no survey delays respondents,
workers or other surveys' readers. `python -m benchmarks.estimation` measures the bounds."""

from django.utils.translation import gettext_noop as _

from ldp.question import Question
from surveys.rules.limits import TABLES_MAX
from surveys.rules.refusals import refuse
from surveys.survey import mechanisms
from surveys.survey.definition.tables import integers

# Shares and means with intervals that a worker computes at each release.
ESTIMATES_MAX = 1_000
# The most integers per question in a joint draw's table: its size, and a part of the chance to keep.
OF_ONE_AMONG_SEVERAL = 2


class Budget:
    """The remaining budget, spent question by question."""

    def __init__(self, groups: int = 0) -> None:
        self.estimates, self.integers, self._times = ESTIMATES_MAX, TABLES_MAX, 1 + groups

    @property
    def spent(self) -> bool:
        return min(self.estimates, self.integers) < 0

    def spend(self, question: Question, where: str) -> None:
        """Subtract a question's cost. Raise DraftRefused if it exceeds a bound."""
        self.estimates -= self._times * estimates(question)
        self.integers -= integers(question.get("table")) if "table" in question else OF_ONE_AMONG_SEVERAL
        if self.estimates < 0:
            rule = _(
                "makes the survey exceed %(most)s estimates: options times methods, for a grid times items, for all "
                "questions together and again for each group; ask fewer questions, or use fewer options"
            )
            raise refuse(where, "estimate_cost", rule, most=ESTIMATES_MAX)
        if self.integers < 0:
            rule = _("makes the survey's tables exceed %(most)s integers; ask fewer questions like this one")
            raise refuse(where, "table_cost", rule, most=TABLES_MAX)


def estimates(question: Question) -> int:
    """Return the number of estimates of a question: one for each option and method, in a grid for each item. A question
    in a joint draw has one method."""
    methods = len(mechanisms.of(question).scores) if "table" in question else 1
    return len(question.get("options", ("",))) * len(question.get("items", ("",))) * methods
