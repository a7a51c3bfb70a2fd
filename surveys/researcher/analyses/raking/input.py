"""The form that selects a question and takes the known shares of several others."""

from django.http import QueryDict

from ldp.inference.variables import Variable, with_means
from ldp.question import Drawn
from ldp.weighting.margins import Margin, Margins
from surveys.models import Release
from surveys.researcher.analyses.frame.inputs import AnalysisInput, AnalysisRefused, option_texts, routed_of
from surveys.researcher.analyses.weighting.inputs import KnownSharesInput


class RakingInput(AnalysisInput[Margins]):
    """`question` is the key of the weighted question; `by` has the keys of the questions with known shares.

    The form has a part for each of these if there are at least two, or one if a mean is weighted. `sent` is true if the
    shares were submitted.
    """

    def __init__(self, release: Release, data: QueryDict, sent: bool = False) -> None:
        self.variables = eligible(release.counted_questions)
        self.routed = routed_of(release.counted_questions)
        self.question, self.by = data.get("question", ""), data.getlist("by")
        self.with_shares = [variable for variable in self.variables if not variable.scale]
        known = [each for each in self.with_shares if each.key in self.by and each.key != self.question]
        least = 1 if any(each.scale for each in self.variables if each.key == self.question) else 2
        forms = [(each, _shares(data, each, sent)) for each in known if len(known) >= least]
        self.parts = [(by, form, [{"box": box} for box in form.boxes()]) for by, form in forms]
        self.without_place = [question["text"] for question in _without_place(release.survey.questions)]

    @property
    def text(self) -> str:
        """Return the text of the weighted question."""
        return next((variable.text for variable in self.variables if variable.key == self.question), "")

    def is_valid(self) -> bool:
        """Return whether all parts are valid. Every part is validated, so that all errors appear at once."""
        valid = [form.is_valid() for _, form, _ in self.parts]
        return all(valid)

    def specification(self) -> Margins:
        if not self.text:
            raise AnalysisRefused("question")
        return Margins(self.question, tuple(Margin(by.key, tuple(form.shares())) for by, form, _ in self.parts))


def eligible(questions: list[Drawn]) -> list[Variable]:
    """Return the variables that can be weighted. All but means can also have known shares."""
    return [variable for variable in with_means(questions) if "asked_if" not in variable.question]


def _without_place(questions: list[Drawn]) -> list[Drawn]:
    """Return the means that cannot be weighted: noise on a number hides how it relates to other answers."""
    weighted = {variable.question["key"] for variable in with_means(questions)}
    return [question for question in questions if "asked_if" not in question and question["key"] not in weighted]


def _shares(data: QueryDict, variable: Variable, sent: bool) -> KnownSharesInput:
    return KnownSharesInput(data, option_texts(variable.options), prefix=variable.key, sent=sent)
