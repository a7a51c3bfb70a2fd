"""A designer's inputs about invitations."""

import csv
from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from surveys.designer.invitations.mail_inputs import GroupedInput, group
from surveys.designer.studio.grouped_lists import Placed, in_groups, keep_list, people_file, people_list
from surveys.designer.studio.terms import Input, number
from surveys.respondent.invitations import refusals
from surveys.respondent.invitations.addresses import LongLine, Twice, UnreadLines, recipients, rows
from surveys.respondent.invitations.book import MOST
from surveys.respondent.page.links import token_of

LINE_MAX = 320  # characters of an email address, or of a person's line in the list
CSV, CARDS = "csv", "cards"
CARDS_MOST = 400  # cards at once; a page of cards takes a tenth of a second


class InviteInput(GroupedInput):
    """A number of people, or a list of them. `cleaned_data` has a text for each of the `people`, and their `groups`."""

    count = number(_("How many people"), _("If you keep the list of them yourself."), 1, MOST)
    listed = people_list(
        label=_("Or a list, one person a line"),
        help_text=_(
            "Email addresses, names or numbers; from a CSV, the first column. They go into your file and are not "
            "stored."
        ),
    )
    file = people_file()
    language = forms.ChoiceField(required=False, label=_("Language of the links"))
    group = group()
    format = forms.ChoiceField(
        label=_("What you get"),
        choices=[(CSV, _("A file (CSV) with a link for each")), (CARDS, _("Cards to print (PDF), eight a page"))],
        initial=CSV,
    )

    def __init__(self, languages: Any, groups: Sequence[str], data: Any = None, files: Any = None) -> None:
        self.languages = languages
        super().__init__(groups, data, files)

    def prepare(self) -> None:
        super().prepare()
        self.fields["language"].choices = [  # type: ignore[attr-defined]
            ("", _("the one of each browser")),
            *self.languages,
        ]

    def clean(self) -> dict[str, Any]:
        text = keep_list(self, "listed")
        count, group, people = self.cleaned_data.get("count"), self.cleaned_data.get("group", ""), []
        try:
            people = self._people(text, group)
        except UnreadLines as error:
            self.add_error("listed", refusals.of_lines(error))
        if not self.errors and bool(count) == bool(people):
            self.add_error("count", _("Give a number or a list."))
        elif not self.errors and count and self.groups and not group:
            self.add_error("group", _("Choose the group of these people, or give a list with a column of groups."))
        self.cleaned_data["people"] = [person for person, _group in people] or [""] * (count or 0)
        self.cleaned_data["groups"] = [own for _person, own in people] or [group] * (count or 0)
        if self.cleaned_data.get("format") == CARDS and len(self.cleaned_data["people"]) > CARDS_MOST:
            most = {"most": CARDS_MOST}
            self.add_error("format", _("At most %(most)d cards at once. Make the others after them.") % most)
        return self.cleaned_data

    def _people(self, text: str, group: str) -> list[tuple[str, str]]:
        """Return the people of the list once each, with their groups. Raise UnreadLines."""
        is_column = bool(self.groups) and not group
        placed = (
            in_groups(text, self.groups) if is_column and text.strip() else [Placed(row, group) for row in rows(text)]
        )
        people, before, errors = [], dict[str, int](), list[Exception]()
        for row, own in placed:
            for person in _of_line(row.text):
                if len(person) > LINE_MAX:
                    errors.append(LongLine(row.number, LINE_MAX))
                if person in before:
                    errors.append(Twice(row.number, person, before[person]))
                before[person] = row.number
                people.append((person, own))
        if errors:
            raise UnreadLines(*errors)
        return people


def _of_line(line: str) -> list[str]:
    """Return the people of a line. A line with several addresses and otherwise only names, as mail programs copy them,
    has one for each address. Any other line has its first cell."""
    people, is_list = recipients(line)
    if is_list and len(people) > 1:
        return people
    cells = next(csv.reader([line]), [])
    return [cells[0].strip()] if cells and cells[0].strip() else []


class LinkInput(Input):
    """A link of an invitation, or its last part. `cleaned_data["token"]` is the token."""

    token = forms.CharField(max_length=2000, label=_("The person’s link"), strip=True)

    def clean_token(self) -> str:
        token = token_of(self.cleaned_data["token"])
        if token is None:
            raise forms.ValidationError(_("This is not the link of an invitation."))
        return token
