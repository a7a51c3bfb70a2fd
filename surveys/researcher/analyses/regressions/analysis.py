"""One question of a release explained by others."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ldp import search
from ldp.document import Header
from ldp.inference.variables import NotCrossed, Variable, of_all, pair_of, variable
from ldp.regression import document as regression
from ldp.regression import specification
from ldp.regression.document import RegressionDocument
from ldp.regression.specification import NotFitted, Specification
from ldp.tidy import Row
from surveys.figures import numerals
from surveys.models import Release
from surveys.researcher.analyses.crossings.pairs import REFUSALS as NOT_CROSSED
from surveys.researcher.analyses.frame.counted import Counted, Description, PageWords, Paths, Title
from surveys.researcher.analyses.frame.inputs import AnalysisRefused
from surveys.researcher.analyses.frame.planning import PairOutlook, QuestionPlan
from surveys.researcher.analyses.frame.reports import Reports, sample
from surveys.researcher.analyses.frame.selection import AnalysisSelection
from surveys.researcher.analyses.regressions import findings, input, options, pictures, planning, rows, texts
from surveys.rules.context import Context
from surveys.web.language import with_language


class Regressions(Counted[Specification]):
    name, plural, folder = "regression", "regressions", "regressions"
    paths = Paths("models", "model", "regressions", "regression")
    parameter = "model"
    picture_path = "<slug:what>-<slug:theme>-<slug:width>.<slug:format>"
    columns, document_type = rows.COLUMNS, RegressionDocument
    sheet = gettext_lazy("Models")
    words = PageWords(
        short=gettext_lazy("models"),
        link=gettext_lazy("Models"),
        heading=gettext_lazy("Models: %(title)s"),
        lead=gettext_lazy(
            "One question explained by others: which answers go with which, while the other questions stay as they "
            "are. Every answer in it was randomized, and the model takes that into account. A model belongs to its "
            "release for ever."
        ),
        new=gettext_lazy("Explain a question"),
        button=gettext_lazy("Compute the model"),
        newest=gettext_lazy("New models can be computed only of the newest release."),
        appears=gettext_lazy("The model will appear here by itself. You may close this page: the counting continues."),
        failed=gettext_lazy("The model was not computed"),
    )
    refusals = NOT_CROSSED | {
        "outcome": gettext_lazy("Choose the question that is to be explained."),
        "model": gettext_lazy("Choose one of the models in the list."),
        "two options": gettext_lazy(
            "A logistic model needs a question with two answers: choose ordered or multinomial."
        ),
        "scores": gettext_lazy(
            "This question's answers are no numbers: take off “as a number”, or choose another model."
        ),
        "covariates": gettext_lazy("Choose at least one question that explains."),
        "repeated": gettext_lazy("Each question can be in a model only once."),
        "reference": gettext_lazy("The answer that others are compared with must be one of the question's."),
        "interactions": gettext_lazy(
            "A product needs two different explaining questions, and each product can be there only once."
        ),
        "too large": gettext_lazy(
            "These questions have more than 1,024 combinations of answers: choose fewer of them."
        ),
        "mean": gettext_lazy(
            "A mean can be explained, by a linear model with the ends of its scale, and explains nothing."
        ),
        "some asked": gettext_lazy(
            "One of these questions was asked of some people only, and what the others sent is made up."
        ),
        "kept": gettext_lazy("This release already has as many regressions as the site keeps."),
        "waiting": gettext_lazy("Several regressions of this survey are being counted. Ask again when they are ready."),
    }
    description = Description(
        tag="Models",
        listing=("Its models", "Regressions that were asked for, and how far they are."),
        document=(
            "A model",
            "Coefficients with robust standard errors and intervals, predicted shares and marginal effects, for one "
            "look at one release and for a population. Where there are too few reports it has a `refusal` in their "
            "place.",
        ),
        asking="Ask for a model",
        table=(
            "A model as CSV",
            "One row for each coefficient, predicted share and marginal effect, and confidence; shares are fractions "
            "of 1.",
        ),
        answer="The model.",
        specification="What explains what.",
        example={"model": "logistic", "outcome": "by_bike", "covariates": [{"key": "reasons.2"}]},
        parameter="The model as JSON: `model` (linear, logistic, multinomial or ordered), `outcome`, `covariates` with "
        "`key` and either `scores` or the place of a `reference`, `interactions` as pairs of keys, and for a linear "
        "model the outcome's `scores`: "
        '{"model":"logistic","outcome":"by_bike","covariates":[{"key":"reasons.2"}]}.',
        absent="Nobody has asked for this model of this release.",
    )

    def as_json(self, model: Specification) -> dict[str, Any]:
        return specification.as_json(model)

    def from_json(self, data: Any) -> Specification:
        return specification.from_json(data)

    def check(self, release: Release, model: Specification) -> list[Variable]:
        questions = release.survey.questions
        try:
            variables = [variable(questions, key, means=True) for key in model.keys]
            specification.check(model, variables)
            for place, key in enumerate(model.keys):
                for other in model.keys[:place]:
                    pair_of(questions, key, other, means=True)
            return of_all(variables)
        except (NotCrossed, NotFitted) as refused:
            raise AnalysisRefused(refused.reason) from None

    def form(self, release: Release, data: QueryDict, sent: bool = False) -> input.RegressionInput:
        return input.RegressionInput(release, data)

    def document(self, header: Header, model: Specification, reports: Reports) -> RegressionDocument:
        variables = of_all([variable(reports.release.survey.questions, key, means=True) for key in model.keys])
        return regression.document(header, model, variables, sample(reports, variables))

    def rows(self, document: RegressionDocument) -> Iterable[Row]:
        return rows.rows(document)

    def title(self, model: Specification, names: Mapping[str, str]) -> Title:
        others = [
            (names.get(each.key, each.key), "" if each.scores is None else _("as a number"))
            for each in model.covariates
        ]
        return Title(names.get(model.outcome, model.outcome), _("by"), others, str(options.NAMES[model.model]))

    def page_title(self, title: Title) -> str:
        return " – ".join([title.subject, _("model")])

    def document_context(
        self,
        release: Release,
        model: Specification,
        variables: Sequence[Variable],
        document: RegressionDocument,
        selection: AnalysisSelection,
    ) -> Context:
        refused = document["refusal"] is not None
        return {
            "headline": findings.headline(document, selection),
            "sentences": findings.sentences(document, selection),
            "pictures": [] if refused else [pictures.context(document, selection, what) for what in pictures.LINES],
            "picture_query": with_language(self.query(model, selection)),
            "choice": input.choice(model),
            "predicted": texts.predicted(document, selection),
            "linear": document["model"]["model"] == "linear",
            "profile": any(row["profile"] for row in document["coefficients"]),
            "unlimited": any(None in ends for row in document["coefficients"] for ends in row["intervals"]),
            "kind": options.NAMES[document["model"]["model"]],
            "numbers": texts.numbers(document),
            "reaches": texts.reaches(document),
            "power": numerals.percent(search.POWER),
            "n_about": numerals.count(document["n_about"]),
            "total_alpha": numerals.decimal(texts.total_alpha(variables)),
        }

    def picture(
        self,
        request: HttpRequest,
        document: RegressionDocument,
        selection: AnalysisSelection,
        name: Sequence[object],
        **which: str,
    ) -> HttpResponse:
        return pictures.respond(request, document, selection, name, which)

    def outlook(self, questions: Sequence[QuestionPlan], data: QueryDict, n: int) -> PairOutlook | None:
        return planning.outlook(questions, data, n)


REGRESSIONS = Regressions()
