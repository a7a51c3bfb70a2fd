"""The value of the reports: how many answers without privacy would be as precise (M19, M21)."""

import math

from django.utils.translation import gettext as _

from ldp.document import MethodResult
from surveys.figures import numerals
from surveys.researcher.results.question.parts import PageSection, PageTable, decimals
from surveys.researcher.results.question.selection import QuestionSelection
from surveys.researcher.results.released import ReleasedQuestion

RARE = 0.01


def section(released: ReleasedQuestion, chosen: QuestionSelection) -> PageSection | None:
    if released.is_mean:
        return None
    method, places = released.result(chosen.confidence)["methods"][0], decimals(released, chosen)
    equal = 1 / 2 if released.is_several else 1 / len(released.options)
    categories = method["categories"]
    shares = [numerals.share(category["estimate"], places) for category in categories]
    at_share = numerals.counts([category["effective_n"] for category in categories])
    at_equal = numerals.counts([tallied.effective_n(equal) for tallied, _j in released.rows])
    names = [released.named(category["option"]) for category in categories]
    rows = [list(row) for row in zip(names, shares, at_share, at_equal, strict=True)]
    head = [_("Answer"), _("Share"), _("Worth at this share"), _("Worth at a share of %(s)s") % {"s": _percent(equal)}]
    caption = _("How many answers without privacy would show the share as precisely")
    texts = [
        _(
            "Privacy costs reports. For each answer, the table shows how many answers without any privacy would show "
            "its share in the population as precisely as these %(n)s reports do: 0 for a share that is estimated at 0 "
            "or less."
        )
        % {"n": numerals.count(released.n_about)},
        *_rare(released),
    ]
    return PageSection(
        "worth",
        _("What the reports are worth"),
        texts,
        [PageTable("worth-table", caption, head, rows)],
        _bound(method, released),
    )


def _percent(share: float) -> str:
    return numerals.percent(share)


def _rare(released: ReleasedQuestion) -> list[str]:
    value = released.rows[0][0].effective_n(RARE)
    if value is None:
        return []
    text = _(
        "A rare answer drowns in noise that a common one rises above: about an answer that 1 in 100 people give, these "
        "reports show no more than %(worth)s answers without privacy would."
    )
    return [text % {"worth": numerals.count_up(max(1, math.ceil(value)))}]


def _bound(method: MethodResult, released: ReleasedQuestion) -> list[str]:
    efficiency = method["at_equal_shares"]["efficiency"]
    if efficiency is None:
        return []
    if released.is_joint:
        text = _(
            "The best possible mechanism that spent all of the form's privacy on this one question would need "
            "%(share)s as many reports, where shares are equal and reports are many (minimax bound)."
        )
        return [text % {"share": _percent(efficiency)}]
    if efficiency > 1 - 1e-6:
        return [
            _(
                "No mechanism with the same privacy shows more where shares are equal and reports are many (minimax "
                "bound)."
            )
        ]
    text = _(
        "The best possible mechanism with the same privacy would need %(share)s as many reports, where shares "
        "are equal and reports are many (minimax bound)."
    )
    return [text % {"share": _percent(efficiency)}]
