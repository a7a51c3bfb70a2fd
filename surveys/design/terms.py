"""When a survey begins and ends, as a designer says it. All times are UTC."""

from datetime import datetime
from typing import Any

from django import forms
from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from surveys.figures.typed import Number, WholeNumber
from surveys.lifecycle import Terms
from surveys.models import Survey

PASSED = _("This time has passed.")
N_MOST = 10**9


def moment(label: Any, help_text: Any) -> forms.DateTimeField:
    widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")
    return forms.DateTimeField(required=False, widget=widget, label=label, help_text=help_text)


def number(label: Any, help_text: Any, low: int, high: int) -> WholeNumber:
    widget = forms.TextInput(attrs={"inputmode": "numeric"})
    return WholeNumber(required=False, min_value=low, max_value=high, widget=widget, label=label, help_text=help_text)


class Area(forms.Textarea):
    """An end of a line is one character here too: browsers count it so against the most that a field takes, and send
    two."""

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:
        value = super().value_from_datadict(data, files, name)
        return value.replace("\r\n", "\n") if isinstance(value, str) else value


class Form(forms.Form):
    """Each field's help and errors are named in its control, for those who do not see them."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        for name, field in self.fields.items():
            described = [f"{name}-help"] * bool(field.help_text) + [f"{name}-error"] * (name in self.errors)
            field.widget.attrs |= {"aria-describedby": " ".join(described)} if described else {}
            field.widget.attrs |= {"aria-invalid": "true"} if name in self.errors else {}


class TermsForm(Form):
    opens_at = moment(_("Begins (UTC)"), _("Empty: at once."))
    closes_at = moment(_("Ends at a time (UTC)"), _("You can change it while the survey is open."))
    closes_after = number(
        _("Ends at a number of reports"), _("Nobody is taken beyond it."), settings.RELEASE_LEAST, N_MOST
    )
    points = Number(
        required=False,
        min_value=0.1,
        max_value=49,
        decimal_places=2,
        max_digits=4,
        widget=forms.TextInput(attrs={"inputmode": "decimal"}),
        label=_("Ends at a precision, in percentage points"),
        help_text=_("As soon as no interval of a release reaches further than this to either side."),
    )
    batch = number(
        _("Reports in a batch"),
        _("Each release has at least this many more than the one before."),
        settings.BATCH,
        settings.BACKLOG_MAX,
    )

    def __init__(self, survey: Survey, data: Any = None) -> None:
        known = Terms.of(survey)._asdict()
        wished = known.pop("closes_at_half_width")
        super().__init__(data, initial=known | {"points": f"{100 * wished:g}" if wished else None})

    def clean_opens_at(self) -> datetime | None:
        return ahead(self.cleaned_data["opens_at"])

    def clean_closes_at(self) -> datetime | None:
        return ahead(self.cleaned_data["closes_at"])

    def clean(self) -> dict[str, Any]:
        begins, ends = self.cleaned_data.get("opens_at"), self.cleaned_data.get("closes_at")
        if begins and ends and ends <= begins:
            self.add_error("closes_at", _("It must end after it begins."))
        return self.cleaned_data

    def terms(self) -> Terms:
        given = self.cleaned_data
        points = given["points"]
        width = float(points) / 100 if points else None
        return Terms(given["opens_at"], given["closes_at"], given["closes_after"], width, given["batch"])


def ahead(given: datetime | None) -> datetime | None:
    """The time as it was given. ValidationError where it lies behind."""
    if given is not None and given <= timezone.now():
        raise forms.ValidationError(PASSED)
    return given


class EndForm(Form):
    closes_at = moment(
        _("Ends at a time (UTC)"),
        _(
            "Empty: you end it by hand, or it ends as chosen when it was opened. Moved after the first release, the "
            "last results have the wider intervals that hold at every release."
        ),
    )

    def clean_closes_at(self) -> datetime | None:
        return ahead(self.cleaned_data["closes_at"])


class OpeningTimeForm(Form):
    opens_at = moment(_("Begins (UTC)"), _("Empty: at once."))

    def clean_opens_at(self) -> datetime | None:
        return ahead(self.cleaned_data["opens_at"])
