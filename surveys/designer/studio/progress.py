"""Progress of a survey: its releases over days, its precision, and its failures."""

from typing import NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from ldp.forms import lot
from ldp.forms.definition import groups, members
from surveys.access import requires
from surveys.designer.studio import status
from surveys.designer.studio.pages import page
from surveys.designer.studio.reached import reached
from surveys.figures import numerals, timeline
from surveys.figures.layout import WIDTHS
from surveys.figures.targets import usual_target
from surveys.figures.themes import THEMES
from surveys.models import GROWTH, Release, Role, Survey
from surveys.models.release import first_release
from surveys.researcher.results import response_cache
from surveys.respondent.invitations import book, counts
from surveys.rules.context import Context
from surveys.web.language import with_language
from surveys.web.tabs import by_invitation


@require_safe
@requires(Role.VIEWER)
def progress(request: HttpRequest, survey: Survey) -> HttpResponse:
    if survey.is_draft:
        return redirect("survey", survey.pk)
    releases = list(Release.objects.readable(survey))
    first_from, first_to = first_release(survey.batch_size)
    context: Context = {
        "troubles": status.troubles(survey),
        "reached": reached(survey),
        "releases": [
            {"number": each.number, "day": each.day, "count": numerals.count(each.n)} for each in releases[::-1]
        ],
        "only_at_the_end": status.only_at_the_end(survey),
        "in_forms": "forms" in survey.definition,
        "in_groups": bool(groups(survey.definition)),
        "first_from": first_from,
        "first_to": first_to,
        "sizes": {width: {"width": pixels, "height": timeline.HEIGHT} for width, pixels in WIDTHS.items()},
    }
    if releases:
        context |= _reached(survey, releases)
    return page(request, survey, "designer/progress.html", context)


def _reached(survey: Survey, releases: list[Release]) -> dict[str, object]:
    last = releases[-1]
    invited = book.invited(survey.digest) if by_invitation(survey) else 0
    # Reports that wait for the batch of their form or group are not counted, so the counted ones give no rate.
    rate = None if len(last.tallies) > 1 else status.rate(survey, releases)
    widths, needed = status.reached(survey, last)
    target = needed if survey.closes_at_half_width else survey.closes_after
    wished = survey.closes_at_half_width
    expected = rate.until(target) if rate and target and target > last.n and not last.final else None
    return {
        "last": last,
        "forms": _forms(survey, last),
        "n": numerals.count(last.n),
        "invited": numerals.count(invited),
        "answered": counts.percent(last.n, invited),
        "a_day": numerals.count(rate.a_day) if rate else "",
        "widths": widths,
        "target": usual_target(survey.definition),
        "wished": f"{100 * wished:g}" if wished else "",
        "most": numerals.integer(survey.closes_after) if survey.closes_after else "",
        "needed": numerals.count_up(needed) if needed and needed > last.n else "",
        "expected": expected,
        "too_late": bool(expected and survey.closes_at and survey.closes_at.date() < expected),
        "grows": "" if last.final else numerals.count(max(survey.batch_size, -(-last.n // GROWTH))),
        "tag": with_language(f"{last.number}-{last.n}"),
    }


class FormProgress(NamedTuple):
    """The number of a form's reports in a release, and the number expected from its weight."""

    place: int
    n: str
    expected: str
    questions: list[str]


def _forms(survey: Survey, release: Release) -> list[FormProgress]:
    """Return the progress of each form; [] without forms."""
    texts = {question["key"]: question["text"] for question in survey.questions}
    listed = survey.definition.get("forms", [])
    chances = lot.chances([form["weight"] for form in listed]) if listed else []
    return [
        FormProgress(
            place,
            numerals.count(tally["n"]),
            numerals.count(round(release.n * chance)),
            [texts[question["key"]] for question in members(survey.definition, place - 1)],
        )
        for place, (tally, chance) in enumerate(zip(release.tallies, chances, strict=False), 1)
    ]


@require_safe
@requires(Role.VIEWER)
def picture(request: HttpRequest, survey: Survey, theme: str, width: str) -> HttpResponse:
    """Return a picture of the releases: a line over days."""
    if survey.is_draft or theme not in THEMES or width not in WIDTHS:
        raise Http404
    points = [(release.day, release.n) for release in Release.objects.readable(survey)]
    beginning = max(filter(None, (survey.opened_at, survey.opens_at))).date()
    title = _("Reports at each release, over days")
    drawn = timeline.draw(beginning, points, survey.closes_after, title, THEMES[theme], WIDTHS[width])
    response = response_cache.respond(request, response_cache.content(drawn), "image/svg+xml")
    response["Cache-Control"] = "private, no-cache"
    return response
