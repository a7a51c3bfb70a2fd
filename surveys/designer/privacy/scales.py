"""A scale's target, and the results of the alternative: the shares of its steps, or its mean alone (M43)."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from django.utils.translation import gettext_lazy as _

from ldp.planning import thirds
from ldp.planning.scales import half_width
from surveys.designer.privacy.figures import measure
from surveys.designer.privacy.studio_question import PlannedDraw, StudioQuestion
from surveys.drafts import mark, scales
from surveys.drafts.kinds import is_scale
from surveys.drafts.outline import question_of
from surveys.drafts.scales import Wanted
from surveys.rules.draft import Draft, without
from surveys.rules.unchecked import Unchecked
from surveys.survey.definition.randomization import OWN
from surveys.survey.kinds import lines

HINDRANCES = {
    "decides": _("Its steps must be known, since they decide whether another question is asked."),
    "right": _("Its steps must be known, since everyone should choose one of them."),
    "versions": _("Its steps must be known, since its versions are compared by them."),
}


class ScaleTarget(NamedTuple):
    """A scale with half-widths as text: of a share in percentage points, and of the mean in steps, computed from shares
    or asked alone. `is_better`: the mean is more precise if asked alone. `hindered` is the reason against asking it
    alone. `refusable`: people may now prefer not to say."""

    key: str
    text: str
    mark: str
    wanted: Wanted
    share: str
    by_shares: str
    alone: str
    is_better: bool
    hindered: str = ""
    refusable: bool = False

    @property
    def other(self) -> Wanted:
        return "shares" if self.wanted == "mean" else "mean"

    @property
    def has_button(self) -> bool:
        """Return whether a button offers the other choice. The mean alone is offered only if it is more precise."""
        return not self.hindered and (self.is_better or self.other == "shares")


def scale_target(question: StudioQuestion, n: int, draft: Draft) -> ScaleTarget | None:
    """Return the target of a scale in this draft with n participants, and the alternative; None for other questions,
    incomplete ones, and ones without alpha."""
    if not is_scale(question.draft) or not question.decided:
        return None
    shares, mean = (_variant(question, what) for what in ("shares", "mean"))
    if not shares.built or not mean.built:
        return None
    stored, by_shares, alone = question_of(draft, question.key), _by_shares(shares, n), mean.half_width(n)
    hindrance = scales.hindrance(draft, stored)
    return ScaleTarget(
        question.key,
        question.text,
        mark(stored),
        scales.wanted(question.draft),
        measure(shares.built).text(shares.half_width(n)),
        measure(mean.built).text(by_shares),
        measure(mean.built).text(alone),
        alone < by_shares,
        str(HINDRANCES[hindrance]) if hindrance else "",
        bool(stored.get("prefer_not_to_say")),
    )


def scale_targets(questions: Sequence[StudioQuestion], n: int, draft: Draft) -> list[ScaleTarget]:
    """Return the targets of all scales among the questions."""
    return [own for question in questions if (own := scale_target(question, n, draft))]


def _variant(question: StudioQuestion, what: Wanted) -> StudioQuestion:
    """Return the scale with this target, otherwise unchanged. It is about a population, because shares give a mean only
    for that."""
    wanted = what == scales.wanted(question.draft)
    return (question if wanted else _with(question, scales.convert(question.draft, what))).about("population")


def _with(question: StudioQuestion, draft: Unchecked) -> StudioQuestion:
    """Return the question with this draft, in its form too. A report then lists the best number of options."""
    other = replace(question, draft=draft)
    if not (question.several or question.joint):
        return other
    alone = replace(other, draft=without(draft, OWN), asked=())
    return replace(other, asked=tuple(each._replace(draw=_exchanged(each.draw, alone)) for each in question.asked))


def _exchanged(draw: PlannedDraw, question: StudioQuestion) -> PlannedDraw:
    """Return the draw with this question instead of the one with its key."""
    members = tuple(question if each.key == question.key else each for each in draw.members)
    return replace(draw, members=members, draft={name: value for name, value in draw.draft.items() if name != "sizes"})


def _by_shares(scale: StudioQuestion, n: int) -> float:
    """Return the half-width of the mean computed from shares, as a part of the scale. It assumes that everyone
    answers."""
    own = {name: value for name, value in scale.draft.items() if name != "prefer_not_to_say"}
    if own.get("size") == len(lines(own)):  # a report lists at most all options but one
        del own["size"]
    answered = _with(scale, own)
    assert answered.built
    return half_width(answered.built, scale.people(n), answered.whom, thirds.CONFIDENCE)
