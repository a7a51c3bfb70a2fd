"""The first page's calculator: how many people a survey needs, as the planner computes it."""

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from ldp.kinds.protocol import Size
from ldp.planning.candidates import PlannedQuestion
from ldp.planning.design import Brief, BriefQuestion
from ldp.planning.design_needs import people
from surveys.figures import numerals, strengths
from surveys.figures.typed import Number, WholeNumber
from surveys.models.release import first_release
from surveys.rules.context import Context

QUESTIONS_MOST = 50  # the most questions: each page computes a plan
DEFAULTS = {"questions": "5", "points": "10", "total": "2"}
STEPS: list[tuple[str, str]] = [(total, total) for total in strengths.TOTALS]


class CalculatorInput(forms.Form):
    """The form for a survey of yes/no questions. A field that the URL lacks has its default."""

    questions = WholeNumber(label=_("Yes/no questions"), min_value=1, max_value=QUESTIONS_MOST)
    points = Number(label=_("Margin, ± points"), min_value=Decimal("0.5"), max_value=40, max_digits=4, decimal_places=1)
    total = forms.ChoiceField(label=_("Protection"), choices=STEPS)

    def __init__(self, data: Mapping[str, str]) -> None:
        super().__init__(DEFAULTS | {name: data[name] for name in DEFAULTS if name in data})


def needed(data: Mapping[str, str]) -> Context:
    """Return the context of public/people.html: the form, and the people needed; none if a field is invalid."""
    form, people = CalculatorInput(data), None
    if form.is_valid():
        half_width = Fraction(form.cleaned_data["points"]) / 100
        people = _people(form.cleaned_data["questions"], half_width, form.cleaned_data["total"])
    steps = [(total, strengths.of_survey([Fraction(total)])) for total in strengths.TOTALS]
    return {
        "numbers": [form["questions"], form["points"]],
        "total": form["total"],
        "steps": [(total, step.word, total == form["total"].value()) for total, step in steps],
        "people": numerals.count_up(people) if people else "",
    }


@lru_cache(maxsize=1024)
def _people(questions: int, half_width: Fraction, total: str) -> int | None:
    plan = PlannedQuestion("yes_no", Size(2))
    listed = tuple(BriefQuestion(str(number), plan) for number in range(questions))
    first = first_release(settings.BATCH)[0]
    return people(Brief(listed, Fraction(total), 1, settings.RELEASE_LEAST, first), float(half_width))
