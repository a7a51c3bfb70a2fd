"""The overview of an opened survey: its state, the next task, the main facts, and the settings that can still
change."""

from typing import NamedTuple

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from ldp.forms.definition import groups
from surveys.access import doer, has_role, requires
from surveys.designer.studio import review, status, versions
from surveys.designer.studio.pages import page, state_of
from surveys.designer.studio.reached import reached
from surveys.designer.studio.terms import EndInput, OpeningTimeInput
from surveys.figures import numerals, strengths
from surveys.figures.display import Result, displayed
from surveys.life.chain import can_be_followed
from surveys.life.versions import linked
from surveys.models import Release, Role, Survey
from surveys.models.release import first_release
from surveys.researcher.results import response_cache
from surveys.researcher.results.findings import says_nothing
from surveys.researcher.results.reached import of_release
from surveys.survey.definition import alpha_total
from surveys.web.tabs import by_invitation


class Next(NamedTuple):
    """A sentence on the survey's state, and the next task."""

    sentence: str | Promise
    label: str | Promise = ""
    url: str = ""


@require_safe
@requires(Role.VIEWER)
def overview(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Show an opened survey. A draft leads designers to its questions, and other users to a short page."""
    if survey.is_draft:
        designs = has_role(request.user, survey, Role.DESIGNER)
        return redirect("survey-questions", survey.pk) if designs else _draft(request, survey)
    return show(request, survey)


def _draft(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Show a draft to users who may not change it."""
    return page(request, survey, "designer/draft.html", {"frozen": review.look(survey)[0]})


def show(
    request: HttpRequest, survey: Survey, end: EndInput | None = None, beginning: OpeningTimeInput | None = None
) -> HttpResponse:
    """Show an opened survey. `end` and `beginning` are refused forms."""
    designs = has_role(request.user, survey, Role.DESIGNER)
    release = Release.objects.readable(survey).last()
    among = linked(survey, request.user)
    context = {
        "next": _of_opened(survey, release, designs),
        "question_count": len(survey.questions),
        "alpha_total": alpha_total(survey.definition),
        "in_forms": "forms" in survey.definition,
        "protection": strengths.of_definition(survey.definition),
        "release": release,
        "wished": f"{100 * survey.closes_at_half_width:g}" if survey.closes_at_half_width else "",
        "n": numerals.count(release.n) if release else "",
        "reached": reached(survey),
        "troubles": status.troubles(survey),
        "others": [(each, each.number > among.own.number, state_of(each.survey)) for each in among.others],
        "designs": designs,
        "end": end or EndInput(initial={"closes_at": survey.closes_at}),
        "beginning": beginning or OpeningTimeInput(initial={"opens_at": survey.opens_at}),
        "can_be_followed": can_be_followed(survey),
    } | versions.beside(survey, doer(request))
    response = page(request, survey, "designer/overview.html", context)
    response.status_code = 422 if end or beginning else 200
    return response


def _of_opened(survey: Survey, release: Release | None, designs: bool) -> Next:
    results = _("See the results"), reverse("results", args=[survey.slug])
    watch = _("Watch its progress"), reverse("survey-progress", args=[survey.pk])
    sharing = _("Invite people") if by_invitation(survey) else _("Share the link")
    share = (sharing, reverse("survey-share", args=[survey.pk])) if designs else watch
    if survey.state == Survey.State.CLOSED:
        if release and release.final:
            return Next(_ended(release), *results)
        if survey.fewer_than:
            return _of_too_few(survey, designs)
        return Next(_("This survey has ended. Its last results come within seconds."), *(results if release else watch))
    if survey.begins_later:
        return Next(_("This survey is open and will take reports once it begins. Its link can be shared now."), *share)
    if release:
        return Next(_so_far(release), *results)
    return Next(_first(survey), *share)


def _results(release: Release) -> list[Result]:
    """Return the release's results among the people who were asked."""
    return of_release(displayed(response_cache.document(release)["questions"]), release)


def _ended(release: Release) -> str:
    if says_nothing(_results(release)):
        return _("This survey has ended. Too few people answered to say anything precise.")
    return _("This survey has ended, and all its results are available.")


def _so_far(release: Release) -> str:
    if says_nothing(_results(release)):
        return _("This survey is open and takes reports. It is too early to say anything precise.")
    return _("This survey is open and takes reports. There are results, and there will be more.")


def _of_too_few(survey: Survey, designs: bool) -> Next:
    sentence = _(
        "This survey ended with fewer than %(least)d reports. That is too few: nothing is published, and the reports "
        "were erased."
    )
    text = sentence % {"least": survey.fewer_than}
    return Next(text, _("See a trial run instead"), reverse("survey-try", args=[survey.pk])) if designs else Next(text)


def _first(survey: Survey) -> str:
    low, high = first_release(survey.batch_size)
    if survey.publishes_once or status.only_at_the_end(survey):
        text = _(
            "This survey is open and takes reports. Its results appear at its end, if there are at least %(least)d."
        )
        if groups(survey.definition):
            text = _(
                "This survey is open and takes reports. Its results appear at its end, of each group with at least "
                "%(least)d."
            )
        return text % {"least": settings.RELEASE_LEAST}
    sentence = _(
        "This survey is open and takes reports. The first results appear when %(low)d are there, at the latest when "
        "there are %(high)d. If it ends before, they appear at its end, if there are at least %(least)d."
    )
    if "forms" in survey.definition:
        sentence = _(
            "This survey is open and takes reports. The first results appear when %(low)d people have answered the "
            "same form, at the latest when %(high)d have. If it ends before, they appear at its end, of each form with "
            "at least %(least)d."
        )
    elif groups(survey.definition):
        sentence = _(
            "This survey is open and takes reports. The first results appear when %(low)d people of one group have "
            "answered, at the latest when %(high)d have. If it ends before, they appear at its end, of each group with "
            "at least %(least)d."
        )
    return sentence % {"low": low, "high": high, "least": settings.RELEASE_LEAST}


def question_count(draft: object) -> int:
    """Return how many questions a draft has, complete or not."""
    questions = draft.get("questions") if isinstance(draft, dict) else None
    return len(questions) if isinstance(questions, list) else 0
