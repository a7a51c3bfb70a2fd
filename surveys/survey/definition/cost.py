"""What a definition costs those who compute with it, bounded when the draft is accepted: one survey keeps no other's
respondents, worker or readers waiting (P12). `python -m benchmarks.estimation` measures what the bounds allow."""

from django.utils.translation import gettext_noop as _

from ldp.question import Question
from surveys.rules.limits import TABLES_MAX
from surveys.rules.refusals import refuse
from surveys.survey import mechanisms
from surveys.survey.definition.tables import integers

# The worker computes so many shares and means of a survey at each release, each with its intervals.
ESTIMATES_MAX = 1_000
# A question's part of the table of a draw of several, at most: its size, and half of what keeps the alpha.
OF_ONE_AMONG_SEVERAL = 2


class Budget:
    """What is left of the bounds, question by question."""

    def __init__(self, groups: int = 0) -> None:
        self.estimates, self.integers, self._times = ESTIMATES_MAX, TABLES_MAX, 1 + groups

    @property
    def spent(self) -> bool:
        return min(self.estimates, self.integers) < 0

    def spend(self, question: Question, where: str) -> None:
        """DraftRefused for the question that a bound has no room for."""
        self.estimates -= self._times * estimates(question)
        self.integers -= integers(question.get("table")) if "table" in question else OF_ONE_AMONG_SEVERAL
        if self.estimates < 0:
            rule = _(
                "brings what must be estimated (options times methods, for a grid times items, summed over the "
                "questions, and again for each group) beyond %(most)s numbers; ask fewer questions, or with fewer "
                "options"
            )
            raise refuse(where, "estimate_cost", rule, most=ESTIMATES_MAX)
        if self.integers < 0:
            rule = _("needs a table that brings the survey's beyond %(most)s integers; ask fewer such questions")
            raise refuse(where, "table_cost", rule, most=TABLES_MAX)


def estimates(question: Question) -> int:
    """The number of estimates of a question: one for each option and method, in a grid for each item. A question in a
    draw of several has one method."""
    methods = len(mechanisms.of(question).scores) if "table" in question else 1
    return len(question.get("options", ("",))) * len(question.get("items", ("",))) * methods
