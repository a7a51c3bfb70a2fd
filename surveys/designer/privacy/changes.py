"""The smallest changes since the last wave that a draft will show, before it opens (M38)."""

from collections.abc import Sequence
from typing import NamedTuple

from django.http import Http404

from ldp import routing
from ldp.planning import arms, waves
from surveys.access import Visitor, visible_release
from surveys.designer.privacy.figures import measure
from surveys.designer.privacy.inputs import people_of
from surveys.designer.privacy.questions import questions_of
from surveys.designer.privacy.studio_question import StudioQuestion
from surveys.figures import numerals
from surveys.life import chain
from surveys.models import Survey
from surveys.researcher.analyses.honesty.planning import arm
from surveys.survey import kinds


class SmallestChange(NamedTuple):
    """A question that the previous wave asked in the same way. `least` is the smallest visible change of a share or a
    mean; "" if none is visible or only some people are asked."""

    question: StudioQuestion
    least: str


class SmallestChanges(NamedTuple):
    """The smallest changes, with the draft's `people` and the wave's `before`; `together` intervals hold at once."""

    title: str
    people: str
    before: str
    together: str
    rows: list[SmallestChange]


def changes(survey: Survey, questions: Sequence[StudioQuestion], visitor: Visitor, n: int) -> SmallestChanges | None:
    """Return the smallest visible changes; None if the site has no previous wave or no question is the same."""
    earlier = chain.before(survey.draft if survey.is_draft else survey.definition)
    if earlier is None:
        return None
    waves = [_comparable(questions, questions_of(wave)) for wave in chain.waves(earlier)]
    alike = [(each, [wave[each.key] for wave in waves if _is_same(each, wave.get(each.key))]) for each in questions]
    matched = [(each, wave[-1]) for each, wave in alike if wave and wave[-1] is waves[-1].get(each.key)]
    if not matched:
        return None
    together = sum(_shares(each) * (1 + len(wave)) for each, wave in alike if wave)
    before = _people(earlier, visitor)
    rows = [SmallestChange(each, _least(each, then, n, before, together)) for each, then in matched]
    return SmallestChanges(
        earlier.title, numerals.integer(n), numerals.integer(before), numerals.integer(together), rows
    )


def _people(earlier: Survey, visitor: Visitor) -> int:
    """Return the number of people of an earlier wave: its reports if the visitor may see results, else the expected
    number."""
    try:
        release = visible_release(visitor, earlier.slug or "", None)[1]
    except Http404:
        release = None
    return release.n if release else people_of(earlier)


def _comparable(questions: Sequence[StudioQuestion], then: Sequence[StudioQuestion]) -> dict[str, StudioQuestion]:
    """Return the questions that an earlier wave asked of the same people, by key."""
    own, others = ([each.built for each in part if each.built] for part in (questions, then))
    same_people = routing.alike(own, others)
    return {each.key: each for each in then if each.key in same_people}


def _is_same(now: StudioQuestion, then: StudioQuestion | None) -> bool:
    """Return whether both are asked in the same way (surveys/researcher/analyses/waves/changes.py)."""
    own, other = now.built, then.built if then else None
    if own is None or other is None:
        return False
    return all(own.get(name) == other.get(name) for name in ("kind", *kinds.FIELDS))


def _shares(question: StudioQuestion) -> int:
    """Return the number of shares that the page of waves shows. Two shares that mirror each other count as one."""
    assert question.built
    options, items = question.built.get("options", ("",)), kinds.of(question.built).items(question.built)
    mirrored = len(options) == 2 and arms.row(arm(question))[0].mirrored
    return max(1, len(items)) * (1 if mirrored else len(options))


def _least(now: StudioQuestion, then: StudioQuestion, n: int, before: int, together: int) -> str:
    assert now.built
    if now.routed:  # the number of people who are asked has an interval, too (M34g)
        return ""
    planned = waves.design(arm(now), arm(then), before / n)
    least = None if planned is None else waves.smallest(planned, n, together)
    shown = measure(now.built)
    return "" if least is None else numerals.with_unit(numerals.rounded_up(least * shown.times), shown.unit)
