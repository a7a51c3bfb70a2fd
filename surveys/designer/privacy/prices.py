"""Changes that would make a proposal more precise, with their gains (M46): drop a question, ask a scale for its mean
alone, merge options, raise the total, ask more people, cross no pair."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

from django.utils.translation import gettext as _

from ldp.planning.design import Brief
from ldp.planning.design_needs import Change, changes
from ldp.planning.design_proposals import Proposal
from surveys.designer.privacy.proposal import ProposalOffer, widths
from surveys.designer.privacy.studio_question import StudioQuestion
from surveys.drafts import forms, merging, outline, scales
from surveys.drafts.outline import question_of
from surveys.figures import numerals
from surveys.rules.draft import Draft
from surveys.rules.enumeration import quoted
from surveys.rules.texts import decimal

# The most changes to compute; each needs a proposal.
MOST = 12


class PriceLine(NamedTuple):
    """A change with its name in forms. `before` and `after` are the intervals of the remaining questions."""

    name: str
    text: str
    before: str
    after: str


def price_list(questions: Sequence[StudioQuestion], offered: ProposalOffer, draft: Draft) -> list[PriceLine]:
    """Return the changes that have a price. Of similar questions only one is named."""
    prices = list(_different(offered, draft))[:MOST]
    return [line for change in prices if (line := _line(questions, offered, change))]


def _different(offered: ProposalOffer, draft: Draft) -> Iterator[Change]:
    """Yield changes of the whole survey first. Changes that the draft does not allow are left out."""
    brief, seen = offered.brief, set[object]()
    listed = [change for change in changes(brief, offered.proposal.design) if possible(brief, draft, change)]
    for change in sorted(listed, key=lambda change: bool(change.key)):
        of = next((each._replace(key="") for each in brief.questions if each.key == change.key), None)
        linked = any(change.key in pair for pair in brief.together)
        if (like := (change.name, of, change.key if linked else "")) not in seen:
            seen.add(like)
            yield change


def possible(brief: Brief, draft: Draft, change: Change) -> bool:
    if change.name == "drop":
        return not any(change.key in pair for pair in brief.apart)
    if change.name == "mean":
        return scales.hindrance(draft, question_of(draft, change.key)) is None
    return change.name != "merge" or merging.may_merge(draft, question_of(draft, change.key))


def _line(questions: Sequence[StudioQuestion], offered: ProposalOffer, change: Change) -> PriceLine | None:
    """Return the line of a change; None if no proposal is possible or more questions would have no result."""
    with suppress(ValueError):
        keys, proposal = [each.key for each in change.brief.questions], change.proposal
        if proposal.outcome.merit.without_result > offered.outcome.merit.without_result:
            return None
        before, after = widths(offered.outcome, keys), widths(proposal.outcome, keys)
        return PriceLine(name_of(change), _text(questions, change), before, after)
    return None


def name_of(change: Change) -> str:
    return f"{change.name}.{change.key}" if change.key else change.name


def _text(questions: Sequence[StudioQuestion], change: Change) -> str:
    title = next((quoted(each.text or each.key) for each in questions if each.key == change.key), "")
    texts = {
        "drop": _("Leave out %(title)s"),
        "mean": _("Ask for the mean of %(title)s alone"),
        "merge": _("Merge the options of %(title)s to %(number)s"),
        "alpha": _("A total of %(number)s instead of %(total)s"),
        "people": _("%(people)s people"),
        "uncross": _("Cross no pairs"),
    }
    people = numerals.integer(change.brief.n)
    values = {"title": title, "number": change.number, "total": decimal(change.brief.total - 1), "people": people}
    return texts[change.name] % values


def find(offered: ProposalOffer, draft: Draft, name: str) -> tuple[Change, Proposal] | None:
    """Return the change of this name with its proposal; None if it cannot be made."""
    every = changes(offered.brief, offered.proposal.design)
    change = next((each for each in every if name_of(each) == name), None)
    if change is None or not possible(offered.brief, draft, change):
        return None
    with suppress(ValueError):
        return change, change.proposal
    return None


def edit(draft: Draft, brief: Brief, change: Change) -> None:
    """Make the change in a draft."""
    if change.name == "mean":
        question = question_of(draft, change.key)
        forms.put_part(draft, question, scales.convert(forms.part_of(draft, question), "mean"))
    elif change.name == "merge":
        merging.merge(draft, question_of(draft, change.key))
    left = {each.key for each in change.brief.questions}
    for each in brief.questions:
        if each.key not in left:
            outline.remove(draft, each.key)
