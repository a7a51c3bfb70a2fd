"""The analysis that compares the answers to all questions between groups. One question's answers make the groups."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ldp import subgroups
from ldp.document import Header
from ldp.forms.definition import questionnaire
from ldp.inference.variables import NotCrossed, Variable
from ldp.question import Drawn, asked_in
from ldp.subgroups import NoSubgroups, SubgroupsDocument, partners
from surveys.figures import numerals
from surveys.models import AnalysisRun, Release
from surveys.researcher.analyses.crossings.pairs import REFUSALS as NOT_CROSSED
from surveys.researcher.analyses.crossings.pairs import SOME_ASKED, is_apart
from surveys.researcher.analyses.frame.counted import Counted, Description, PageWords, Paths, Title
from surveys.researcher.analyses.frame.inputs import AnalysisInput, AnalysisRefused, grouped, of_and_beside, routed_of
from surveys.researcher.analyses.frame.reports import Reports, crossed
from surveys.researcher.analyses.frame.selection import AnalysisSelection
from surveys.researcher.analyses.subgroups import findings, planning, power, table
from surveys.researcher.analyses.subgroups.columns import COLUMNS
from surveys.rules.context import Context


class Stratum(NamedTuple):
    """The key of the variable whose answers make the groups."""

    stratum: str

    @property
    def keys(self) -> tuple[str, ...]:
        return (self.stratum,)


class StratumInput(AnalysisInput[Stratum]):
    def __init__(self, release: Release, data: QueryDict) -> None:
        counted = release.counted_questions
        about = [each for each in counted if "asked_if" not in each and _is_beside_another(each, counted)]
        self.routed = routed_of(counted)
        self.choices, self.stratum = grouped(about), data.get("stratum", "")
        self.alone = [each["text"] for each in counted if not _is_beside_another(each, counted)]

    def specification(self) -> Stratum:
        return Stratum(self.stratum)


def _is_beside_another(question: Drawn, questions: list[Drawn]) -> bool:
    """Return whether some form asks the question together with another."""
    forms = asked_in(question)
    here = None if forms is None else frozenset(forms)
    return any(each["key"] != question["key"] and not is_apart(here, each) for each in questions)


class Subgroups(Counted[Stratum]):
    name, plural, folder = "subgroups", "all-subgroups", "subgroups"
    paths = Paths("subgroups", "subgroups", "subgroups", "subgroups")
    subject, fields = "stratum", ("stratum",)
    columns, document_type = COLUMNS, SubgroupsDocument
    rows = staticmethod(subgroups.rows)
    outlook = staticmethod(planning.outlook)
    sheet = gettext_lazy("Subgroups")
    words = PageWords(
        short=gettext_lazy("subgroups"),
        link=gettext_lazy("Subgroups"),
        heading=gettext_lazy("Subgroups: %(title)s"),
        lead=gettext_lazy(
            "Every question by one of them: what people with each answer to it said to all the others, on one page, "
            "with intervals that hold all at once. Subgroups belong to their release for ever."
        ),
        new=gettext_lazy("Choose the question that makes the groups"),
        button=gettext_lazy("Show its groups"),
        newest=gettext_lazy("New subgroups can be counted only for the newest release."),
        appears=gettext_lazy(
            "The subgroups will appear here by themselves. You may close this page: the counting continues."
        ),
        failed=gettext_lazy("The subgroups were not counted"),
    )
    refusals = NOT_CROSSED | {
        "some asked": SOME_ASKED,
        "nothing": gettext_lazy("No other question can be crossed with this one."),
        "many shares": gettext_lazy(
            "There are more than 2,048 shares within its answers: together they would say nothing."
        ),
        "kept": gettext_lazy("This release already has as many pages of subgroups as the site keeps."),
        "waiting": gettext_lazy(
            "Several pages of subgroups of this survey are being counted. Ask again when they are ready."
        ),
    }
    description = Description(
        tag="Subgroups",
        listing=("Its subgroups", "By which strata they were asked for, and how far they are."),
        document=(
            "Every question by one stratum",
            "Shares within each answer to the stratum, with intervals that hold for all of them at once, for one look "
            "at one release. An answer that is too small a group has no shares, and says how many reports would be "
            "enough.",
        ),
        asking="Ask for subgroups",
        table=(
            "Subgroups as CSV",
            "One row for each answer, stratum and confidence, then one for each answer, difference of two strata and "
            "confidence; shares are fractions of 1.",
        ),
        answer="The subgroups.",
        specification="The question that makes the groups.",
        example={"stratum": "by_bike"},
        absent="No one has asked for subgroups of this release by this question.",
    )

    def as_json(self, specification: Stratum) -> dict[str, str]:
        return specification._asdict()

    def from_json(self, data: Any) -> Stratum:
        if not isinstance(data, dict) or data.keys() != {"stratum"} or not isinstance(data["stratum"], str):
            raise ValueError("it has a stratum, which is a key")
        return Stratum(**data)

    def check(self, release: Release, specification: Stratum) -> list[Variable]:
        """Return the stratum, then the questions shown by it."""
        try:
            stratum, others = partners(release.survey.questions, specification.stratum, release.survey.variables)
        except (NotCrossed, NoSubgroups) as refused:
            raise AnalysisRefused(refused.reason) from None
        return [stratum, *others]

    def reports(self, release: Release, specification: Stratum) -> int:
        """Return the number of reports about the stratum and another question."""
        stratum, *others = self.check(release, specification)
        whole, key = questionnaire(release.survey.definition), stratum.question["key"]
        forms = {form for other in others for form in whole.reports_about(key, other.question["key"])}
        return sum(release.tallies[form]["n"] for form in forms)

    def about(self, release: Release, key: str) -> Iterator[tuple[str, Stratum]]:
        of, _beside = of_and_beside(release.variables, key)
        return ((one.key, Stratum(one.key)) for one in of)

    def form(self, release: Release, data: QueryDict, sent: bool = False) -> StratumInput:
        return StratumInput(release, data)

    def document(self, header: Header, specification: Stratum, reports: Reports) -> SubgroupsDocument:
        questions = reports.release.survey.questions
        stratum, others = partners(questions, specification.stratum)
        return subgroups.document(header, questions, list(crossed(reports, stratum, others).values()))

    def title(self, specification: Stratum, names: Mapping[str, str]) -> Title:
        return Title("", _("All questions by"), [(names.get(specification.stratum, specification.stratum), "")])

    def page_title(self, title: Title) -> str:
        return f"{title.others[0][0]} – {self.words.short}"

    def document_context(
        self,
        release: Release,
        specification: Stratum,
        variables: Sequence[Variable],
        document: SubgroupsDocument,
        selection: AnalysisSelection,
    ) -> Context:
        place, (stratum, *others) = document["confidences"].index(selection.fraction), variables
        sentences, reasons = findings.sentences(document, place), self.refusals | _EMPTY
        if not findings.differences(document, place):
            sentences += power.sentences(release, document, stratum, others, selection.fraction)
        return {
            "headline": findings.headline(document, place),
            "sentences": sentences,
            "parts": table.parts(document, place),
            "left_out": [(each["text"], reasons[each["reason"]]) for each in document["left_out"]],
            "together": numerals.integer(document["together"]),
            "compared": numerals.integer(document["compared"]),
            "error": numerals.percent(round(1 - selection.fraction, 4)),
            "jointly": all(question["joint"] for question in document["questions"]),
        }


SUBGROUPS = Subgroups()
_EMPTY = {"nobody": AnalysisRun.Reason.NOBODY.label}
