"""The page of attention and honesty, and the page of a corrected question. Anyone who may see the results may see both.
A known share is only in the URL."""

from typing import NamedTuple
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from ldp.confidences import PERCENTS
from ldp.honesty.attention import TooInattentive, correcting
from ldp.honesty.document import CorrectedDocument, document
from ldp.honesty.known import KnownComparison
from ldp.inference.intervals import Interval
from ldp.inference.variables import Variable
from surveys.access import has_role
from surveys.figures import numerals
from surveys.models import Release, Role
from surveys.researcher.analyses.crossings import pairs
from surveys.researcher.analyses.crossings.grid import options
from surveys.researcher.analyses.frame import findings
from surveys.researcher.analyses.frame.inputs import AnalysisRefused
from surveys.researcher.analyses.frame.selection import AnalysisSelection
from surveys.researcher.analyses.honesty import anchors, sentences
from surveys.researcher.analyses.honesty.inputs import KnownShareInput
from surveys.researcher.analyses.weighting.table import WeightingTable, of_release
from surveys.researcher.results import responses
from surveys.rules.context import Context


@require_safe
def overview(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show each attention question with its attention and correctable questions, and a share against a known one."""
    release, choice = responses.release_of(request, slug, number), AnalysisSelection.read(request.GET)
    form = KnownShareInput(request.GET, release)
    context: Context = {"survey": release.survey, "release": release, "chosen": choice, "confidences": PERCENTS}
    context |= {"anchors": [_anchor(release, each, choice.fraction) for each in anchors.anchors(release)]}
    context |= {"may_ask": has_role(request.user, release.survey, Role.RESEARCHER) and release.is_newest()}
    context |= {"form": form, "known": _known(form, choice), "query": urlencode(form.data)}
    context |= {"one_look": findings.for_one_look(release), "level": numerals.percent(choice.fraction)}
    return responses.private(render(request, "researcher/honesty/overview.html", context))


def _anchor(release: Release, anchor: Variable, confidence: float) -> Context:
    ready = {frozenset(pair) for pair in anchors.ready_pairs(release)}
    others = [(pairs.ordered(release, anchor.key, each.key), each) for each in anchors.correctable(release, anchor)]
    return {
        "key": anchor.key,
        "text": anchor.text,
        "right": anchor.options[anchor.question["right"]],
        "sentence": sentences.attention(anchors.of_anchor(release, anchor, confidence)),
        "others": [
            {"first": one.key, "second": two.key, "text": each.text, "ready": {one.key, two.key} in ready}
            for (one, two), each in others
        ],
    }


def _known(form: KnownShareInput, choice: AnalysisSelection) -> Context | None:
    """Return the comparison of an answer with its known share; None without a valid share."""
    if not form.is_valid():
        return None
    made = form.document()
    level = next(each for each in made["levels"] if each["confidence"] == choice.fraction)
    low, high = level["interval"]
    decimals = min(1, numerals.decimals_for((high - low) / 4))
    known, confidence = numerals.decimal(form.known), numerals.percent(choice.fraction)
    of = KnownComparison(made["difference"], Interval(*level["difference"]))
    return {
        "question": made["text"],
        "answer": made["option"],
        "known": known,
        "estimate": numerals.share(made["estimate"], decimals),
        "interval": numerals.span((low, high), decimals),
        "sentences": [
            *sentences.against_known(of, made["option"], known, confidence),
            *([] if of.direction else sentences.power(form.selected().released, made["known"], choice.fraction)),
        ],
    }


@require_safe
def page(request: HttpRequest, slug: str, number: int, first: str, second: str) -> HttpResponse:
    """Show corrected and uncorrected shares. Redirect to the cross-table's page if the cross-table is missing."""
    release = responses.release_of(request, slug, number)
    table = corrected_table(release, first, second, request.GET.get("by", ""))
    if table is None:
        return redirect("release-crossing", slug, number, first, second)
    choice = AnalysisSelection.read(request.GET)
    anchor = table.crossing.first
    context: Context = {"survey": release.survey, "release": release, "pair": (first, second), "chosen": choice}
    context |= {"by": table.by, "question": table.question, "right": options(table.by)[anchor.question["right"]]}
    context |= {"n_about": numerals.count(table.crossing.n), "one_look": findings.for_one_look(release)}
    context |= {"too_few": "", "table": [], "confidences": PERCENTS}
    return responses.private(render(request, "researcher/honesty/page.html", context | _results(table, choice)))


def _results(table: WeightingTable, choice: AnalysisSelection) -> Context:
    """Return the corrected shares, or why there are none."""
    try:
        made = document(table.header, table.crossing)
    except TooInattentive as refused:
        return {"too_few": sentences.too_inattentive(refused)}
    place, names = made["confidences"].index(choice.fraction), options(table.question)
    digits = min(1, numerals.decimals_for(made["attention_standard_error"]))
    return {
        "table": _table(made, names, place),
        "sentences": sentences.sentences(made, names, place, _decimals(made)),
        "attention": numerals.share(made["attention"], digits),
        "level": numerals.level(choice.fraction),
    }


class CorrectedAnswer(NamedTuple):
    """An answer with its percentages as text."""

    answer: str
    uncorrected: str
    corrected: str
    interval: str


def _decimals(document: CorrectedDocument) -> int:
    """Return the decimals of percentages: at most one, as in the cross-table."""
    return min(1, numerals.decimals_for(max(share["standard_error"] for share in document["shares"])))


def _table(document: CorrectedDocument, names: list[str], place: int) -> list[CorrectedAnswer]:
    """Return a row for each answer. `names` has the answers as shown; `place` is the index of the confidence in
    `levels`."""
    digits = _decimals(document)
    return [
        CorrectedAnswer(
            name,
            numerals.share(share["uncorrected"], digits),
            numerals.share(share["estimate"], digits),
            numerals.span(tuple(share["levels"][place]["simultaneous"]), digits),
        )
        for name, share in zip(names, document["shares"], strict=True)
    ]


def corrected_table(release: Release, first: str, second: str, wanted: str) -> WeightingTable | None:
    """Return the cross-table with the anchor first: `wanted` if both variables are anchors. Return None if the
    cross-table is missing. Raise Http404 if neither variable corrects the other."""
    try:
        able = [one.key for one, _ in correcting(pairs.ordered(release, first, second))]
    except AnalysisRefused:
        able = []
    if not able:
        raise Http404
    return of_release(release, first, second, wanted if wanted in able else able[0])
