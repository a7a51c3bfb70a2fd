"""The analysis that weights a question by the known shares of several others at once."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ldp.document import Header
from ldp.inference.variables import NotCrossed, Variable, of_all, pair_of
from ldp.weighting import margins, raking_document
from ldp.weighting.margins import Margin, Margins, NotWeighted
from ldp.weighting.raking_document import KnownQuestion, RakingDocument
from surveys.figures import numerals
from surveys.models import Release
from surveys.researcher.analyses.crossings.pairs import REFUSALS as NOT_CROSSED
from surveys.researcher.analyses.crossings.pairs import SOME_ASKED
from surveys.researcher.analyses.frame.combined_price import cost_sentence
from surveys.researcher.analyses.frame.counted import Counted, Description, PageWords, Paths, Title
from surveys.researcher.analyses.frame.inputs import AnalysisRefused, of_and_beside, option_texts
from surveys.researcher.analyses.frame.reports import Reports, crossed, sample
from surveys.researcher.analyses.frame.selection import AnalysisSelection
from surveys.researcher.analyses.raking import planning
from surveys.researcher.analyses.raking.input import RakingInput
from surveys.researcher.analyses.weighting import presentation
from surveys.researcher.analyses.weighting.columns import COLUMNS
from surveys.researcher.analyses.weighting.pasted import with_files
from surveys.rules.context import Context


class Rakings(Counted[Margins]):
    name, plural, folder = "raking", "rakings", "raking"
    paths = Paths("weights", "weighted", "rakings", "raking")
    subject, parameter = "question", "margins"
    columns, document_type = COLUMNS, RakingDocument
    as_json = staticmethod(margins.as_json)
    from_json = staticmethod(margins.from_json)
    rows = staticmethod(raking_document.rows)
    outlook = staticmethod(planning.outlook)
    sheet = gettext_lazy("Weighted shares")
    is_about_sample = False
    words = PageWords(
        short=gettext_lazy("weighted questions"),
        link=gettext_lazy("Weighted questions"),
        heading=gettext_lazy("Weighted questions: %(title)s"),
        lead=gettext_lazy(
            "Respondents seldom mirror the population. If you know how common the answers to several questions are "
            "there, the shares of another question can be weighted by all of them at once. The weights belong to "
            "answers: no one knows who gave which, and no respondent has a weight."
        ),
        new=gettext_lazy("Weight a question"),
        button=gettext_lazy("Show weighted shares"),
        newest=gettext_lazy("New weighted questions can be counted only for the newest release."),
        appears=gettext_lazy(
            "The weighted shares will appear here by themselves. You may close this page: the counting continues."
        ),
        failed=gettext_lazy("The shares were not weighted"),
    )
    refusals = NOT_CROSSED | {
        "question": gettext_lazy("Choose the question whose shares are to be weighted."),
        "margins": gettext_lazy(
            "Type the known shares of at least two questions, or of one to weight a mean. To weight shares by "
            "one question, use a cross-table."
        ),
        "repeated": gettext_lazy("Each question can be chosen only once, as the weighted one or with known shares."),
        "shares": gettext_lazy("Known shares must be one for each answer, none below 0, and add up to 100%."),
        "too large": gettext_lazy(
            "These questions have more than 1,024 combinations of answers: choose fewer of them."
        ),
        "forms": gettext_lazy(
            "The weights need all of these questions to be asked of the same people, and no form asks them together. "
            "%(cost)s"
        ),
        "some asked": SOME_ASKED,
        "channels": gettext_lazy(
            "Several forms ask all of these and randomize them in different ways. To weight by two questions or more, "
            "the question that is weighted and every question with known shares must be in a single form."
        ),
        "kept": gettext_lazy("This release already has as many weighted questions as the site keeps."),
        "waiting": gettext_lazy(
            "Several weighted questions of this survey are being counted. Ask again when they are ready."
        ),
    }
    description = Description(
        tag="Weights",
        listing=(
            "Its weighted questions",
            "Questions that were weighted by several known margins, and how far they are.",
        ),
        document=(
            "A question weighted by several margins",
            "Its shares weighted by raking, with standard errors and intervals for the population, the unweighted "
            "shares, design effects and effective numbers of answers, and where answers are numbers the mean; of a "
            "question that is averaged by one bit the mean alone, also by one margin. For one look at one release. "
            "Where there are too few reports it has a `refusal` in their place.",
        ),
        asking="Ask for a weighted question",
        table=(
            "A question weighted by several margins, as CSV",
            "One row for each answer and confidence; shares are fractions of 1.",
        ),
        answer="The weighted shares.",
        specification="What is weighted by which known shares.",
        example={
            "question": "by_bike",
            "margins": [{"key": "town", "shares": [0.4, 0.6]}, {"key": "age", "shares": [0.3, 0.5, 0.2]}],
        },
        parameter="What is weighted, as JSON: `question`, and `margins` with `key` and `shares`, one for each answer "
        'in their order, as fractions that add up to 1: {"question":"by_bike","margins":[{"key":"town","shares":[0.4,'
        '0.6]},{"key":"age","shares":[0.3,0.5,0.2]}]}. The shares are kept with the release.',
    )

    def check(self, release: Release, known: Margins) -> list[Variable]:
        """Return the variables with known shares, then the weighted variable."""
        questions = release.survey.questions
        try:
            variables = margins.variables(known, questions)
            margins.check(known, variables)
            for first, second in combinations(known.keys, 2):
                pair_of(questions, first, second, means=second == known.question)
            alike = _of_one_channel(known, variables)
            if alike is None:
                margin, question = known.keys
                return [*pair_of(questions, margin, question, means=True)]
            return alike
        except (NotCrossed, NotWeighted) as refused:
            if refused.reason == "forms":
                raise AnalysisRefused("forms", cost=cost_sentence(release.survey.definition, variables)) from None
            raise AnalysisRefused(refused.reason) from None

    def about(self, release: Release, key: str) -> Iterator[tuple[str, Margins]]:
        of, beside = of_and_beside(release.variables, key)
        for one in of:
            for several in combinations(beside, 1 if one.scale else 2):
                known = tuple(Margin(each.key, (1 / len(each.options),) * len(each.options)) for each in several)
                yield one.key, Margins(one.key, known)

    def form(self, release: Release, data: QueryDict, sent: bool = False) -> RakingInput:
        form = RakingInput(release, data, sent)
        if form.parts:
            form.heading = _("Known shares to weight “%(question)s” by") % {"question": form.text}
        elif "next" in data and not sent:
            form.error = str(self.refusals["margins"])
        return form

    def sent(self, request: HttpRequest) -> QueryDict:
        return with_files(request.POST, request.FILES)

    def document(self, header: Header, known: Margins, reports: Reports) -> RakingDocument:
        variables = margins.variables(known, reports.release.survey.questions)
        alike = _of_one_channel(known, variables)
        if alike is None:
            *others, question = variables
            return raking_document.by_one_margin(header, known, crossed(reports, others[0], [question])[question.key])
        return raking_document.document(header, known, alike, sample(reports, alike))

    def title(self, known: Margins, names: Mapping[str, str]) -> Title:
        *others, question = (names.get(key, key) for key in known.keys)
        return Title(question, _("weighted by"), [(name, "") for name in others])

    def page_title(self, title: Title) -> str:
        return _("Weighted: %(question)s") % {"question": title.subject}

    def document_context(
        self,
        release: Release,
        known: Margins,
        variables: Sequence[Variable],
        document: RakingDocument,
        selection: AnalysisSelection,
    ) -> Context:
        context: Context = {
            "n_about": numerals.count(document["n_about"]),
            "margins": [_margin(margin) for margin in document["margins"]],
        }
        if document["refusal"] is not None:
            needed = document["refusal"]["needed"]
            return context | {"needed": None if needed is None else numerals.integer(needed)}
        options = option_texts(document["options"])
        return context | presentation.context(document, variables[-1], options, selection.fraction)


RAKINGS = Rakings()


def _of_one_channel(known: Margins, variables: list[Variable]) -> list[Variable] | None:
    """Return the variables as every form asks them; None if a single margin's forms randomize in different ways. Raise
    NotCrossed for several margins."""
    try:
        return of_all(variables)
    except NotCrossed:
        if len(known.known) > 1:
            raise
        return None


def _margin(known: KnownQuestion) -> Context:
    """Return a question with each answer's known share and its estimate."""
    strata = known["strata"]
    decimals = min(1, numerals.decimals_for(max(stratum["standard_error"] for stratum in strata)))
    names = option_texts([stratum["option"] for stratum in strata])
    rows = [
        (name, numerals.share(stratum["share"], 1), numerals.share(stratum["estimate"], decimals))
        for name, stratum in zip(names, strata, strict=True)
    ]
    return {"key": known["key"], "text": known["text"], "rows": rows}
