"""A designer's inputs about letters."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from surveys.designer.studio.grouped_lists import in_groups, keep_list, people_file, people_list
from surveys.designer.studio.terms import Area, Input
from surveys.respondent.invitations import addresses
from surveys.respondent.invitations.texts import SUBJECT_MOST, TEXT_MOST, Words

FORGET, KEEP = "forget", "keep"
NAME_MOST = 80


def group() -> forms.CharField:
    """Return the field of a group's name. Everyone who works on the survey sees the name."""
    help_text = _("If response rates of parts are wanted, such as departments.")
    return forms.CharField(required=False, max_length=NAME_MOST, strip=True, label=_("Group"), help_text=help_text)


class GroupedInput(Input):
    """A form for people to invite. If results are published by group, all join the chosen group, or the group in their
    line."""

    def __init__(self, groups: Sequence[str], *arguments: Any, **options: Any) -> None:
        self.groups = groups
        super().__init__(*arguments, **options)

    def prepare(self) -> None:
        if self.groups:
            help_text = _("Reports name their group. Choose one for all, or use the last column of the list.")
            choices = [("", _("the last column of the list")), *((name, name) for name in self.groups)]
            self.fields["group"] = forms.ChoiceField(
                required=False, label=_("Group"), choices=choices, help_text=help_text
            )


class _WordsInput(Input):
    """A letter's words. surveys/respondent/invitations/texts.py checks them."""

    subject = forms.CharField(
        required=False, max_length=SUBJECT_MOST, widget=forms.TextInput(attrs={"dir": "auto"}), label=_("Subject")
    )
    text = forms.CharField(
        required=False,
        max_length=TEXT_MOST,
        widget=Area(attrs={"rows": 9, "dir": "auto"}),
        label=_("Text"),
        help_text=_("{link} becomes each person’s link."),
    )

    def words(self, language: str, keeps: bool) -> Words:
        return Words(language, self.cleaned_data["subject"], self.cleaned_data["text"], keeps)


class LettersInput(_WordsInput, GroupedInput):
    addresses = people_list(
        label=_("Email addresses"),
        help_text=_(
            "As mail programs copy them, or a table (CSV) with one email address a line. Each email address is one "
            "person."
        ),
    )
    file = people_file()
    keeps = forms.ChoiceField(
        widget=forms.RadioSelect,
        label=_("The addresses"),
        choices=[
            (FORGET, _("are deleted, each when its email is sent: no one can be reminded")),
            (KEEP, _("are kept until the survey ends, so that people can be reminded")),
        ],
        initial=FORGET,
    )
    group = group()

    def clean(self) -> None:
        keep_list(self, "addresses")

    def people(self) -> dict[str, str]:
        """Return each email address with its group. Raise UnreadLines."""
        text = self.cleaned_data["addresses"]
        if not self.groups or self.cleaned_data["group"]:
            return dict.fromkeys(addresses.read(text), self.cleaned_data["group"])
        placed = in_groups(text, self.groups)
        group_of = {each.row.number: each.group for each in placed}
        numbers = addresses.read_rows([each.row for each in placed])
        return {address: group_of[number] for address, number in numbers.items()}


class ReminderInput(_WordsInput):
    pass


class StopInput(Input):
    addresses = people_list(
        label=_("Email addresses"),
        help_text=_("Of people who want no more emails, or whose emails came back. Their invitations stay."),
    )
