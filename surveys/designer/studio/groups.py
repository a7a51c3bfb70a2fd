"""The groups of a draft whose results are published separately: typed, or counted in a list of people."""

import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import cast

from django import forms
from django.conf import settings
from django.http import QueryDict
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys import drafts
from surveys.access import Visitor
from surveys.designer.studio.grouped_lists import keep_list, people_file, people_list, sizes
from surveys.designer.studio.terms import Area, Input
from surveys.drafts import Change
from surveys.figures import typed
from surveys.models import Survey
from surveys.respondent.invitations import refusals
from surveys.respondent.invitations.addresses import UnreadLines, rows
from surveys.rules.enumeration import quoted
from surveys.rules.limits import PEOPLE_MAX
from surveys.rules.refusals import DraftRefused
from surveys.survey.definition.invitations import (
    FIELD,
    GROUPS,
    GROUPS_MOST,
    NAME_MAX,
    TOGETHER,
    check_name,
    check_names,
    parts_of,
)

# A name, and a number of people after the line's last separator.
_SIZED = re.compile("(.*\\S)\\s*[;:\t\uff1a\uff1b\u061b]\\s*(\\S.*)")  # with the Chinese and Arabic separators
# With more groups than these, the joined name of the small ones would be too long even with one letter for each.
MANY = 2 * GROUPS_MOST
Sizes = dict[str, int | None]


class GroupsInput(Input):
    """Groups with their numbers of people, in `cleaned_data["groups"]`. A list of people replaces typed groups. A
    button joins the ticked groups."""

    joins = False

    groups = forms.CharField(
        required=False,
        max_length=4 * GROUPS_MOST * NAME_MAX,
        widget=Area(attrs={"rows": 6, "dir": "auto"}),
        label=gettext_lazy("Groups, one a line, each with its number of people"),
        help_text=gettext_lazy("Such as “Sales; 120”."),
    )
    listed = people_list(
        label=gettext_lazy("Or a list of the people"),
        help_text=gettext_lazy(
            "One a line, with the group in the last column. The groups and their sizes are taken from it, and the list "
            "is not stored: after opening, the same list invites everyone into their group."
        ),
    )
    file = people_file()

    def clean_groups(self) -> Sizes:
        """Return the typed groups. The error names all wrong lines."""
        groups: Sizes = {}
        known: set[str] = set()
        errors = []
        for number, line in rows(self.cleaned_data["groups"]):
            name, people = line.strip(), None
            if match := _SIZED.fullmatch(name):
                name, people = match[1], _people(match[2])
            is_unread = match and not (people is not None and 1 <= people <= PEOPLE_MAX)
            rule = _("the number of people must be a whole number.") if is_unread else _rule(name, known)
            errors += [_("Line %(line)d: %(rule)s") % {"line": number, "rule": rule}] if rule else []
            groups[name] = people
        if errors:
            raise forms.ValidationError(errors)
        return groups

    def clean(self) -> None:
        text = keep_list(self, "listed")
        field = "listed" if text.strip() else "groups"
        if field == "listed":
            try:
                self.cleaned_data["groups"] = sizes(text)
            except UnreadLines as error:
                self.add_error("listed", refusals.of_lines(error))
        if field not in self.errors and (rules := self._rules()):
            self.add_error(field, rules)

    def _rules(self) -> list[str]:
        """Return the rules that the groups break. If the button was pressed, join the ticked groups first."""
        groups = self.cleaned_data["groups"]
        if len(groups) == 1:
            return [_("Name two groups or more, or none.")]
        if "together" in self.data:
            groups = self.cleaned_data["groups"] = together(groups, cast(QueryDict, self.data).getlist("ticked"))
        return _rules(groups, self.joins)


class NewGroupsInput(GroupsInput):
    """The groups of a new survey. Too small groups are joined with the next larger ones (`declare`)."""

    joins = True


def _people(text: str) -> int | None:
    try:
        return int(typed.read(text, whole=True))
    except typed.Unread:
        return None


def _rules(groups: Sizes, joins: bool) -> list[str]:
    """Return the rules that the groups break. If `joins`, or if there are too many groups, the rules apply after too
    small groups are joined."""
    is_full = len(groups) > GROUPS_MOST
    shown = together(groups, _too_small(groups)) if (joins or is_full) and len(groups) <= MANY else groups
    if is_full and not 1 < len(shown) <= GROUPS_MOST:
        rule = _("There are %(many)d groups, and at most %(most)d can be shown.")
        return [rule % {"many": len(groups), "most": GROUPS_MOST}]
    if long := [name for name in shown if len(name) > NAME_MAX and TOGETHER in name]:
        rule = _("“%(name)s” is one group, but its name has more than %(most)d characters. Use shorter names.")
        return [rule % {"name": _short(long[0]), "most": NAME_MAX}]
    known: set[str] = set()
    wrong = [(name, _rule(name, known)) for name in groups]
    return [f"{quoted(_short(name))}: {rule}" for name, rule in wrong if rule] or _alike(shown if is_full else groups)


def _short(name: str) -> str:
    return Truncator(name).chars(NAME_MAX)


def _rule(name: str, known: set[str]) -> str:
    """Return the rule that a name breaks beside the known names, "" if none. Add the name to the known ones."""
    try:
        check_name(name)
    except DraftRefused as refused:
        return refused.refusals[0].message
    rule = "" if known.isdisjoint(parts_of(name)) else _("this group is there twice.")
    known.update(parts_of(name))
    return rule


def _alike(groups: Sizes) -> list[str]:
    """Return the rules that the names break only together."""
    try:
        if len(groups) > 1:
            check_names(list(groups))
    except DraftRefused as refused:
        return [breach.message for breach in refused.refusals]
    return []


def declare(survey: Survey, user: Visitor, sizes: Sizes) -> None:
    """Store the groups in a draft. Joining too small groups is a separate change, so a user can undo it, unless the
    draft had too many groups."""
    if len(sizes) <= GROUPS_MOST:
        drafts.change(survey, user, change(sizes), "groups")
    if joined := _too_small(sizes):
        shown = change(together(sizes, joined))
        sentence = _("“%(names)s” is one group: nothing can be shown of a group with fewer than %(least)d people.")
        names = TOGETHER.join(name for name in sizes if name in joined)
        sentence %= {"names": names, "least": settings.RELEASE_LEAST}
        if not shown.fields[GROUPS]:
            sentence = f"{sentence} {shown.sentence}"
        drafts.change(survey, user, replace(shown, sentence=sentence), "groups")


def _too_small(sizes: Sizes) -> list[str]:
    """Return the names of too small groups, and of the groups to join them with."""
    people = {name: n for name, n in sizes.items() if n}
    return proposed(people, [name for name, n in people.items() if n < settings.RELEASE_LEAST])


def together(sizes: Mapping[str, int | None], names: Collection[str]) -> Sizes:
    """Return the groups, with these joined as one in the place of the first. The number of people is None if it is
    unknown for one of them."""
    joined = [name for name in sizes if name in names]
    if len(joined) < 2:
        return dict(sizes)
    numbers = [people for people in map(sizes.get, joined) if people is not None]
    one = {TOGETHER.join(joined): sum(numbers) if len(numbers) == len(joined) else None}
    shown: Sizes = {}
    for name, people in sizes.items():
        shown |= one if name == joined[0] else {} if name in joined else {name: people}
    return shown


def proposed(people: Mapping[str, int], small: Collection[str]) -> list[str]:
    """Return the names of groups to join: the too small ones, and the next larger ones until they are enough
    together."""
    chosen: list[str] = []
    for name in sorted(people, key=lambda each: (each not in small, people[each])):
        if name not in small and (not chosen or sum(map(people.__getitem__, chosen)) >= settings.RELEASE_LEAST):
            break
        chosen.append(name)
    return chosen if len(chosen) > 1 else []


def change(groups: Mapping[str, int | None]) -> Change:
    """Return the change of a draft to these groups. A single group means no groups."""
    if len(groups) < 2:
        return Change({GROUPS: []}, _("No group's results are published apart."), "no groups")
    stored = [{"name": name} | ({"people": people} if people else {}) for name, people in groups.items()]
    return Change({GROUPS: stored, FIELD: True}, _("The results of each group are published, too."), "groups")
