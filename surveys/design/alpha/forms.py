"""What a designer tries on the pages about alpha: it is in the address, and checked here. Nothing of it is stored."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ldp.exact import parse_alpha, parse_delta
from ldp.mechanisms import FITTING, WITH_DELTA
from surveys.design.alpha.questions import Question
from surveys.mechanisms import MECHANISMS
from surveys.models import Survey
from surveys.rules.limits import PEOPLE_MAX
from surveys.rules.texts import decimal

PEOPLE = 1000  # where nobody has said how many are expected
DELTA = "0.000001"

# Where the slider stops: finer where alphas are small.
SLIDER = tuple(
    f"{stop / 100:g}" for stop in (*range(10, 100, 5), *range(100, 200, 10), *range(200, 400, 25), *range(400, 801, 50))
)


def people_of(survey: Survey) -> int:
    return survey.expected_n or PEOPLE


def people_field(**options: Any) -> forms.IntegerField:
    return forms.IntegerField(label=gettext_lazy("People expected"), min_value=1, max_value=PEOPLE_MAX, **options)


class WhatIf(forms.Form):
    """Alpha, people and a wished half-width of one question; its mechanism, for an expert."""

    alpha = forms.CharField(label="Alpha", max_length=12)
    n = people_field()
    width = forms.DecimalField(label=gettext_lazy("Wished interval"), min_value=0, max_digits=18, decimal_places=6)
    mechanism = forms.ChoiceField(label=gettext_lazy("Mechanism"), required=False)
    delta = forms.CharField(label="Delta", max_length=14, required=False)

    def __init__(self, data: QueryDict, question: Question, survey: Survey, wished: str) -> None:
        stored = {name: str(value) for name, value in question.settings().items()} | {"alpha": question.variant.alpha}
        typed = {name: str(data[name]).strip() for name in self.base_fields if name in data}
        begun = {"n": str(people_of(survey)), "width": wished, "delta": DELTA}
        # What was opened stays: only people and the wish are tried.
        super().__init__(begun | typed | stored if question.frozen else begun | stored | typed)
        self.question = question
        names = FITTING.get(str(question.draft.get("kind")), ())
        choices = [(name, MECHANISMS[name].name) for name in names]
        self.fields["mechanism"].choices = [("", _("Automatic: the most precise")), *choices]  # type: ignore[attr-defined]

    def clean_alpha(self) -> str:
        return _checked(parse_alpha, self.cleaned_data["alpha"], _("A number from 0.01 to 16, such as 0.5 or 1."))

    def clean_width(self) -> Any:
        if not self.cleaned_data["width"]:
            raise forms.ValidationError(_("A number above 0."))
        return self.cleaned_data["width"]

    def clean_delta(self) -> str:
        delta = self.cleaned_data["delta"]
        return _checked(parse_delta, delta, _("A number from 0.000000000001 to 0.001.")) if delta else ""

    @property
    def variant(self) -> Question:
        """The question with what is tried, where that is right."""
        if self.question.frozen:
            return self.question
        cleaned = self.cleaned_data
        mechanism, delta = cleaned.get("mechanism", ""), cleaned.get("delta", "") or DELTA
        changes = {"alpha": cleaned.get("alpha", self.question.variant.alpha), "mechanism": mechanism}
        return self.question.changed(**changes, delta=delta if mechanism in WITH_DELTA else "")


def _checked(parse: Any, text: str, rule: str) -> str:
    """The number as a definition writes it. Many languages write a comma where it has a point."""
    text = text.replace(",", ".")
    try:
        parse(text)
    except ValueError:
        raise forms.ValidationError(rule) from None
    return decimal(Decimal(text))


# The split of a total -------------------------------------------------------------------------------------------------

WAYS = (
    ("equal", gettext_lazy("The same alpha for every question")),
    ("weight", gettext_lazy("By weight: more precision where it matters more")),
    ("width", gettext_lazy("By wished intervals: all wider or narrower in one ratio")),
)


class Split(forms.Form):
    """How to spend a total over the questions that can be built; a number for each where the way asks for one."""

    total = forms.CharField(label=gettext_lazy("Total alpha"), max_length=12)
    how = forms.ChoiceField(label=gettext_lazy("How"), choices=WAYS, widget=forms.RadioSelect)

    def __init__(self, data: QueryDict, questions: list[Question], total: str) -> None:
        given = {"total": total, "how": "equal"} | {
            name: str(data[name]).strip() for name in data if str(data[name]).strip()
        }
        super().__init__(given)
        self.questions = questions
        if self.own:
            for question in questions:
                self.fields[self.name(question)] = forms.DecimalField(
                    required=False, min_value=0, max_digits=12, decimal_places=6
                )

    @property
    def own(self) -> str:
        """What is asked of each question: its weight, its wished half-width, or nothing."""
        how = str(self.data.get("how"))
        return how if how in ("weight", "width") else ""

    def name(self, question: Question) -> str:
        return f"{self.own}.{question.name}"

    def clean_total(self) -> Fraction:
        text = self.cleaned_data["total"].replace(" ", "")
        try:
            total = Fraction(text) if text.count(".") <= 1 and text.replace(".", "").isdecimal() else None
        except ValueError:
            total = None
        if total is None or (total * 10**6).denominator != 1:
            raise forms.ValidationError(_("A number with at most six digits after the point, such as 4."))
        least, most = Fraction(len(self.questions), 100), 16 * len(self.questions)
        if not least <= total <= most:
            rule = _("From %(least)s to %(most)s, 0.01 to 16 for each question.")
            raise forms.ValidationError(rule % {"least": f"{float(least):g}", "most": most})
        return total

    def numbers(self, otherwise: float) -> list[float]:
        """The own number of each question, `otherwise` where none is written."""
        cleaned = (self.cleaned_data.get(self.name(question)) for question in self.questions)
        return [float(number) if number else otherwise for number in cleaned]
