"""The sentences that weighted shares allow. Each says whether it is about weighted or unweighted shares."""

from django.utils.translation import gettext as _

from ldp.weighting.document import MeanOfWeighted, Shares
from ldp.weighting.margin import TooFewStrata
from surveys.figures import numerals


def sentences(document: Shares, names: list[str], place: int, decimals: int) -> list[str]:
    """Say how common the largest share is, and what weighting costs. `names` has the answers as pages show them,
    `place` is the confidence's place in `levels`."""
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
    """Say the mean with and without weights. The numbers are texts with their unit; `alone` says that no shares are
    shown, whose cost would be mentioned."""
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
    """Say how many reports are enough for each answer that has too few for weights; `names` are the shown ones."""
    rule = _(
        "“%(answer)s”: too few reports are about it. About %(reports)s reports about both questions would be enough if "
        "it stays as common."
    )
    return [
        rule % {"answer": names[option], "reports": numerals.integer(reports)}
        for option, reports in refused.needed.items()
    ]
