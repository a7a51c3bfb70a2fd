"""The analysis that crosses two questions of a release in one table."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ldp import crossing
from ldp.crossing import CrossingDocument, Side
from ldp.document import Header
from ldp.honesty import attention
from ldp.inference.variables import Variable, pair_of
from ldp.tidy import Row
from surveys.figures import heat, numerals
from surveys.figures.heat import Heat, HeatCell
from surveys.figures.themes import THEMES
from surveys.models import Release
from surveys.researcher.analyses.crossings import findings, outlook, pairs, planning
from surveys.researcher.analyses.crossings.columns import COLUMNS
from surveys.researcher.analyses.crossings.grid import SHARES, depends, grid, options, pairs_tested
from surveys.researcher.analyses.crossings.pairs import REFUSALS, CrossedQuestions, partners
from surveys.researcher.analyses.frame.counted import Counted, Description, PageWords, Paths, Title
from surveys.researcher.analyses.frame.inputs import AnalysisInput, Choices, grouped, of_and_beside
from surveys.researcher.analyses.frame.reports import Reports, crossed, reached_cells
from surveys.researcher.analyses.frame.selection import AnalysisSelection
from surveys.researcher.results import response_cache, responses, routing
from surveys.rules.context import Context
from surveys.web.language import with_language


class PairInput(AnalysisInput[CrossedQuestions]):
    """The form that selects two questions.

    `choices` are the options for the first, `partners` those for the second. `apart` has the texts of the questions
    that no form asks together with the first, `refused` the texts of others and why they have no table.
    """

    def __init__(self, release: Release, data: QueryDict, sent: bool) -> None:
        self.choices = grouped(release.counted_questions)
        self.first = data.get("first", "") if sent else _first(self.choices, data.get("first"))
        self.partners, self.apart, self.refused = partners(release, self.first)
        self.second = data.get("second", "") if sent else _second(self.partners, self.first)

    def specification(self) -> CrossedQuestions:
        return CrossedQuestions(self.first, self.second)


class Crossings(Counted[CrossedQuestions]):
    name, plural, folder = "crossing", "crossings", "crossings"
    paths = Paths("cross", "cross", "crossings", "crossings")
    subject, fields = "first", ("first", "second")
    picture_path = "heat-<slug:theme>.svg"
    refusals, columns, document_type = REFUSALS, COLUMNS, CrossingDocument
    outlook = staticmethod(planning.outlook)
    shares = {str(name): text for name, text in SHARES.items()}
    sheet = gettext_lazy("Cross-tables")
    words = PageWords(
        short=gettext_lazy("cross-tables"),
        link=gettext_lazy("Cross-tables"),
        heading=gettext_lazy("Cross-tables: %(title)s"),
        lead=gettext_lazy(
            "Two questions in one table: which answers come together, and what people with one answer said to the "
            "other question. A cross-table belongs to its release for ever."
        ),
        new=gettext_lazy("Cross two questions"),
        button=gettext_lazy("Make the table"),
        newest=gettext_lazy("New cross-tables can be made only for the newest release."),
        appears=gettext_lazy("The table will appear here by itself. You may close this page: the counting continues."),
        failed=gettext_lazy("The table was not made"),
    )
    description = Description(
        tag="Cross-tables",
        listing=("Its cross-tables", "Those that were asked for, and how far they are."),
        document=(
            "A cross-table",
            "Joint shares of two questions, items or options, shares within each answer, intervals, tests of "
            "independence, and the counts that they follow from. Intervals and tests are for one look at one release, "
            "also while a survey is open.",
        ),
        asking="Ask for a cross-table",
        table=(
            "A cross-table as CSV",
            "One row for each cell, quantity and confidence; shares are fractions of 1.",
        ),
        answer="The cross-table.",
        specification="The two are in the order of the definition.",
        example={"first": "by_bike", "second": "reasons.2"},
        absent="No one has asked for this cross-table of this release.",
        moved="The definition has the two in the other order: use that URL.",
    )

    def as_json(self, specification: CrossedQuestions) -> dict[str, str]:
        return specification._asdict()

    def from_json(self, data: Any) -> CrossedQuestions:
        return CrossedQuestions.from_json(data)

    def check(self, release: Release, specification: CrossedQuestions) -> tuple[Variable, Variable]:
        return pairs.ordered(release, *specification)

    def ordered(self, release: Release, specification: CrossedQuestions) -> CrossedQuestions:
        first, second = pairs.ordered(release, *specification)
        return CrossedQuestions(first.key, second.key)

    def about(self, release: Release, key: str) -> Iterator[tuple[str, CrossedQuestions]]:
        of, beside = of_and_beside(release.variables, key)
        return ((one.key, CrossedQuestions(one.key, other.key)) for one, other in product(of, beside))

    def form(self, release: Release, data: QueryDict, sent: bool = False) -> PairInput:
        return PairInput(release, data, sent)

    def document(self, header: Header, specification: CrossedQuestions, reports: Reports) -> CrossingDocument:
        questions = reports.release.survey.questions
        first, second = pair_of(questions, *specification)
        if pair := pairs.reached(questions, (first, second)):
            return crossing.document(header, reached_cells(reports, pair), pair.statistic())
        return crossing.document(header, crossed(reports, first, [second])[second.key])

    def published(self, document: CrossingDocument) -> CrossingDocument:
        """Return the document with a sentence in place of each missing p-value."""
        cells = None if pairs_tested(document) else findings.untested(document)
        independence = None
        if document["independence"] is None:
            independence = findings.untested(document) if "asked" in document else str(findings.TOO_FEW)
        return {**document, "reasons": {"cells": cells, "independence": independence}}

    def rows(self, document: CrossingDocument) -> Iterable[Row]:
        """Return a row for each cell, quantity and confidence (ldp/crossing.py)."""
        return crossing.rows(self.published(document))

    def title(self, specification: CrossedQuestions, names: Mapping[str, str]) -> Title:
        first, second = (names.get(key, key) for key in specification)
        return Title(first, _("by"), [(second, "")])

    def page_title(self, title: Title) -> str:
        return f"{title.subject} – {title.others[0][0]}"

    def context(self, release: Release, variables: Sequence[Variable]) -> Context:
        first, second = variables
        return {
            "first": first,
            "second": second,
            "all": numerals.count(release.n),
            "anchors": [
                {"by": one.key, "question": other.text} for one, other in attention.correcting((first, second))
            ],
        }

    def document_context(
        self,
        release: Release,
        specification: CrossedQuestions,
        variables: Sequence[Variable],
        document: CrossingDocument,
        selection: AnalysisSelection,
    ) -> Context:
        first, second = variables
        by: findings.Side = "first" if "asked_if" in second.question else "second"
        sentences, is_asked = findings.sentences(document, selection, by), "asked" in document
        share = pairs.share(release, (first, second), document["n_about"], self.reports(release, specification))
        picture, test = _heat(document, selection), document["independence"]
        width, height = heat.size(picture)
        query = with_language(self.query(specification, selection))
        return {
            "headline": findings.headline(document, selection),
            "sentences": sentences + _outlook(release, (first, second), document, selection, share),
            "level": numerals.percent(selection.fraction),
            "error": numerals.percent(round(1 - selection.fraction, 4)),
            "grid": grid(document, selection),
            "untested": "" if pairs_tested(document) else findings.untested(document),
            "jointly": document["joint"],
            "asked": _share_reached(document, selection) if is_asked else "",
            "routed": routing.beside((one.question for one in variables), release.survey.questions),
            "picture": {"width": width, "height": height, "title": picture.title, "query": query},
            "margins": [_margin(document[side]) for side in ("first", "second")],
            "n_about": numerals.count(document["n_about"]),
            "p_value": None if test is None else numerals.small(test["p_value"], 2),
            "kinds_of_shares": [
                (name, label, self.query(specification, selection._replace(shares=name)))
                for name, label in SHARES.items()
            ],
        }

    def picture(
        self, request: HttpRequest, document: CrossingDocument, selection: AnalysisSelection, name: object, **which: str
    ) -> HttpResponse:
        """Return the heat map, as SVG."""
        if which["theme"] not in THEMES:
            raise Http404
        svg = response_cache.content(heat.draw(_heat(document, selection), which["theme"]))
        return responses.private(response_cache.respond(request, svg, "image/svg+xml"))


def _keys(choices: Choices) -> list[str]:
    return [key for _, members in choices for key, _ in members]


def _first(choices: Choices, wanted: str | None) -> str:
    keys = _keys(choices)
    return next((key for key in keys if wanted in (key, key.partition(".")[0])), keys[0] if keys else "")


def _second(choices: Choices, first: str) -> str:
    """Return the first variable of another question; empty without one."""
    return next((key for key in _keys(choices) if key.partition(".")[0] != first.partition(".")[0]), "")


CROSSINGS = Crossings()


def _heat(document: CrossingDocument, selection: AnalysisSelection) -> Heat:
    table = grid(document, selection)
    largest = table.largest or 1.0
    cells = [
        [HeatCell(cell.estimate, cell.interval, cell.value / largest, cell.above) for cell in row]
        for row in table.cells
    ]
    names = document["first"]["text"], document["second"]["text"]
    words = {"first": names[0], "second": names[1], "level": selection.confidence}
    title = _("%(first)s by %(second)s: shares in percent, with %(level)s%% intervals") % words
    return Heat(title, *names, table.rows, table.columns, cells)


def _outlook(
    release: Release,
    pair: tuple[Variable, Variable],
    document: CrossingDocument,
    selection: AnalysisSelection,
    share: float,
) -> list[str]:
    """Return what would show dependence, if the table shows none."""
    if "asked" in document or depends(document, selection):
        return []
    sides, counted = (options(document["first"]), options(document["second"])), pairs.rebuilt(release, pair, document)
    reach = outlook.of(document, selection.fraction)
    return outlook.sentences(reach, counted, *sides, share)


def _share_reached(document: CrossingDocument, selection: AnalysisSelection) -> str:
    """Return the share of people who were asked both questions, with its interval."""
    reach = document["asked"]
    interval = reach["share"]["levels"][document["confidences"].index(selection.fraction)]["interval"]
    digits = min(1, numerals.decimals_for(reach["standard_error"]))
    low, high = numerals.outward(100 * interval[0], 100 * interval[1], digits)
    words = {"share": numerals.share(reach["share"]["estimate"], digits), "low": low, "high": high}
    return _("%(share)s%% of all people (%(low)s to %(high)s%%)") % words


def _margin(side: Side) -> list[tuple[str, str]]:
    errors = [category["standard_error"] for category in side["categories"]]
    decimals = min(1, numerals.decimals_for(max(errors)))
    shares = (numerals.share(category["estimate"], decimals) for category in side["categories"])
    return list(zip(options(side), shares, strict=True))
