"""The beginning and the end of a survey, as a designer enters them, in the account's time zone."""

from datetime import date, datetime, time
from typing import Any

from django import forms
from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from surveys.access import Visitor
from surveys.drafts.proposals import publishes_nothing
from surveys.figures.typed import Moment, Percent, WholeNumber, written
from surveys.life.lifecycle import Terms, never_narrow
from surveys.life.versions import can_take_link, is_wave
from surveys.models import Survey
from surveys.rules.limits import PEOPLE_MAX
from surveys.survey import definition as definitions
from surveys.survey.definition.document import Definition

PASSED = _("This time has passed.")
N_MOST = 10**9


class End(Moment):
    """A time at which a survey ends. A day without a time means the end of that day."""

    def read(self, value: Any) -> datetime | None:
        try:
            day = forms.DateField().to_python(value) if isinstance(value, str) else None
        except forms.ValidationError:
            day = None
        return super().read(value) if day is None else end_of(day)


def end_of(day: date) -> datetime:
    """Return the last second of a day in the page's time zone. If the clock shows it twice, return the later one."""
    return timezone.make_aware(datetime.combine(day, time(23, 59, 59, fold=1)))


def moment(label: Any, help_text: Any, kind: type[Moment] = Moment) -> Moment:
    return kind(required=False, label=label, help_text=help_text)


def number(label: Any, help_text: Any, low: int, high: int) -> WholeNumber:
    widget = forms.TextInput(attrs={"inputmode": "numeric"})
    return WholeNumber(required=False, min_value=low, max_value=high, widget=widget, label=label, help_text=help_text)


def people_field(**options: Any) -> WholeNumber:
    return WholeNumber(label=_("People expected"), min_value=1, max_value=PEOPLE_MAX, **options)


class Area(forms.Textarea):
    """A textarea whose line ends count as one character. Browsers count them so for a field's maximum, but send two."""

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:
        value = super().value_from_datadict(data, files, name)
        return value.replace("\r\n", "\n") if isinstance(value, str) else value


class Input(forms.Form):
    """A form with accessible fields: each control names its help and errors for screen readers."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.prepare()
        for name, field in self.fields.items():
            described = [f"{name}-help"] * bool(field.help_text) + [f"{name}-error"] * (name in self.errors)
            field.widget.attrs |= {"aria-describedby": " ".join(described)} if described else {}
            field.widget.attrs |= {"aria-invalid": "true"} if name in self.errors else {}

    def prepare(self) -> None:
        """Change the fields before they are validated."""


HAND, FIXED = "hand", "fixed"


class TermsInput(Input):
    """The terms of a survey. `end` names the field that ends the survey. Without `end`, every filled field does."""

    end = forms.ChoiceField(
        required=False,
        label=_("When it ends"),
        choices=[(HAND, _("By hand, when you like")), (FIXED, _("At a time or a number of reports, set now"))],
    )
    opens_at = moment(_("Begins"), _("A day without a time means its first moment. Empty: at once."))
    closes_at = moment(
        _("Ends at a time"),
        _(
            "A day without a time means its end. If you move it after the first results, margins are those of an end "
            "by hand."
        ),
        End,
    )
    closes_after = number(
        _("Ends at a number of reports"), _("No more reports are taken after that."), settings.RELEASE_LEAST, N_MOST
    )
    points = Percent(
        required=False,
        min_value=0.1,
        max_value=49,
        decimal_places=2,
        max_digits=4,
        widget=forms.TextInput(attrs={"inputmode": "decimal", "placeholder": " "}),
        label=_("Ends at a precision, in percentage points"),
        help_text=_("As soon as no interval of a release reaches further than this to either side."),
    )
    batch = number(
        _("Reports in a batch"),
        _("Each release has at least this many more reports than the one before."),
        settings.BATCH,
        settings.BACKLOG_MAX,
    )
    publishes_once = forms.BooleanField(required=False, label=_("Publish once, at the end"))
    takes_link = forms.BooleanField(
        required=False, label=_("The link of the earlier version leads here while this one is open")
    )
    unpublished = forms.BooleanField(required=False, label=_("Open it although nothing will ever be published"))

    def __init__(self, survey: Survey, user: Visitor, data: Any = None) -> None:
        self._survey = survey
        known = Terms.of(survey)._asdict()
        wished = known.pop("closes_at_half_width")
        self.can_take_link = can_take_link(survey, user)
        known |= {
            "end": FIXED if known["closes_at"] or known["closes_after"] else HAND,
            "points": written(f"{100 * wished:g}") if wished else None,
            "takes_link": self.can_take_link and not is_wave(survey),
        }
        super().__init__(data, initial=known)

    def clean_opens_at(self) -> datetime | None:
        return ahead(self.cleaned_data["opens_at"])

    def clean_closes_at(self) -> datetime | None:
        return ahead(self.cleaned_data["closes_at"])

    def clean_takes_link(self) -> bool:
        if self.cleaned_data["takes_link"] and not self.can_take_link:
            raise forms.ValidationError(
                _("Only a designer of the earlier version can take over its link, and both need an open link.")
            )
        return bool(self.cleaned_data["takes_link"])

    def clean(self) -> dict[str, Any]:
        begins, ends = self.cleaned_data.get("opens_at"), self.cleaned_data.get("closes_at")
        if begins and ends and ends <= begins:
            self.add_error("closes_at", _("It must end after it begins."))
        self._check_end()
        self._check_precision()
        if self.cleaned_data.get("publishes_once") and self.cleaned_data.get("points"):
            self.add_error(
                "publishes_once", _("Choose one: without releases while it runs, no survey can end at a precision.")
            )
        if self.publishes_nothing and not self.cleaned_data["unpublished"]:
            self.add_error("unpublished", _("Say yes to this, or expect more people, or use fewer forms."))
        return self.cleaned_data

    def _check_end(self) -> None:
        end, typed = self.cleaned_data.get("end"), [each for each in ("closes_at", "closes_after") if self[each].data]
        if end == FIXED and not typed:
            self.add_error("closes_at", _("Say when it ends, or choose to end it by hand."))
        if end == HAND and typed:
            self.add_error(typed[0], _("You chose to end it by hand: empty this, or choose the other end."))

    def _check_precision(self) -> None:
        definition = self._definition if self.cleaned_data.get("points") else None
        if definition and (question := never_narrow(definition)):
            text = _(
                "Intervals of “%(question)s” may never get that narrow, because several answers decide who is asked it."
            )
            self.add_error("points", text % {"question": question})

    @property
    def _definition(self) -> Definition | None:
        """The definition that opening would make; None of a draft that cannot be opened."""
        try:
            return definitions.build(self._survey.draft)
        except definitions.DraftRefused:
            return None

    @property
    def publishes_nothing(self) -> bool:
        """Return whether too few people are expected for any result. False of a draft that cannot be opened."""
        definition = self._definition
        return definition is not None and publishes_nothing(self._survey.draft, definition, self._survey.expected_n)

    def terms(self) -> Terms:
        given = self.cleaned_data
        points = given["points"]
        width = float(points) / 100 if points else None
        ends = given["closes_at"], given["closes_after"], width
        return Terms(given["opens_at"], *ends, given["batch"], given["publishes_once"], given["takes_link"])


def ahead(given: datetime | None) -> datetime | None:
    """Return the time unchanged. Raise ValidationError if it has passed."""
    if given is not None and given <= timezone.now():
        raise forms.ValidationError(PASSED)
    return given


class EndInput(Input):
    closes_at = moment(
        _("Ends at a time"),
        _(
            "A day without a time means its end. Empty: you end it by hand, or it ends as chosen when it was opened. "
            "If you move it after the first release, the last results have the wider intervals that hold at every "
            "release."
        ),
        End,
    )

    def clean_closes_at(self) -> datetime | None:
        return ahead(self.cleaned_data["closes_at"])


class OpeningTimeInput(Input):
    opens_at = moment(_("Begins"), _("A day without a time means its first moment. Empty: at once."))

    def clean_opens_at(self) -> datetime | None:
        return ahead(self.cleaned_data["opens_at"])
