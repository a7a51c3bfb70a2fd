"""The groups of a draft whose results are published apart: typed, counted in a list of people, or shown together."""

import re
from collections.abc import Mapping, Sequence

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from surveys import drafts
from surveys.access import doer, requires
from surveys.designer.invitations.lists import sizes
from surveys.designer.invitations.mail_inputs import keep_list, people_file, people_list
from surveys.designer.privacy import groups as outlooks
from surveys.designer.privacy.groups import GroupOutlook
from surveys.designer.studio.pages import page
from surveys.designer.studio.terms import Area, Input
from surveys.drafts import Change, NotDraft
from surveys.figures import typed
from surveys.models import Role, Survey
from surveys.respondent.invitations import refusals
from surveys.respondent.invitations.addresses import UnreadLines, rows
from surveys.rules.limits import PEOPLE_MAX
from surveys.survey.definition.invitations import FIELD, GROUPS, GROUPS_MOST, NAME_MAX, TOGETHER, groups_of

# A name and a number of people behind the last mark of a line.
_SIZED = re.compile(r"(.*\S)\s*[;:\t]\s*(\S.*)")
Sizes = dict[str, int | None]


class GroupsInput(Input):
    """`cleaned_data["groups"]` are the groups with their numbers of people, those of the list where there is one."""

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
        """The typed lines: every line that is wrong is named."""
        groups: Sizes = {}
        errors = []
        for number, line in rows(self.cleaned_data["groups"]):
            name, people = line.strip(), None
            if match := _SIZED.fullmatch(name):
                name, people = match[1], _people(match[2])
            rule = _rule(name, people, bool(match), groups)
            errors += [_("Line %(line)d: %(rule)s") % {"line": number, "rule": rule}] if rule else []
            groups[name] = people
        if errors:
            raise forms.ValidationError(errors)
        return groups

    def clean(self) -> None:
        text = keep_list(self, "listed")
        if text.strip():
            try:
                self.cleaned_data["groups"] = sizes(text)
            except UnreadLines as error:
                self.add_error("listed", refusals.of_lines(error))
        if (many := len(self.cleaned_data.get("groups", {}))) > GROUPS_MOST:
            rule = _("There are %(many)d groups, and at most %(most)d can be shown.")
            self.add_error("groups", rule % {"many": many, "most": GROUPS_MOST})


def _people(text: str) -> int | None:
    try:
        return int(typed.read(text, whole=True))
    except typed.Unread:
        return None


def _rule(name: str, people: int | None, is_sized: bool, before: Sizes) -> str:
    if is_sized and not (people is not None and 1 <= people <= PEOPLE_MAX):
        return _("the number of people must be a whole number.")
    if len(name) > NAME_MAX:
        return _("a group's name has at most %(most)d characters.") % {"most": NAME_MAX}
    return _("this group stands there twice.") if name in before else ""


@require_http_methods(["GET", "HEAD", "POST"])
@requires(Role.DESIGNER)
def groups(request: HttpRequest, survey: Survey) -> HttpResponseBase:
    if not survey.is_draft:
        raise Http404
    if request.method != "POST":
        return _show(request, survey)
    form = GroupsInput(request.POST, request.FILES)
    if not form.is_valid():
        return _show(request, survey, form)
    sizes, ticked = form.cleaned_data["groups"], request.POST.getlist("ticked")
    if "together" in request.POST:
        sizes = together(sizes, ticked)
    try:
        drafts.change(survey, doer(request), _change(sizes), "groups")
    except NotDraft:
        messages.warning(request, _("This survey has been opened already. Its definition is frozen."))
        return redirect("survey-alpha", survey.pk)
    return redirect("survey-groups", survey.pk)


def together(sizes: Mapping[str, int | None], names: Sequence[str]) -> Sizes:
    """Return the groups with these shown as one, in the place of the first. Its people are not known where those of one
    of them are not."""
    joined = [name for name in sizes if name in names]
    if len(joined) < 2:
        return dict(sizes)
    numbers = [people for people in map(sizes.get, joined) if people is not None]
    one = {TOGETHER.join(joined): sum(numbers) if len(numbers) == len(joined) else None}
    shown: Sizes = {}
    for name, people in sizes.items():
        shown |= one if name == joined[0] else {} if name in joined else {name: people}
    return shown


def proposed(groups: Sequence[GroupOutlook]) -> list[str]:
    """Return the names of groups that are proposed to be shown together: those that are too small, and the next ones
    until they are enough."""
    chosen: list[GroupOutlook] = []
    for group in sorted((each for each in groups if each.n), key=lambda each: (not each.small, each.n)):
        if not group.small and (not chosen or sum(each.n for each in chosen) >= settings.RELEASE_LEAST):
            break
        chosen.append(group)
    return [group.name for group in chosen if len(chosen) > 1]


def _change(groups: Mapping[str, int | None]) -> Change:
    stored = [{"name": name} | ({"people": people} if people else {}) for name, people in groups.items()]
    if not stored:
        return Change({GROUPS: stored}, _("No group's results are published apart."), "no groups")
    return Change({GROUPS: stored, FIELD: True}, _("The results of each group are published, too."), "groups")


def _show(request: HttpRequest, survey: Survey, form: GroupsInput | None = None) -> HttpResponse:
    shown = outlooks.outlook(survey)
    lines = [name if people is None else f"{name}; {people}" for name, people in groups_of(survey.draft)]
    context = {
        "current": "survey-alpha",
        "form": form or GroupsInput(initial={"groups": "\n".join(lines)}),
        "groups": shown,
        "small": [group for group in shown if group.small],
        "ticked": proposed(shown),
        "least": settings.RELEASE_LEAST,
        "in_forms": bool(survey.draft.get("forms")),
    }
    response = page(request, survey, "designer/groups.html", context)
    response.status_code = 422 if form else 200
    return response
