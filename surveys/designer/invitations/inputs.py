"""A designer's inputs about invitations."""

import csv
from collections import Counter
from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from surveys.designer.invitations.mail_inputs import choose_group, group
from surveys.designer.studio.terms import Input, number
from surveys.respondent.invitations.addresses import recipients
from surveys.respondent.invitations.book import MOST
from surveys.respondent.page.links import token_of

LINE_MAX = 320  # characters of an email address, or of the list's text for a person
CSV, CARDS = "csv", "cards"
CARDS_MOST = 400  # at once: a page takes a tenth of a second


class InviteInput(Input):
    """A number of people, or a list of them. `cleaned_data["people"]` has a text for each."""

    count = number(_("How many people"), _("If you keep the list of them yourself."), 1, MOST)
    listed = forms.CharField(
        required=False,
        max_length=MOST * LINE_MAX,
        widget=forms.Textarea(attrs={"rows": 5}),
        label=_("Or a list, one person a line"),
        help_text=_(
            "Addresses as mail programs copy them, or names, or numbers: of a CSV the first column. They go into your "
            "file and are not stored."
        ),
    )
    language = forms.ChoiceField(required=False, label=_("Language of the links"))
    group = group()
    format = forms.ChoiceField(
        label=_("What you get"),
        choices=[(CSV, _("A file (CSV) with a link for each")), (CARDS, _("Cards to print (PDF), eight a page"))],
        initial=CSV,
    )

    def __init__(self, languages: Any, groups: Sequence[str], data: Any = None) -> None:
        super().__init__(data)
        choose_group(self, groups)
        self.fields["language"].choices = [("", _("the one of each browser")), *languages]  # type: ignore[attr-defined]

    def clean_listed(self) -> list[str]:
        """The people of the list: each nonempty line once."""
        people = [person for line in self.cleaned_data["listed"].splitlines() for person in _people(line)]
        if any(len(each) > LINE_MAX for each in people):
            raise forms.ValidationError(_("A line has at most %(most)d characters."), params={"most": LINE_MAX})
        most_common = Counter(people).most_common(1)
        if most_common and most_common[0][1] > 1:
            raise forms.ValidationError(_("“%(line)s” stands there twice."), params={"line": most_common[0][0]})
        return people

    def clean(self) -> dict[str, Any]:
        count, people = self.cleaned_data.get("count"), self.cleaned_data.get("listed")
        if not self.errors and bool(count) == bool(people):
            self.add_error("count", _("Give a number or a list."))
        self.cleaned_data["people"] = people or [""] * (count or 0)
        if self.cleaned_data.get("format") == CARDS and len(self.cleaned_data["people"]) > CARDS_MOST:
            most = {"most": CARDS_MOST}
            self.add_error("format", _("At most %(most)d cards at once. Make the others after them.") % most)
        return self.cleaned_data


def _people(line: str) -> list[str]:
    """The addresses of a line that has several and nothing else but names, as mail programs copy them; else its first
    cell."""
    addresses, is_list = recipients(line)
    if is_list and len(addresses) > 1:
        return addresses
    cells = next(csv.reader([line]), [])
    return [cells[0].strip()] if cells and cells[0].strip() else []


class LinkInput(Input):
    """An invitation's link, or its last part; `cleaned_data["token"]` is the token."""

    token = forms.CharField(max_length=2000, label=_("The person’s link"), strip=True)

    def clean_token(self) -> str:
        token = token_of(self.cleaned_data["token"])
        if token is None:
            raise forms.ValidationError(_("This is not the link of an invitation."))
        return token
