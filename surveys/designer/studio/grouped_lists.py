"""A list of people, typed or in a file, with their groups in the last column."""

import csv
import io
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple, cast

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from surveys.respondent.invitations.addresses import ListLine, NoAddress, NoGroup, Twice, UnreadLines, rows
from surveys.respondent.invitations.book import MOST
from surveys.survey.definition.invitations import group_with

# Of those in a line, the first one in this order separates its columns; the Arabic and Chinese marks do as ours.
DELIMITERS = "\t;\u061b\uff1b,\u060c\uff0c"
LIST_MOST = MOST * 320


class Placed(NamedTuple):
    """A line without its last column, and the last column."""

    row: ListLine
    group: str


def sizes(text: str) -> dict[str, int]:
    """Return the number of people in each group of a list, in the list's order. Raise UnreadLines.

    The first line is a heading if it has no email address and no other line has its group, because no group of one
    person is ever shown."""
    placed = _placed(rows(text))
    if _may_be_heading(placed) and [each.group for each in placed].count(placed[0].group) == 1:
        placed = placed[1:]
    errors: list[Exception] = [] if placed else [NoAddress(1)]
    known: dict[str, int] = {}
    for (number, person), group in placed:
        if not group:
            errors.append(NoGroup(number, ""))
        elif person.casefold() in known:
            errors.append(Twice(number, person, known[person.casefold()]))
        else:
            known[person.casefold()] = number
    if errors:
        raise UnreadLines(*errors)
    return dict(Counter(group for _row, group in placed))


def in_groups(text: str, names: Sequence[str]) -> list[Placed]:
    """Return the lines of a list with the survey's names of their groups, without a heading. Raise UnreadLines."""
    placed = _placed(rows(text))
    if _may_be_heading(placed) and group_with(names, placed[0].group) is None:
        placed = placed[1:]
    known = [(row, group_with(names, group), group) for row, group in placed]
    errors = [NoGroup(row.number, text) for row, name, text in known if name is None]
    if errors:
        raise UnreadLines(*errors)
    return [Placed(row, name) for row, name, _text in known if name is not None]


def _placed(every: Sequence[ListLine]) -> list[Placed]:
    return [_split(row) for row in every]


def _may_be_heading(placed: Sequence[Placed]) -> bool:
    """Return whether the first line may be a heading: it has no email address, and lines follow."""
    return len(placed) > 1 and "@" not in placed[0].row.text + placed[0].group


def _split(row: ListLine) -> Placed:
    """Return the line without its last column, and that column; "" if there is only one column."""
    delimiter = next((each for each in DELIMITERS if each in row.text), ",")
    cells = [cell.strip() for cell in next(csv.reader([row.text], delimiter=delimiter), [])]
    while cells and not cells[-1]:
        cells.pop()
    before, group = (cells[:-1], cells[-1]) if len(cells) > 1 else (cells, "")
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(before)
    return Placed(row._replace(text=line.getvalue()), group)


# Fields ---------------------------------------------------------------------------------------------------------------


def people_list(**options: Any) -> forms.CharField:
    return forms.CharField(
        required=False, max_length=LIST_MOST, strip=False, widget=forms.Textarea(attrs={"rows": 5}), **options
    )


def people_file() -> forms.FileField:
    widget = forms.FileInput(attrs={"accept": ".csv,.txt,text/csv"})
    return forms.FileField(required=False, label=_("Or a file (CSV)"), widget=widget)


def keep_list(form: forms.Form, name: str) -> str:
    """Return the typed list, or the file's. The field keeps the text, so that it is not lost if another field is
    refused."""
    file, text = form.cleaned_data.get("file"), str(form.cleaned_data.get(name) or "")
    if file:
        text = file.read(LIST_MOST).decode("utf-8", "replace")
        form.data = cast(QueryDict, form.data).copy()
        form.data[name] = text
    form.cleaned_data[name] = text
    return text
