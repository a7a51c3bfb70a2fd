"""The forms and alphas that are proposed for a program's wishes, by the studio's own form."""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from django.http import QueryDict

from ldp.planning.proposals import PlannedForm as ProposedOne
from ldp.planning.proposals import Proposal
from surveys.api.bodies import text_of
from surveys.api.problems import Refusal
from surveys.api.studio.guard import check
from surveys.api.studio.privacy_documents import AcceptedPlan, ProposalDocument, Proposed, ProposedForm, Wishes
from surveys.designer.privacy import proposal, storage
from surveys.designer.privacy.inputs import PAIRS_MOST, PlanInput
from surveys.designer.privacy.proposal import ProposalOffer
from surveys.designer.privacy.questions import StudioQuestion, questions_of, within_budget
from surveys.designer.privacy.verdicts import PRECISE
from surveys.drafts.normalize import normalized
from surveys.drafts.proposals import BEGINNING
from surveys.models import Survey
from surveys.rules.texts import decimal

NOTHING = "Nothing can be proposed for these numbers."


class Planned(NamedTuple):
    """Wishes that are right, the questions that can be planned, and what follows."""

    mark: str
    plan: PlanInput
    questions: list[StudioQuestion]
    offered: ProposalOffer

    def document(self) -> ProposalDocument:
        wish = self.plan.wish
        return {
            "mark": self.mark,
            "n": wish.n,
            "total": decimal(wish.total),
            "target": wish.target,
            "stands": self.offered.stands,
            "proposal": self._proposed("proposal", self.offered.plans.people(PRECISE)),
            "everything": self._everything(),
        }

    def _everything(self) -> Proposed | None:
        everything = self.offered.comparison.everything
        needed = self.offered.plans.people_with(everything, PRECISE) if everything else None
        return self._proposed("everything", needed) if everything else None

    def _proposed(self, which: str, needed: int | None) -> Proposed:
        chosen, wish = self.offered.answer(which)
        assert chosen
        widths = proposal.half_widths(self.questions, chosen, wish)
        return {
            "forms": [self._form(chosen, form) for form in chosen.forms],
            "everybody": {self.questions[place].key: decimal(alpha) for place, alpha in sorted(wish.own.items())},
            "half_widths": {self.questions[place].key: width for place, width in sorted(widths.items())},
            "people_needed": needed,
        }

    def _form(self, chosen: Proposal, form: ProposedOne) -> ProposedForm:
        return {
            "questions": [self.questions[place].key for place in form.questions],
            "joint": form.way.joint,
            "alphas": [decimal(alpha) for alpha in form.way.alphas],
            "alpha": decimal(sum(form.way.alphas, Fraction(0))),
            "weight": form.weight,
            "people": max(1, round(self.plan.wish.n * chosen.part(form))),
        }


def planned(survey: Survey, wanted: Wishes | AcceptedPlan) -> Planned:
    """422 where a wish cannot be, or nothing can be proposed."""
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
        offered = proposal.offer(every, questions, plan.wish)
    except ValueError:
        raise Refusal(422, "no_proposal", NOTHING) from None
    return Planned(storage.draft_mark(normalized(survey.draft)), plan, questions, offered)


def _check_keys(questions: Sequence[StudioQuestion], wanted: Wishes | AcceptedPlan) -> None:
    keys = {question.key for question in questions}
    for name in ("widths", "own"):
        if unknown := sorted(wanted.get(name, {}).keys() - keys):  # type: ignore[attr-defined]
            raise Refusal(422, "wishes", f"“{name}”: “{unknown[0][:40]}” is no question that can be planned.")
    if len(wanted.get("crossed", [])) > PAIRS_MOST:
        raise Refusal(422, "wishes", f"“crossed”: at most {PAIRS_MOST} pairs.")


def _wishes(wanted: Wishes | AcceptedPlan) -> QueryDict:
    """As they would be typed into the studio's form."""
    typed = QueryDict(mutable=True)
    typed["total"] = text_of(wanted["total"])
    typed.update({name: text_of(wanted.get(name)) for name in ("n", "points")})
    for field, name in (("width", "widths"), ("own", "own")):
        typed.update({f"{field}.{key}": text_of(value) for key, value in wanted.get(name, {}).items()})  # type: ignore[attr-defined]
    for pair in wanted.get("crossed", []):
        typed.appendlist("first", pair[0] if pair else "")
        typed.appendlist("second", pair[-1] if pair else "")
    return typed
