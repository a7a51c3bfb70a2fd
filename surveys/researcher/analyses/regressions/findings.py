"""The sentences about a regression. They follow from the simultaneous intervals of all marginal effects."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ldp.regression.document import Refusal, RegressionDocument, Share
from surveys.figures import numerals
from surveys.researcher.analyses.frame.selection import AnalysisSelection
from surveys.researcher.analyses.regressions.texts import level_of, options, outcome, question

NAMED_MAX = 6


def headline(document: RegressionDocument, chosen: AnalysisSelection) -> str:
    words = {"outcome": question(document, outcome(document))}
    if document["refusal"] is not None:
        return _("There are too few reports to say what explains “%(outcome)s”.") % words
    if _certain(document, chosen):
        return _("Answers to “%(outcome)s” differ with what explains them.") % words
    return _("These reports do not show that anything here explains “%(outcome)s”.") % words


def sentences(document: RegressionDocument, chosen: AnalysisSelection) -> list[str]:
    refusal = document["refusal"]
    if refusal is not None:
        fewer = _("A model needs fewer if a question is in it as a number, or if fewer questions explain.")
        return [_refusal(refusal, document), *([fewer] if refusal["needed"] else [])]
    effects = _certain(document, chosen)
    sentences = [_effect(document, row, ends) for row, ends in effects[:NAMED_MAX]]
    if len(effects) > NAMED_MAX:
        more = len(effects) - NAMED_MAX
        sentences.append(ngettext("The table shows %(n)d more.", "The table shows %(n)d more.", more) % {"n": more})
    if not effects:
        sentences.append(_("That does not prove that nothing does: chance added for privacy hides weak effects."))
    sentences.append(_("A model says what goes with what, not what causes what."))
    return sentences


def _refusal(refusal: Refusal, document: RegressionDocument) -> str:
    if refusal["reason"] == "separated":
        return _(
            "Some answers go with the outcome so closely that the model has no finite coefficients: leave one question "
            "out, or take it as a number."
        )
    needed = refusal["needed"]
    if needed is None:
        return _("No one can say how many reports would be enough: some combination of answers is hardly ever given.")
    words = {"n": numerals.count(document["n_about"]), "needed": numerals.count_up(needed)}
    if document.get("n_pair") is not None:
        return _("%(n)s reports are about two or more of these questions; about %(needed)s would be enough.") % words
    return _("%(n)s reports are about all of these questions; about %(needed)s would be enough.") % words


def _certain(document: RegressionDocument, chosen: AnalysisSelection) -> list[tuple[Share, Sequence[float]]]:
    """Return the marginal effects whose simultaneous intervals exclude 0, the surest first."""
    rows = document["marginal"]
    effects = [(row, row["simultaneous"][level_of(document, chosen)]) for row in rows]
    effects = [(row, ends) for row, ends in effects if ends[0] > 0 or ends[1] < 0]
    two = len(options(document, outcome(document))) == 2
    effects = [(row, ends) for row, ends in effects if not (two and row["outcome"] == 1)]
    return sorted(effects, key=lambda each: -abs(each[0]["estimate"] / each[0]["standard_error"]))


def _effect(document: RegressionDocument, row: Share, ends: Sequence[float]) -> str:
    own, more = options(document, row["key"]), ends[0] > 0
    least, most = sorted(abs(end) for end in ends)
    words = {"question": question(document, row["key"]), "outcome": question(document, outcome(document))}
    words |= {"option": own[row["option"]], "other": own[row["reference"] or 0]}
    if row["outcome"] is None:
        words["low"], words["high"] = numerals.outward(least, most, max(0, numerals.places(row["standard_error"])), 0)
        return _mean(more) % words
    words["low"], words["high"] = numerals.outward(100 * least, 100 * most, 0, 0)
    words["answer"] = options(document, outcome(document))[row["outcome"]]
    return _points(more) % words


def _points(more: bool) -> str:
    if more:
        return _(
            "With “%(option)s” rather than “%(other)s” to “%(question)s”, the rest as it is, %(low)s to %(high)s "
            "percentage points more answer “%(answer)s”."
        )
    return _(
        "With “%(option)s” rather than “%(other)s” to “%(question)s”, the rest as it is, %(low)s to %(high)s "
        "percentage points fewer answer “%(answer)s”."
    )


def _mean(more: bool) -> str:
    if more:
        return _(
            "With “%(option)s” rather than “%(other)s” to “%(question)s”, the rest as it is, the mean of “%(outcome)s” "
            "is higher by %(low)s to %(high)s."
        )
    return _(
        "With “%(option)s” rather than “%(other)s” to “%(question)s”, the rest as it is, the mean of “%(outcome)s” "
        "is lower by %(low)s to %(high)s."
    )
