"""From a question and what was chosen to the context of its page."""

from typing import Any
from urllib.parse import urlencode

from django.utils.translation import gettext as _

from surveys import kinds
from surveys.figures import numerals, trend
from surveys.figures.layout import WIDTHS
from surveys.operation.language import spoken
from surveys.results.findings import findings
from surveys.results.question import against, forged, histogram, said, scale, worth
from surveys.results.question import trend as over_releases
from surveys.results.question.asked import Asked
from surveys.results.question.choices import Choices, query
from surveys.results.question.parts import Section, Table, decimals, level, number_span, promise, span, whose
from surveys.results.question.trend import Step

Data = dict[str, Any]

# The fields of each form on the page; the other choices are kept beside them.
FORMS = {
    "view": ("confidence", "whom"),
    "quantile": ("level",),
    "against": ("option", "value", "than"),
    "trend": ("option",),
    "forged": ("forged", "exactly"),
}


def query_string(chosen: Choices) -> str:
    return urlencode(query(chosen))


def page(asked: Asked, chosen: Choices, steps: list[Step]) -> Data:
    result = asked.result(chosen.confidence)
    made = sections(asked, chosen, steps)
    shown = chosen.whom == "population"
    return {
        "asked": asked,
        "chosen": chosen,
        "n": numerals.count(asked.n),
        "n_about": numerals.count(asked.n_about) if asked.place else "",
        "level": level(chosen),
        "findings": findings(result) if shown else [],
        "shares": _shares(asked, chosen),
        "promise": promise(asked),
        "sections": made,
        "kept": {name: [pair for pair in query(chosen).items() if pair[0] not in own] for name, own in FORMS.items()},
        "slider": forged.slider(min(tallied.n for tallied, _j in asked.rows)),
        "address": spoken(_drawn(chosen)),
        "sizes": _sizes(asked, result) if shown else None,
        "trend_sizes": {name: {"width": pixels, "height": trend.HEIGHT} for name, pixels in WIDTHS.items()},
        "trend_alternative": _(
            "The estimate with its interval at each release. The table below holds the same numbers."
        ),
        "alternative": kinds.of(asked.question).alternative(result, level(chosen)),
    }


def sections(asked: Asked, chosen: Choices, steps: list[Step]) -> list[Section]:
    by_kind = {"histogram": histogram.sections, "ordered": scale.sections}
    made: list[Section | None] = []
    if asked.kind in by_kind:
        made += by_kind[asked.kind](asked, chosen)
    made += [said.section(asked, chosen), over_releases.section(asked, chosen, steps), against.section(asked, chosen)]
    made += [forged.section(asked, chosen), worth.section(asked, chosen)]
    return [section for section in made if section]


def _shares(asked: Asked, chosen: Choices) -> Table:
    method = asked.result(chosen.confidence)["methods"][0]
    if asked.kind == "mean":
        return _mean(asked, chosen, method["categories"][0])
    places, rows = decimals(asked, chosen), []
    for category in method["categories"]:
        about = category[chosen.whom]
        reports = _(" (%(n)s reports)") % {"n": numerals.count(category["n_about"])} if "n_about" in category else ""
        rows.append([category["option"] + reports, numerals.share(category["estimate"], places)])
        rows[-1] += [span(about["simultaneous"], places), span(about["interval"], places)]
        rows[-1].append(numerals.share(about["standard_error"], places))
    head = [_("Answer"), _("Share"), _("%(level)s interval, all at once"), _("%(level)s interval, one alone")]
    head = [text % {"level": level(chosen)} if "%" in text else text for text in head] + [_("Standard error")]
    return Table("shares-table", _("Shares %(whose)s, in percent") % {"whose": whose(chosen)}, head, rows)


def _mean(asked: Asked, chosen: Choices, category: Data) -> Table:
    about, unit = category[chosen.whom], asked.question["unit"]
    places = numerals.places(about["standard_error"])
    ends = [numerals.decimal(asked.question[end]) for end in ("low", "high")]
    row = [_("Mean"), numerals.with_unit(numerals.number(category["estimate"], places), unit)]
    row += [number_span(about["interval"], places, unit), numerals.number(about["standard_error"], places)]
    row.append(numerals.with_unit(_("%(low)s to %(high)s") % {"low": ends[0], "high": ends[1]}, unit))
    head = [_("Estimated"), _("Mean"), _("%(level)s interval") % {"level": level(chosen)}, _("Standard error")]
    caption = _("Mean %(whose)s") % {"whose": whose(chosen)}
    return Table("shares-table", caption, [*head, _("Range that was asked for")], [row])


def _drawn(chosen: Choices) -> str:
    """What the pictures depend on."""
    return urlencode({k: v for k, v in query(chosen).items() if k in ("confidence", "whom", "option")})


def _sizes(asked: Asked, result: Data) -> Data:
    kind = kinds.of(asked.question)
    plans = {width: kind.layout(result, width) for width in WIDTHS}
    return {width: {"width": plan.width, "height": plan.height} for width, plan in plans.items()}


def overview(every: tuple[Asked, ...], chosen: Choices) -> Table:
    """The items of a grid with the shares of each."""
    rows = []
    for asked in every:
        places, method = decimals(asked, chosen), asked.result(chosen.confidence)["methods"][0]
        rows.append([asked.item, numerals.count(asked.n_about)])
        rows[-1] += [numerals.share(category["estimate"], places) for category in method["categories"]]
    head = [_("Item"), _("Reports"), *(every[0].options if every else ())]
    return Table("items-table", _("Shares %(whose)s, in percent") % {"whose": whose(chosen)}, head, rows)
