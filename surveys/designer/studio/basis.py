"""The three questions of a new survey: how many people its designer reaches, how, and how strongly a report is
protected. The draft keeps the answers, and the planner uses them from then on."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys.designer.studio import meaning as words
from surveys.designer.studio.answering import INVITED, OPEN_LINK
from surveys.designer.studio.terms import Input, people_field
from surveys.drafts import protection
from surveys.drafts.proposals import BEGINNING
from surveys.figures import strengths
from surveys.figures.targets import usual_target
from surveys.rules.draft import Draft
from surveys.rules.unchecked import as_list, as_object
from surveys.survey.definition.invitations import FIELD as INVITATIONS
from surveys.survey.definition.protection import FIELD as PROTECTION


def about(draft: Mapping[str, Any]) -> str:
    """Return words for the people whom a draft's planned margins are about."""
    return _("about a population") if usual_target(draft) == "population" else _("about exactly those who take part")


@dataclass(frozen=True)
class Basis:
    """The answers. `people` is None if no number was typed; `total` is the alpha of a report."""

    people: int | None = None
    invited: bool = False
    total: Fraction = Fraction(BEGINNING)

    def give(self, draft: Draft) -> Draft:
        """Store the answers in a draft, in place, and return it. A file's or a copy's alphas, forms, and choice of who
        can answer stay."""
        questions = [as_object(each) for each in as_list(draft.get("questions"))]
        decided = any("alpha" in part for part in [*questions, *as_list(draft.get("draws"))]) or "forms" in draft
        if not decided and PROTECTION not in draft:
            protection.leave(draft, self.total)
        if self.invited:
            draft.setdefault(INVITATIONS, True)
        return draft


USUAL = Basis()
STEPS: list[tuple[str, str]] = [(total, total) for total in strengths.TOTALS]


class BasisInput(Input):
    people = people_field(required=False)
    who = forms.ChoiceField(
        label=gettext_lazy("How do you reach them?"),
        required=False,
        choices=[
            (OPEN_LINK, gettext_lazy("By an open link: anyone who has it can answer")),
            (INVITED, gettext_lazy("By personal invitations: one report each")),
        ],
    )
    total = forms.ChoiceField(
        label=gettext_lazy("How strongly must a report be protected?"),
        required=False,
        choices=STEPS,
    )


def answers(form: BasisInput) -> Basis:
    """Return the answers of a valid form."""
    fields = form.cleaned_data
    return Basis(fields["people"], fields["who"] == INVITED, Fraction(fields["total"] or BEGINNING))


class TotalOption(NamedTuple):
    """A total alpha with its step. `most` is the highest chance, of 100, that an answer can have after a report."""

    total: str
    step: strengths.ProtectionStep
    most: str
    chosen: bool


def totals(chosen: str) -> list[TotalOption]:
    """Return the steps of protection, each with an alpha that is certainly of this step."""
    steps = [(each, strengths.of_survey([Fraction(each)])) for each in strengths.TOTALS]
    return [TotalOption(each, step, words.raised(Fraction(each)), each == chosen) for each, step in steps]
