"""The analysis that explains one question of a release by others."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ldp import search
from ldp.document import Header
from ldp.inference.variables import NotCrossed, Variable, of_all, pair_of, variable
from ldp.regression import document as regression
from ldp.regression import pair_sources, specification
from ldp.regression.document import RegressionDocument
from ldp.regression.pair_sources import FormVariables
from ldp.regression.pairs import PairsMissing
from ldp.regression.specification import NotFitted, Specification
from surveys.figures import numerals
from surveys.models import Release
from surveys.researcher.analyses.crossings.pairs import REFUSALS as NOT_CROSSED
from surveys.researcher.analyses.crossings.pairs import SOME_ASKED
from surveys.researcher.analyses.frame.combined_price import cost_sentence
from surveys.researcher.analyses.frame.counted import Counted, Description, PageWords, Paths, Title
from surveys.researcher.analyses.frame.inputs import AnalysisRefused, of_and_beside
from surveys.researcher.analyses.frame.reports import NoReports, Reports, sample, sources
from surveys.researcher.analyses.frame.selection import AnalysisSelection
from surveys.researcher.analyses.regressions import findings, input, options, pictures, planning, rows, texts
from surveys.rules.context import Context
from surveys.web.language import with_language


class Regressions(Counted[Specification]):
    name, plural, folder = "regression", "regressions", "regressions"
    paths = Paths("models", "model", "regressions", "regression")
    subject, parameter = "outcome", "model"
    picture_path = "<slug:what>-<slug:theme>-<slug:width>.<slug:format>"
    columns, document_type = rows.COLUMNS, RegressionDocument
    as_json = staticmethod(specification.as_json)
    from_json = staticmethod(specification.from_json)
    rows = staticmethod(rows.rows)
    outlook = staticmethod(planning.outlook)
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
        newest=gettext_lazy("New models can be computed only for the newest release."),
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
            "This question's answers are not numbers: untick “as a number”, or choose another model."
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
            "A mean can be explained, by a linear model with the ends of its scale, but it cannot explain another "
            "question."
        ),
        "too many": gettext_lazy("This model would have more than 64 coefficients: choose fewer questions."),
        "pairs": gettext_lazy(
            "A linear model needs every two of its questions to be asked of the same people. No one was asked both: "
            "%(pairs)s."
        ),
        "forms": gettext_lazy(
            "This model needs all of its questions to be asked of the same people, and no form asks them together. "
            "%(cost)s For a linear model without a product it is enough that every two of them are asked together."
        ),
        "some asked": SOME_ASKED,
        "kept": gettext_lazy("This release already has as many regressions as the site keeps."),
        "waiting": gettext_lazy("Several regressions of this survey are being counted. Ask again when they are ready."),
    }
    description = Description(
        tag="Models",
        listing=("Its models", "Regressions that were asked for, and how far they are."),
        document=(
            "A model",
            "Coefficients with robust standard errors and intervals, predicted shares and marginal effects, for one "
            "look at one release and for a population. A linear model without interactions is computed from pairs of "
            "its questions where forms ask some of them only: `n_pair` is then the least number of reports about two. "
            "Where there are too few reports it has a `refusal` in their place.",
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
        absent="No one has asked for this model of this release.",
    )

    def check(self, release: Release, model: Specification) -> list[Variable]:
        """Check the variables in the forms that ask all of them, unless the model is computed from pairs."""
        questions, definition = release.survey.questions, release.survey.definition
        try:
            variables = [variable(questions, key, means=True) for key in model.keys]
            by_pairs = pair_sources.is_by_pairs(definition, model)
            specification.check(model, variables, by_pairs)
            if by_pairs:
                pair_sources.check(definition, model.keys, self._forms(release, model))
                return variables
            for place, key in enumerate(model.keys):
                for other in model.keys[:place]:
                    pair_of(questions, key, other, means=True)
            return of_all(variables)
        except PairsMissing as refused:
            raise AnalysisRefused("pairs", pairs=texts.pairs(refused.pairs, variables)) from None
        except (NotCrossed, NotFitted) as refused:
            if refused.reason == "forms":
                raise AnalysisRefused("forms", cost=cost_sentence(definition, variables)) from None
            raise AnalysisRefused(refused.reason) from None

    def _forms(self, release: Release, model: Specification) -> list[FormVariables]:
        """Return the forms with reports that ask at least two of the model's questions."""
        forms = pair_sources.forms_about(release.survey.definition, model.keys)
        return [each for each in forms if release.tallies[each.form]["n"]]

    def reports(self, release: Release, model: Specification) -> int:
        if not pair_sources.is_by_pairs(release.survey.definition, model):
            return super().reports(release, model)
        return sum(release.tallies[each.form]["n"] for each in self._forms(release, model))

    def about(self, release: Release, key: str) -> Iterator[tuple[str, Specification]]:
        known = {each.key: each for each in release.variables}
        of, beside = of_and_beside([*known.values()], key)
        for one, other in product(of, beside):
            model = options.specification({"outcome": one.key, f"as.{other.key}": "categories"}, known)
            if model is not None:
                yield one.key, model

    def form(self, release: Release, data: QueryDict, sent: bool = False) -> input.RegressionInput:
        return input.RegressionInput(release, data)

    def document(self, header: Header, model: Specification, reports: Reports) -> RegressionDocument:
        survey = reports.release.survey
        variables = [variable(survey.questions, key, means=True) for key in model.keys]
        if pair_sources.is_by_pairs(survey.definition, model):
            try:
                return regression.document_of_pairs(header, model, variables, sources(reports, model.keys))
            except PairsMissing:
                raise NoReports from None
        variables = of_all(variables)
        return regression.document(header, model, variables, sample(reports, variables))

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
        refused, linear = document["refusal"] is not None, document["model"]["model"] == "linear"
        return {
            "headline": findings.headline(document, selection),
            "sentences": findings.sentences(document, selection),
            "pictures": [] if refused else [pictures.context(document, selection, what) for what in pictures.LINES],
            "picture_query": with_language(self.query(model, selection)),
            "choice": input.choice(model),
            "predicted": texts.predicted(document, selection),
            "linear": linear,
            "profile": any(row["profile"] for row in document["coefficients"]),
            "unlimited": any(None in ends for row in document["coefficients"] for ends in row["intervals"]),
            "kind": options.NAMES[document["model"]["model"]],
            "numbers": texts.numbers(document),
            "n_pair": document.get("n_pair") and numerals.count(document["n_pair"]),
            "reaches": texts.reaches(document),
            "power": numerals.percent(search.POWER),
            "n_about": numerals.count(document["n_about"]),
            "total_alpha": "" if linear else numerals.decimal(texts.total_alpha(variables)),
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


REGRESSIONS = Regressions()
