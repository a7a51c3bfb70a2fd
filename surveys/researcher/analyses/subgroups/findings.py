"""The sentences about subgroups. They follow from the simultaneous intervals of the differences."""

from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ldp.subgroups import ByStratum, Share, SubgroupsDocument
from surveys.figures import numerals
from surveys.researcher.analyses.frame.inputs import option_texts
from surveys.researcher.analyses.subgroups.table import measure

NAMED_MAX = 6


class StrataComparison(NamedTuple):
    """Two strata between which an answer differs. `ends` limit by how much `more` exceeds `fewer`."""

    question: ByStratum
    share: Share
    more: int
    fewer: int
    ends: tuple[float, float]

    @property
    def least(self) -> float:
        """Return the least difference, as a fraction of the possible range."""
        low, high = self.question.get("scale") or (0.0, 1.0)
        return self.ends[0] / (high - low)


def differences(document: SubgroupsDocument, place: int) -> list[StrataComparison]:
    """Return the two strata that most surely differ, for each answer to each question; the largest difference first."""
    each = [
        max(pairs, key=lambda one: one.least)
        for question in document["questions"]
        for share in question["shares"]
        if (pairs := _apart(question, share, place))
    ]
    return sorted(each, key=lambda difference: -difference.least)


def _apart(question: ByStratum, share: Share, place: int) -> list[StrataComparison]:
    """Return the pairs of groups whose difference has an interval without 0."""
    pairs = []
    for one in share["differences"]:
        (first, second), (low, high) = one["strata"], one["simultaneous"][place]
        if low > 0:
            pairs.append(StrataComparison(question, share, first, second, (low, high)))
        elif high < 0:
            pairs.append(StrataComparison(question, share, second, first, (-high, -low)))
    return pairs


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


def _sentence(document: SubgroupsDocument, difference: StrataComparison, place: int) -> str:
    strata, question = option_texts(document["stratum"]["options"]), difference.question
    its, names = measure(question), option_texts([each["option"] for each in question["shares"]])
    texts = {"question": question["text"], "option": names[question["shares"].index(difference.share)]}
    texts |= {"more": strata[difference.more], "fewer": strata[difference.fewer]}
    low, high = difference.ends
    if its.scale is not None:
        ends = numerals.to(*numerals.outward(low, high, its.digits, 0))
        texts["by"] = numerals.with_unit(ends, question.get("unit") or "")
        return _("The mean of “%(question)s” is higher among “%(more)s” than among “%(fewer)s”, by %(by)s.") % texts
    texts["by"] = numerals.span((low, high), 1, 0)
    return (
        _(
            "“%(option)s” to “%(question)s” is more common among “%(more)s” than among “%(fewer)s”, by %(by)s "
            "percentage points."
        )
        % texts
    )
