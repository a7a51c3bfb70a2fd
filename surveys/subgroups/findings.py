"""What subgroups allow to be said: only what follows from the intervals, which hold for all shares at once."""

from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ldp.subgroups import ByStratum, Share, SubgroupsDocument
from surveys.figures import numerals
from surveys.subgroups.table import measure, option_texts

NAMED_MAX = 6


class Difference(NamedTuple):
    """Two strata whose intervals of an answer do not meet; `gap` is what lies between them."""

    gap: float
    question: ByStratum
    share: Share
    more: int
    fewer: int


def differences(document: SubgroupsDocument, place: int) -> list[Difference]:
    """For each question and answer the two strata furthest apart, the largest gap first."""
    each = [
        difference
        for question in document["questions"]
        for share in question["shares"]
        if (difference := _difference(question, share, place)) is not None
    ]
    return sorted(each, key=lambda difference: -difference.gap)


def _difference(question: ByStratum, share: Share, place: int) -> Difference | None:
    spans = [(s, each["simultaneous"][place]) for s, each in enumerate(share["within"]) if each is not None]
    if not spans:
        return None
    more, (low, _high) = max(spans, key=lambda span: span[1][0])
    fewer, (_low, high) = min(spans, key=lambda span: span[1][1])
    return Difference(low - high, question, share, more, fewer) if low > high else None


def headline(document: SubgroupsDocument, place: int) -> str:
    if differences(document, place):
        return _("Some answers differ between these groups.")
    if _any_group(document):
        return _("These reports do not show that any answer differs between these groups.")
    return _("There are too few reports about every group to say anything within it.")


def _any_group(document: SubgroupsDocument) -> bool:
    return any(stratum["subgroup"] for question in document["questions"] for stratum in question["strata"])


def sentences(document: SubgroupsDocument, place: int) -> list[str]:
    gaps = differences(document, place)
    sentences = [_sentence(document, difference, place) for difference in gaps[:NAMED_MAX]]
    if more := len(gaps) - NAMED_MAX if len(gaps) > NAMED_MAX else 0:
        sentences.append(ngettext("%(n)d more answer differs.", "%(n)d more answers differ.", more) % {"n": more})
    if not gaps and _any_group(document):
        sentences.append(
            _("That does not prove that they are alike: chance added for privacy hides small differences.")
        )
    return sentences


def _sentence(document: SubgroupsDocument, difference: Difference, place: int) -> str:
    strata, share = option_texts(document["stratum"]["options"]), difference.share
    its, names = measure(difference.question), option_texts([each["option"] for each in difference.question["shares"]])
    texts = {"question": difference.question["text"], "option": names[difference.question["shares"].index(share)]}
    texts["unit"] = difference.question.get("unit") or ""
    for name, s in (("more", difference.more), ("fewer", difference.fewer)):
        within = share["within"][s]
        assert within is not None, "only groups that are shown differ"
        low, high = within["simultaneous"][place]
        texts |= {
            name: strata[s],
            f"{name}_share": numerals.span((low, high), 1) if its.scale is None else its.span((low, high)),
        }
    if its.scale is not None:
        return _mean(bool(texts["unit"])) % texts
    return (
        _(
            "“%(option)s” to “%(question)s” is more common among “%(more)s” (%(more_share)s%%) than among "
            "“%(fewer)s” (%(fewer_share)s%%)."
        )
        % texts
    )


def _mean(in_unit: bool) -> str:
    if in_unit:
        return _(
            "The mean of “%(question)s” is higher among “%(more)s” (%(more_share)s %(unit)s) than among “%(fewer)s” "
            "(%(fewer_share)s %(unit)s)."
        )
    return _(
        "The mean of “%(question)s” is higher among “%(more)s” (%(more_share)s) than among “%(fewer)s” "
        "(%(fewer_share)s)."
    )
