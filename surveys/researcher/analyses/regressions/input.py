"""The form that selects an outcome, a model and covariates."""

from django.http import QueryDict
from django.utils.http import urlencode

from ldp.regression.specification import Specification
from surveys.models import Release
from surveys.researcher.analyses.crossings.pairs import is_apart
from surveys.researcher.analyses.frame.inputs import AnalysisInput, AnalysisRefused, routed_of
from surveys.researcher.analyses.regressions import options
from surveys.rules.context import Context

FIELDS = ("outcome", "kind", "product", "by")  # and one more field for each possible covariate


class RegressionInput(AnalysisInput[Specification]):
    def __init__(self, release: Release, data: QueryDict) -> None:
        self._data = {name: data.get(name, "") for name in data if name in FIELDS or name.startswith("as.")}
        self._known = {variable.key: variable for variable in options.eligible(release.survey.questions)}
        self.outcome, self.kind, self.product, self.by = (self._data.get(name, "") for name in FIELDS)
        self.outcomes = options.eligible(release.counted_questions)
        self.routed = routed_of(release.counted_questions)
        self.outcome = self.outcome or next((variable.key for variable in self.outcomes), "")
        self.kinds, self.choice = options.NAMES.items(), urlencode(self._data)
        outcome = self._known.get(self.outcome)
        forms = outcome.forms if outcome else None
        self.apart = [each.text for each in self.outcomes if each.scale is None and is_apart(forms, each.question)]
        self.covariates: list[Context] = [
            {
                "key": variable.key,
                "text": variable.text,
                "role": self._data.get(f"as.{variable.key}", ""),
                "number": bool(options.scores(variable)),
            }
            for variable in self.outcomes
            if variable.scale is None and variable.key != self.outcome and not is_apart(forms, variable.question)
        ]

    def specification(self) -> Specification:
        model = options.specification(self._data, self._known)
        if model is None:
            raise AnalysisRefused("outcome")
        return model


def choice(model: Specification) -> str:
    """Return the query that fills the form with this model."""
    fields = [("outcome", model.outcome), ("kind", model.model)]
    fields += [(f"as.{each.key}", "categories" if each.scores is None else "scores") for each in model.covariates]
    for first, second in model.interactions[:1]:
        fields += [("product", first), ("by", second)]
    return urlencode(fields)
