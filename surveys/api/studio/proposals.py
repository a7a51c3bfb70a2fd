"""The proposals of forms and alphas for a client's wishes, through the studio's form."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from django.http import QueryDict

from ldp.planning.design import DesignDraw, DesignForm
from ldp.planning.design_needs import possible
from ldp.planning.design_proposals import Proposal
from surveys.api.bodies import text_of
from surveys.api.problems import Refusal
from surveys.api.studio.guard import check
from surveys.api.studio.privacy_documents import (
    AcceptedPlan,
    ProposalDocument,
    Proposed,
    ProposedDraw,
    ProposedForm,
    Wishes,
)
from surveys.designer.privacy import proposal, storage, wishes
from surveys.designer.privacy.inputs import PAIRS_MOST, PlanInput
from surveys.designer.privacy.proposal import ProposalOffer
from surveys.designer.privacy.questions import questions_of, within_budget
from surveys.designer.privacy.studio_question import StudioQuestion
from surveys.designer.privacy.verdicts import PRECISE
from surveys.drafts.normalize import normalized
from surveys.drafts.proposals import BEGINNING
from surveys.models import Survey
from surveys.rules.texts import decimal

NOTHING = "Nothing can be proposed for these numbers."


class Planned(NamedTuple):
    """The draft's mark, and the proposal for valid wishes."""

    mark: str
    offered: ProposalOffer

    def document(self) -> ProposalDocument:
        brief, proposal = self.offered.brief, self.offered.proposal
        return {
            "mark": self.mark,
            "n": brief.n,
            "total": decimal(brief.total),
            "target": brief.target,
            "possible": [
                {"questions": [*each.keys], "least": _finite(each.least), "most": _finite(each.most)}
                for each in possible(brief)
            ],
            "stands": proposal.stands,
            "proposal": self._proposed(proposal),
            "people_needed": wishes.people(brief, PRECISE),
        }

    def _proposed(self, proposal: Proposal) -> Proposed:
        design = proposal.design
        parts = [part for part, _draws in design.parts]
        return {
            "everyone": [_draw(draw) for draw in design.everyone],
            "forms": [self._form(form, part) for form, part in zip(design.forms, parts, strict=False)],
            "half_widths": {key: _finite(width) for key, width in sorted(proposal.outcome.half_widths.items())},
            "uncrossed": [[*pair] for pair in proposal.outcome.uncrossed],
            "crossing_cost": proposal.crossing_cost,
        }

    def _form(self, form: DesignForm, part: float) -> ProposedForm:
        return {
            "weight": form.weight,
            "people": max(1, round(self.offered.brief.n * part)),
            "alpha": decimal(form.alpha),
            "draws": [_draw(draw) for draw in form.draws],
        }


def _draw(draw: DesignDraw) -> ProposedDraw:
    return {
        "questions": [*draw.keys],
        "alpha": decimal(draw.alpha),
        "sizes": [size if isinstance(size, int) else list(size) for size in draw.sizes],
    }


def _finite(width: float) -> float | None:
    return width if math.isfinite(width) else None


def planned(survey: Survey, wanted: Wishes | AcceptedPlan) -> Planned:
    """Return the proposal. Raise 422 for an impossible wish, or if there is no proposal."""
    every = within_budget(questions_of(survey))
    questions = proposal.plannable(every)
    if not questions:
        raise Refusal(422, "no_proposal", "No question is complete.")
    _check_keys(questions, wanted)
    plan = PlanInput(_wishes(wanted), questions, survey, BEGINNING)
    check(plan, "wishes", {"other": "total"})
    able = {question.key for question in plan.crossable}
    if not all(len(set(pair)) == 2 and able.issuperset(pair) for pair in wanted.get("crossed", [])):
        raise Refusal(422, "wishes", "“crossed”: pairs of two questions with answers to choose from.")
    try:
        offered = proposal.offer(every, plan.brief)
    except ValueError:
        raise Refusal(422, "no_proposal", NOTHING) from None
    return Planned(storage.draft_mark(normalized(survey.draft)), offered)


def _check_keys(questions: Sequence[StudioQuestion], wanted: Wishes | AcceptedPlan) -> None:
    keys = {question.key for question in questions}
    for name in ("widths", "own"):
        if unknown := sorted(wanted.get(name, {}).keys() - keys):  # type: ignore[attr-defined]
            raise Refusal(422, "wishes", f"“{name}”: “{unknown[0][:40]}” is no question that can be planned.")
    if unknown := sorted({*wanted.get("important", [])} - keys):
        raise Refusal(422, "wishes", f"“important”: “{unknown[0][:40]}” is no question that can be planned.")
    if len(wanted.get("crossed", [])) > PAIRS_MOST:
        raise Refusal(422, "wishes", f"“crossed”: at most {PAIRS_MOST} pairs.")


def _wishes(wanted: Wishes | AcceptedPlan) -> QueryDict:
    """Return the wishes as typed into the studio's form."""
    typed = QueryDict(mutable=True)
    typed["total"] = text_of(wanted["total"])
    typed.update({name: text_of(wanted.get(name)) for name in ("n", "points")})
    for field, name in (("width", "widths"), ("own", "own")):
        typed.update({f"{field}.{key}": text_of(value) for key, value in wanted.get(name, {}).items()})  # type: ignore[attr-defined]
    typed.setlist("important", wanted.get("important", []))
    if wanted.get("all_crossed"):
        typed["crossed"] = "all"
    for pair in wanted.get("crossed", []):
        typed.appendlist("first", pair[0] if pair else "")
        typed.appendlist("second", pair[-1] if pair else "")
    return typed
