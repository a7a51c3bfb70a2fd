"""From a question and what was chosen to the context of its page."""

from typing import Any
from urllib.parse import urlencode

from django.utils.translation import gettext as _

from surveys import kinds
from surveys.figures import numerals, trend
from surveys.figures.layout import WIDTHS
from surveys.operation.language import spoken
from surveys.results.findings import findings, too_early
from surveys.results.question import against, forged, histogram, nonresponse, scale, worth
from surveys.results.question import trend as over_releases
from surveys.results.question.choices import Choices, query
from surveys.results.question.parts import Section, Table, decimals, level, promise, whose
from surveys.results.question.released import ReleasedQuestion
from surveys.results.question.trend import Step

Data = dict[str, Any]

# The fields of each form on the page; the other choices are kept beside them.
FORMS = {
    "view": ("confidence", "target"),
    "quantile": ("level",),
    "against": ("option", "value", "than"),
    "trend": ("option",),
    "forged": ("forged", "exactly"),
}


def query_string(chosen: Choices) -> str:
    return urlencode(query(chosen))


def page(asked: ReleasedQuestion, chosen: Choices, steps: list[Step]) -> Data:
    result = asked.shown(chosen.confidence, chosen.target)
    made = sections(asked, chosen, steps)
    return {
        "asked": asked,
        "chosen": chosen,
        "n": numerals.count(asked.n),
        "n_about": numerals.count(asked.n_about) if asked.place else "",
        "level": level(chosen),
        "findings": findings(result),
        "numbers": kinds.of(asked.question).numbers(result, result["methods"][0]),
        "part": {"of_respondents": chosen.target == "respondents", "too_early": too_early(result)},
        "promise": promise(asked),
        "sections": made,
        "kept": {name: [pair for pair in query(chosen).items() if pair[0] not in own] for name, own in FORMS.items()},
        "slider": forged.slider(min(tallied.n for tallied, _j in asked.rows)),
        "view": urlencode({k: v for k, v in query(chosen).items() if k in ("confidence", "target")}),
        "address": spoken(
            urlencode({k: v for k, v in query(chosen).items() if k in ("confidence", "target", "option")})
        ),
        "sizes": _sizes(asked, result),
        "trend_sizes": {name: {"width": pixels, "height": trend.HEIGHT} for name, pixels in WIDTHS.items()},
        "trend_alternative": _(
            "The estimate with its interval at each release. The table below holds the same numbers."
        ),
        "alternative": kinds.of(asked.question).alternative(result, level(chosen)),
    }


def sections(asked: ReleasedQuestion, chosen: Choices, steps: list[Step]) -> list[Section]:
    by_kind = {"histogram": histogram.sections, "ordered": scale.sections}
    made: list[Section | None] = []
    if asked.kind in by_kind:
        made += by_kind[asked.kind](asked, chosen)
    made += [
        nonresponse.section(asked, chosen),
        over_releases.section(asked, chosen, steps),
        against.section(asked, chosen),
    ]
    made += [forged.section(asked, chosen), worth.section(asked, chosen)]
    return [section for section in made if section]


def _sizes(asked: ReleasedQuestion, result: Data) -> Data:
    kind = kinds.of(asked.question)
    plans = {width: kind.layout(result, width) for width in WIDTHS}
    return {width: {"width": plan.width, "height": plan.height} for width, plan in plans.items()}


def overview(every: tuple[ReleasedQuestion, ...], chosen: Choices) -> Table:
    """The items of a grid with the shares of each."""
    rows = []
    for asked in every:
        places, method = decimals(asked, chosen), asked.result(chosen.confidence)["methods"][0]
        rows.append([asked.item, numerals.count(asked.n_about)])
        rows[-1] += [numerals.share(category["estimate"], places) for category in method["categories"]]
    head = [_("Item"), _("Reports"), *(every[0].options if every else ())]
    return Table("items-table", _("Shares %(whose)s, in percent") % {"whose": whose(chosen)}, head, rows)
