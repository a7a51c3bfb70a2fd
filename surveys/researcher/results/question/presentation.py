"""The context of a question's page, for a reader's choice."""

from urllib.parse import urlencode

from django.utils.translation import gettext as _

from ldp.document import Document
from surveys.figures import numerals, trend
from surveys.figures.display import Result, is_estimated
from surveys.figures.layout import WIDTHS
from surveys.figures.targets import about_reached
from surveys.researcher.results import forms, reached, routing
from surveys.researcher.results.findings import findings, too_early
from surveys.researcher.results.presentation import claims, sizes_of
from surveys.researcher.results.question import (
    dates,
    forged,
    histogram,
    missing,
    nonresponse,
    ranks,
    scale,
    unasked,
    value_comparison,
    worth,
)
from surveys.researcher.results.question import trend as over_releases
from surveys.researcher.results.question.parts import PageSection, PageTable, level, promise, whose
from surveys.researcher.results.question.selection import QuestionSelection, query
from surveys.researcher.results.question.trend import TrendStep
from surveys.researcher.results.released import ReleasedQuestion
from surveys.rules.context import Context
from surveys.survey import kinds
from surveys.web.language import with_language

# The fields of each form on the page. The form keeps all other choices as hidden fields.
FORMS = {
    "view": ("confidence", "target"),
    "quantile": ("level",),
    "against": ("option", "value", "than"),
    "trend": ("option",),
    "forged": ("forged", "exactly"),
}

READINGS = {"scale": scale.sections, "bins": histogram.sections, "dates": dates.sections, "ranks": ranks.sections}


def query_string(chosen: QuestionSelection) -> str:
    return urlencode(query(chosen))


def page(released: ReleasedQuestion, chosen: QuestionSelection, steps: list[TrendStep], document: Document) -> Context:
    """Return the context. `document` is the release's."""
    result = reached.narrowed(released.displayed(chosen.confidence, chosen.target), released)
    made = sections(released, chosen, steps, document, result)
    return {
        "released": released,
        "chosen": chosen,
        "n": numerals.count(released.n),
        "n_about": numerals.count(released.n_about) if released.place else "",
        "alpha": forms.alpha(released.question),
        "of_form": of_form(released, document["n"]),
        "level": level(chosen),
        "numbers": kinds.of(released.question).numbers(result, result["methods"][0]),
        "part": {
            "of_respondents": chosen.target == "respondents",
            "of_asked": about_reached(result),
            "too_early": too_early(result),
        },
        "promise": promise(released),
        "counted": routing.counted(result),
        "sections": made,
        "others": {name: [pair for pair in query(chosen).items() if pair[0] not in own] for name, own in FORMS.items()},
        **claims(findings(result)),
        "slider": forged.slider(min(tallied.n for tallied, _j in released.rows)),
        "query": query_string(chosen),
        "view": urlencode({k: v for k, v in query(chosen).items() if k in ("confidence", "target")}),
        "address": with_language(
            urlencode({k: v for k, v in query(chosen).items() if k in ("confidence", "target", "option")})
        ),
        "sizes": sizes_of(kinds.of(released.question), result),
        "trend_sizes": {name: {"width": pixels, "height": trend.HEIGHT} for name, pixels in WIDTHS.items()},
        "trend_alternative": _(
            "The estimate with its interval at each release. The table below holds the same numbers."
        ),
        "alternative": kinds.of(released.question).alternative(result, level(chosen)),
    }


def of_form(released: ReleasedQuestion, everyone: int) -> str:
    """Return the sentence under the question's title that says who was asked; empty if everyone was."""
    if not released.forms:
        return ""
    words = {"form": forms.names(released.question), "n": numerals.count(released.n)}
    words["all"] = numerals.count(everyone)
    return _("%(form)s: %(n)s of %(all)s reports") % words


def sections(
    released: ReleasedQuestion,
    chosen: QuestionSelection,
    steps: list[TrendStep],
    document: Document,
    result: Result,
) -> list[PageSection]:
    """Return the sections of the page. If the results are only about those who were asked, other sections would count
    the answer that the others count as."""
    if result.get("of_asked", False):
        return [section for section in [unasked.section(released, chosen, result)] if section]
    made: list[PageSection | None] = []
    if name := kinds.of(released.question).reading:
        made += READINGS[name](released, chosen)
    made += [
        nonresponse.section(released, chosen),
        unasked.section(released, chosen, result),
        over_releases.section(released, chosen, steps),
        value_comparison.section(released, chosen),
        missing.section(released, chosen, document),
    ]
    made += [forged.section(released, chosen), worth.section(released, chosen)]
    return [section for section in made if section]


def overview(every: tuple[ReleasedQuestion, ...], chosen: QuestionSelection) -> PageTable:
    """Return the items of a grid with their shares."""
    shown = [reached.narrowed(each.displayed(chosen.confidence, chosen.target), each) for each in every]
    rows = []
    for released, result in zip(every, shown, strict=True):
        method = result["methods"][0]
        places = numerals.decimals_of(method)
        rows.append([released.item, numerals.count(released.n_about)])
        rows[-1] += [
            numerals.share(category["estimate"], places) if is_estimated(category) else numerals.NONE
            for category in method["categories"]
        ]
    head = [_("Item"), _("Reports"), *every[0].options]
    people = _("of only those who were asked") if about_reached(shown[0]) else whose(every[0], chosen)
    return PageTable("items-table", _("Shares %(whose)s, in percent") % {"whose": people}, head, rows)
