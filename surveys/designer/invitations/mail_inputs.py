"""A designer's inputs about letters."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from surveys.designer.studio.terms import Area, Input
from surveys.respondent.invitations.book import MOST
from surveys.respondent.invitations.texts import SUBJECT_MOST, TEXT_MOST, Words

FORGET, KEEP = "forget", "keep"
LIST_MOST = MOST * 320
NAME_MOST = 80


def group() -> forms.CharField:
    """A group's name: everyone who works on the survey sees it."""
    help_text = _("If response rates of parts are wanted, such as departments.")
    return forms.CharField(required=False, max_length=NAME_MOST, strip=True, label=_("Group"), help_text=help_text)


def choose_group(form: forms.Form, groups: Sequence[str]) -> None:
    """Require one of these groups, where results are published by group."""
    if groups:
        help_text = _("Their reports say that they are of this group, and its results are published apart.")
        choices = [("", "…"), *((name, name) for name in groups)]
        form.fields["group"] = forms.ChoiceField(label=_("Group"), choices=choices, help_text=help_text)


def _list(**options: Any) -> forms.CharField:
    return forms.CharField(
        required=False, max_length=LIST_MOST, strip=False, widget=forms.Textarea(attrs={"rows": 5}), **options
    )


class _WordsInput(Input):
    """The words are checked where they are used (surveys/respondent/invitations/texts.py)."""

    subject = forms.CharField(
        required=False, max_length=SUBJECT_MOST, widget=forms.TextInput(attrs={"dir": "auto"}), label=_("Subject")
    )
    text = forms.CharField(
        required=False,
        max_length=TEXT_MOST,
        widget=Area(attrs={"rows": 9, "dir": "auto"}),
        label=_("Text"),
        help_text=_("{link} stands for the link of each person."),
    )

    def words(self, language: str, keeps: bool) -> Words:
        return Words(language, self.cleaned_data["subject"], self.cleaned_data["text"], keeps)


class LettersInput(_WordsInput):
    addresses = _list(
        label=_("Email addresses"),
        help_text=_(
            "As mail programs copy them, or a table (CSV) with one address a line. Each address is one person."
        ),
    )
    file = forms.FileField(
        required=False, label=_("Or a file (CSV)"), widget=forms.FileInput(attrs={"accept": ".csv,.txt,text/csv"})
    )
    keeps = forms.ChoiceField(
        widget=forms.RadioSelect,
        label=_("The addresses"),
        choices=[
            (FORGET, _("are deleted, each when its email is sent: nobody can be reminded")),
            (KEEP, _("are kept until the survey ends, so that people can be reminded")),
        ],
        initial=FORGET,
    )
    group = group()

    def __init__(self, groups: Sequence[str], *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        choose_group(self, groups)

    def people(self) -> str:
        """The list of people as it was typed, or the file's."""
        file = self.cleaned_data["file"]
        text: str = self.cleaned_data["addresses"]
        return file.read(LIST_MOST).decode("utf-8", "replace") if file else text


class ReminderInput(_WordsInput):
    pass


class StopInput(Input):
    addresses = _list(
        label=_("Email addresses"),
        help_text=_("Of people who want no more emails, or whose emails came back. Their invitations stay."),
    )
