"""Asking for a regression of a release: what is refused, and the row of what is not."""

from django.contrib.auth.models import User
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from ldp.inference.variables import NotCrossed, Variable, pair_of, variable
from ldp.regression import specification
from ldp.regression.specification import NotFitted, Specification
from surveys.models import Regression, Release
from surveys.researcher.analyses.crossings.requests import REFUSALS as NOT_CROSSED
from surveys.researcher.analyses.frame import requests
from surveys.researcher.analyses.frame.requests import Refused
from surveys.researcher.analyses.regressions.selection import digest

REFUSALS: dict[str, Promise] = NOT_CROSSED | {
    "outcome": _("Choose the question that is to be explained."),
    "model": _("Choose one of the models in the list."),
    "two options": _("A logistic model needs a question with two answers: choose ordered or multinomial."),
    "scores": _("This question's answers are no numbers: take off “as a number”, or choose another model."),
    "covariates": _("Choose at least one question that explains."),
    "repeated": _("Each question can be in a model only once."),
    "reference": _("The answer that others are compared with must be one of the question's."),
    "interactions": _("A product needs two different explaining questions, and each product can be there only once."),
    "too large": _("These questions have more than 1,024 combinations of answers: choose fewer of them."),
    "mean": _("A mean can be explained, by a linear model with the ends of its scale, and explains nothing."),
    "some asked": _("One of these questions was asked of some people only, and what the others sent is made up."),
    "kept": _("This release already has as many regressions as the site keeps."),
    "waiting": _("Several regressions of this survey are being counted. Ask again when they are ready."),
}


def checked(release: Release, model: Specification) -> list[Variable]:
    """The model's variables. Refused where no regression of them is computed."""
    questions = release.survey.questions
    try:
        own = [variable(questions, key, means=True) for key in model.keys]
        specification.check(model, own)
        for place, key in enumerate(model.keys):
            for other in model.keys[:place]:
                pair_of(questions, key, other, means=True)
    except (NotCrossed, NotFitted) as refused:
        raise Refused(refused.reason) from None
    return own


def reports(release: Release, model: Specification) -> int:
    """How many reports there are of those who were asked all of the model's questions."""
    return requests.reports_about(release, model.keys)


def ask(user: User, release: Release, model: Specification) -> Regression:
    """The regression of a model, asked for unless it was; one that failed is tried again. Refused where it is not
    possible."""
    checked(release, model)
    return requests.ask(Regression, user, release, digest=digest(model), model=specification.as_json(model))
