"""The sentences about weighted shares. Each says whether it is about weighted or unweighted shares."""

from django.utils.translation import gettext as _

from ldp.weighting.document import MeanOfWeighted, Shares
from ldp.weighting.margin import TooFewStrata
from surveys.figures import numerals


def sentences(document: Shares, names: list[str], place: int, decimals: int) -> list[str]:
    """Return the largest share and the cost of weighting. `names` has the answers as shown; `place` is the index of the
    confidence in `levels`."""
    return [_largest(document, names, place, decimals), _cost(document)]


def _largest(document: Shares, names: list[str], place: int, decimals: int) -> str:
    j = max(range(len(names)), key=lambda each: document["shares"][each]["estimate"])
    share = document["shares"][j]
    low, high = share["levels"][place]["simultaneous"]
    texts = dict(zip(("low", "high"), numerals.outward(100 * low, 100 * high, decimals), strict=True))
    texts |= {"answer": names[j], "unweighted": numerals.share(share["unweighted"], decimals)}
    return (
        _(
            "Weighted, %(low)s to %(high)s%% of the population answer “%(answer)s”. Unweighted, the estimate is "
            "%(unweighted)s%%."
        )
        % texts
    )


def _cost(document: Shares) -> str:
    effects = [share["design_effect"] for share in document["shares"]]
    least, most = numerals.small(min(effects), 2), numerals.small(max(effects), 2)
    if least == most:
        return _("The weighted shares have %(times)s times the variance of the unweighted ones.") % {"times": least}
    rule = _("The weighted shares have %(least)s to %(most)s times the variance of the unweighted ones.")
    return rule % {"least": least, "most": most}


def of_mean(mean: MeanOfWeighted, interval: str, unweighted: str, alone: bool) -> list[str]:
    """Return the mean with and without weights. `interval` and `unweighted` are texts with a unit. `alone` is true if
    no shares are shown. Then the cost of weighting is added."""
    if mean["quantity"] == "mean_rank":
        rule = _("Weighted, the population's mean rank is %(interval)s. Unweighted, the estimate is %(unweighted)s.")
    else:
        rule = _("Weighted, the population's mean is %(interval)s. Unweighted, the estimate is %(unweighted)s.")
    sentences = [rule % {"interval": interval, "unweighted": unweighted}]
    if alone:
        cost = _("The weighted mean has %(times)s times the variance of the unweighted one.")
        sentences.append(cost % {"times": numerals.small(mean["design_effect"], 2)})
    return sentences


def too_few(refused: TooFewStrata, names: dict[str, str]) -> list[str]:
    """Return the reports needed for each answer that has too few for weights. `names` are the answers as shown."""
    rule = _(
        "“%(answer)s”: too few reports are about it. About %(reports)s reports about both questions would be enough if "
        "it stays as common."
    )
    return [
        rule % {"answer": names[option], "reports": numerals.integer(reports)}
        for option, reports in refused.needed.items()
    ]
