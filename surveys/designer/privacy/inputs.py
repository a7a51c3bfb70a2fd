"""A designer's variants on the privacy pages. They are in the URL, checked here, and never stored."""

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django import forms
from django.conf import settings
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ldp.exact import ALPHA_MAX, DELTA_MAX, parse_alpha, parse_delta
from ldp.forms.definition import arms_of
from ldp.forms.lot import WEIGHT_MAX
from ldp.mechanisms import FITTING, SIZED, WITH_DELTA
from ldp.planning.design import Brief, BriefQuestion, Crossed
from surveys.designer.privacy.figures import measure
from surveys.designer.privacy.studio_question import StudioQuestion
from surveys.designer.studio.terms import people_field
from surveys.drafts import proposals
from surveys.drafts.proposals import PEOPLE
from surveys.figures.strengths import TOTALS
from surveys.figures.targets import instead, other, target_of_query, usual_target
from surveys.figures.typed import Alpha, Number, WholeNumber, written
from surveys.models import Survey
from surveys.rules.limits import CATEGORIES_MAX, QUESTIONS_MAX
from surveys.rules.texts import decimal, is_number
from surveys.survey.kinds import in_draft
from surveys.survey.mechanisms import MECHANISMS

DELTA = "0.000001"
_DECIMAL = re.compile(r"[0-9]{1,4}(?:\.[0-9]{1,6})?", re.ASCII)

# The slider's stops are closer where alphas are small.
SLIDER = tuple(
    f"{stop / 100:g}" for stop in (*range(10, 100, 5), *range(100, 200, 10), *range(200, 400, 25), *range(400, 801, 50))
)


def switched(query: QueryDict, document: Mapping[str, Any]) -> tuple[str, str]:
    """Return the URL of the same page about the other target, and the words of its link."""
    shown, usual = target_of_query(query, document), usual_target(document)
    changed = query.copy()
    changed.pop("target", None)
    if shown == usual:
        changed["target"] = other(shown)
    return f"?{changed.urlencode()}", instead(shown)


def people_of(survey: Survey) -> int:
    return survey.expected_n or PEOPLE


def batch_of(survey: Survey) -> int:
    """Return how many reports of a survey are counted together; for a draft, the smallest batch."""
    return survey.batch or settings.BATCH


class WhatIfInput(forms.Form):
    """Alpha, people and a wished half-width of one question; for experts, its mechanism."""

    alpha = Alpha(label="Alpha", most=ALPHA_MAX, max_length=12)
    n = people_field()
    width = Number(label=gettext_lazy("Wished interval"), min_value=0, max_digits=18, decimal_places=6)
    mechanism = forms.ChoiceField(label=gettext_lazy("Mechanism"), required=False)
    size = WholeNumber(
        label=gettext_lazy("Options that are sent"), min_value=1, max_value=CATEGORIES_MAX - 1, required=False
    )
    delta = Alpha(label="Delta", most=DELTA_MAX, max_length=14, required=False)

    def __init__(self, data: QueryDict, question: StudioQuestion, survey: Survey, wished: str) -> None:
        stored = {name: str(value) for name, value in question.settings().items()} | {"alpha": question.variant.alpha}
        stored |= {name: written(stored[name]) for name in ("alpha", "delta") if is_number(stored.get(name))}
        typed = {name: str(data[name]).strip() for name in self.base_fields if name in data}
        initial = {"n": str(question.people(people_of(survey))), "width": written(wished), "delta": written(DELTA)}
        initial |= {"size": ""}
        # An open survey is fixed; only people and the wish can vary.
        super().__init__(initial | typed | stored if question.frozen else initial | stored | typed)
        self.question = question
        names = FITTING.get(str(question.draft.get("kind")), ())
        choices = [(name, MECHANISMS[name].name) for name in names]
        self.needs_delta = any(name in WITH_DELTA for name in names)
        kind = in_draft(question.draft)
        self.takes_size = kind is not None and "size" in kind.optional
        self.fields["mechanism"].choices = [("", _("Automatic: the most precise")), *choices]  # type: ignore[attr-defined]

    @property
    def chooses(self) -> bool:
        """Return whether there is a mechanism or a size to choose."""
        return self.takes_size or len(self.fields["mechanism"].choices) > 2  # type: ignore[attr-defined]

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
    def variant(self) -> StudioQuestion:
        """Return the question with the variant's valid fields."""
        if self.question.frozen:
            return self.question
        cleaned = self.cleaned_data
        if self.question.joint:
            return self.question.changed(alpha=cleaned.get("alpha", self.question.variant.alpha))
        mechanism, delta = cleaned.get("mechanism", ""), cleaned.get("delta", "") or DELTA
        changes = {"alpha": cleaned.get("alpha", self.question.variant.alpha), "mechanism": mechanism}
        changes["size"] = cleaned.get("size") or "" if self.takes_size and mechanism in ("", *SIZED) else ""
        return self.question.changed(**changes, delta=delta if mechanism in WITH_DELTA else "")


def _checked(parse: Any, text: str, rule: str) -> str:
    """Return the number as a definition writes it."""
    try:
        parse(text)
    except ValueError:
        raise forms.ValidationError(rule) from None
    return decimal(Decimal(text))


# The inputs of a proposal ---------------------------------------------------------------------------------------------

OTHER = "other"
PAIRS_MOST = 10


def wishes(data: QueryDict) -> list[tuple[str, str]]:
    """Return the keys of the pairs that a URL asks to cross."""
    pairs = zip(data.getlist("first"), data.getlist("second"), strict=False)
    return [pair for pair in pairs if all(pair)][:PAIRS_MOST]


def wishes_query(data: QueryDict) -> str:
    """Return the part of a URL that keeps the wished pairs on the way to another page."""
    return urlencode([part for first, second in wishes(data) for part in (("first", first), ("second", second))])


class PlanInput(forms.Form):
    """A designer's inputs for a proposal: expected people, the protection of a report, the most important questions,
    pairs to cross. Wished precision and questions for everyone are optional."""

    total = forms.ChoiceField(choices=[(total, total) for total in (*TOTALS, OTHER)])
    other = Alpha(label=gettext_lazy("Alpha"), max_length=12, required=False)
    n = people_field()
    crossed = forms.ChoiceField(
        label=gettext_lazy("Pairs to cross"),
        choices=[("none", gettext_lazy("none")), ("some", gettext_lazy("those below")), ("all", gettext_lazy("all"))],
    )
    points = Number(
        label=gettext_lazy("How close each answer must be"),
        required=False,
        min_value=Decimal("0.01"),
        max_value=49,
        max_digits=6,
        decimal_places=3,
    )

    def __init__(self, data: QueryDict, questions: Sequence[StudioQuestion], survey: Survey, total: str) -> None:
        typed = {name: str(data[name]).strip() for name in data if str(data[name]).strip()}
        self.pairs = list(zip(data.getlist("first"), data.getlist("second"), strict=False))[:PAIRS_MOST]
        self.important = {*data.getlist("important")}
        usual = {"n": str(people_of(survey)), "total": total, "other": written(total)}
        usual["crossed"] = "some" if any(map(all, self.pairs)) else "none"
        super().__init__(usual | typed | _other_total(typed, total))
        self.questions = questions
        for question in questions:
            self.fields[_width(question)] = Number(required=False, min_value=0, max_digits=18, decimal_places=6)
            self.fields[_alpha_field(question)] = Alpha(required=False, most=ALPHA_MAX, max_length=12)

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        typed = cleaned.get("other", "") if cleaned.get("total") == OTHER else cleaned.get("total", "")
        if "other" not in self.errors:
            self._read("total", self._total, typed)
        drafts = [question.draft for question in self.questions]
        for question in self.questions:
            if text := cleaned.get(_alpha_field(question)):
                is_version = len(arms_of(drafts, question.key)) > 1
                self._read(_alpha_field(question), _alpha_of_version if is_version else _alpha, text)
        return cleaned

    def _read(self, name: str, parser: Any, text: str) -> None:
        try:
            self.cleaned_data[name] = parser(text)
        except forms.ValidationError as refused:
            self.add_error("other" if name == "total" else name, refused)

    def _total(self, text: str) -> Fraction:
        """Return the alpha of a report, which may exceed a question's."""
        number = Fraction(text) if _DECIMAL.fullmatch(text) else Fraction(0)
        if not Fraction(1, 100) <= number <= 16 * max(1, len(self.questions)):
            raise forms.ValidationError(_("A number from 0.01 on, with at most six digits after the point, such as 2."))
        return number

    def rows(self) -> "list[PlanRow]":
        return [
            PlanRow(question, question.key in self.important, self[_width(question)], self[_alpha_field(question)])
            for question in self.questions
        ]

    @property
    def crossable(self) -> list[StudioQuestion]:
        """Return the questions with options. A mean has no cross-table."""
        return [each for each in self.questions if "options" in (each.without_form.variant.built or {})]

    @property
    def brief(self) -> Brief:
        """Return the brief of a valid form. Raise ValueError if no question is left for the forms."""
        widths = dict(self._widths())
        planned = [
            BriefQuestion(
                each.key, plan, proposals.IMPORTANT if each.key in self.important else 1.0, widths.get(each.key)
            )
            for each in self.questions
            if (plan := each.without_form.variant.plan)
        ]
        own = {each.key: self.cleaned_data.get(_alpha_field(each)) for each in self.questions}
        return proposals.brief(
            [question.draft for question in self.questions],
            planned,
            self.cleaned_data["total"],
            self.cleaned_data["n"],
            crossed=self._crossed(),
            everyone=tuple((key, alpha) for key, alpha in own.items() if alpha),
            target=next((each.target for each in self.questions), "population"),
        )

    def _crossed(self) -> Crossed:
        if (chosen := self.cleaned_data["crossed"]) != "some":
            return "all" if chosen == "all" else "none"
        able = {question.key for question in self.crossable}
        return tuple(dict.fromkeys(pair for pair in self.pairs if {*pair} <= able and pair[0] != pair[1])) or "none"

    def _widths(self) -> Iterator[tuple[str, float]]:
        """Yield the wished half-widths by key: a mean's as a part of its range, shares' as fractions."""
        points = self.cleaned_data.get("points")
        for question in self.questions:
            number, built = self.cleaned_data.get(_width(question)), question.without_form.variant.built
            if number and built:
                yield question.key, float(number) / measure(built).times
            elif points:
                yield question.key, float(points) / 100


class PlanRow(NamedTuple):
    """A question, whether it is important, and the fields of its wished width and of everyone's alpha."""

    question: StudioQuestion
    important: bool
    width: Any
    own: Any


def _other_total(typed: dict[str, str], total: str) -> dict[str, str]:
    """Return the fields of a total that is not among the choices; {} if it is."""
    given = typed.get("total", total)
    given = given if "total" in typed or given in TOTALS else written(given)
    return {} if given in (*TOTALS, OTHER) else {"total": OTHER, "other": given}


def _width(question: StudioQuestion) -> str:
    return f"width.{question.key}"


def _alpha_field(question: StudioQuestion) -> str:
    return f"own.{question.key}"


def _alpha(text: str) -> Fraction:
    return Fraction(_checked(parse_alpha, text, _("A number from 0.01 to 16, such as 0.5 or 1.")))


def _alpha_of_version(text: str) -> Fraction:
    raise forms.ValidationError(_("No one is asked all versions of a question: leave this empty."))


class ArrangementInput(forms.Form):
    """The weight of a form, and its alpha."""

    form = forms.IntegerField(min_value=1, max_value=QUESTIONS_MAX)
    weight = WholeNumber(label=gettext_lazy("Weight"), min_value=1, max_value=WEIGHT_MAX)
    alpha = Alpha(label=gettext_lazy("Alpha"), most=ALPHA_MAX * QUESTIONS_MAX, max_length=12)

    def clean_alpha(self) -> Fraction:
        """Return the sum of the form's alphas, which may exceed a question's."""
        text = self.cleaned_data["alpha"]
        number = Fraction(text) if _DECIMAL.fullmatch(text) else Fraction(0)
        if not Fraction(1, 100) <= number:
            raise forms.ValidationError(_("A number from 0.01 on, with at most six digits after the point, such as 2."))
        return number
