"""The form in which somebody chooses a question and types the known shares of several others."""

from collections.abc import Sequence

from django.http import QueryDict

from ldp.inference.variables import Variable
from ldp.weighting.margins import Margin, Margins
from surveys.researcher.analyses.frame.requests import Refused
from surveys.researcher.analyses.subgroups.table import option_texts
from surveys.researcher.analyses.weighting.forms import KnownSharesForm


class RakingForm:
    """`question` is the key of the one that is weighted, `by` are those of the questions whose shares are known. A part
    for each of these is there once two are chosen, of a mean one; `sent` is whether their shares were."""

    def __init__(self, query: QueryDict, variables: Sequence[Variable], sent: bool = False) -> None:
        self.variables = variables
        self.question, self.by = query.get("question", ""), query.getlist("by")
        self.with_shares = [variable for variable in variables if not variable.scale]
        known = [each for each in self.with_shares if each.key in self.by and each.key != self.question]
        least = 1 if any(each.scale for each in variables if each.key == self.question) else 2
        self.parts = [(each, _shares(query, each, sent)) for each in known if len(known) >= least]
        self.error = ""

    @property
    def text(self) -> str:
        """The question's."""
        return next((each.text for each in self.variables if each.key == self.question), "")

    def is_valid(self) -> bool:
        """All parts are validated, so that all errors are shown at once."""
        valid = [part.is_valid() for _, part in self.parts]
        return all(valid)

    def margins(self) -> Margins:
        """What a valid form names. Refused where a question is missing."""
        if not self.text:
            raise Refused("question")
        return Margins(self.question, tuple(Margin(each.key, tuple(part.shares())) for each, part in self.parts))


def _shares(query: QueryDict, variable: Variable, sent: bool) -> KnownSharesForm:
    return KnownSharesForm(query, option_texts(variable.options), prefix=variable.key, sent=sent)
