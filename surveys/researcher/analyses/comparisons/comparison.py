"""Find the question of another survey's release that matches a question here."""

import re
from collections.abc import Callable, Container
from urllib.parse import urlsplit

from django.http import Http404
from django.utils.translation import gettext as _

from ldp.question import Drawn
from ldp.routing import alike
from surveys.access import Visitor, visible_release
from surveys.models import Survey
from surveys.researcher.analyses.comparisons.selection import Other, UnfitSurvey
from surveys.researcher.results.reached import shows_who
from surveys.researcher.results.released import ReleasedQuestion, of_release

_PLACE = re.compile(r"(?:.*/)?r/(?P<slug>[-a-zA-Z0-9_]+)(?:/(?P<number>[0-9]{1,9}))?(?:/.*)?")
_SLUG = re.compile(r"(?P<slug>[-a-zA-Z0-9_]+)(?:/(?P<number>[0-9]{1,9}))?/?")


def find(
    visitor: Callable[[str], Visitor], survey: Survey, released: ReleasedQuestion, version: str, address: str
) -> Other | None:
    """Return the question that `version` or `address` names; None if neither names a survey.

    The release is the newest unless the URL names one. `visitor` returns the user for a slug. Raise UnfitSurvey if the
    user may not see the survey or the questions differ.
    """
    slug, number = _named(address) if address else (version, None)
    if not slug:
        return None
    if slug == survey.slug:
        raise UnfitSurvey(_("Releases of the same survey share reports: name another survey."))
    try:
        release = visible_release(visitor(slug), slug, number)[1]
    except Http404:
        raise UnfitSurvey(_("There are no results at this URL that you may see.")) from None
    if release is None:
        raise UnfitSurvey(_("This survey has no release yet."))
    of_same_people = alike(survey.questions, release.survey.questions)
    key = _same(released, release.counted_questions, of_same_people)
    if key is None:
        raise UnfitSurvey(
            _("This survey does not ask the same people a question with the same answers in the same order.")
        )
    if not shows_who(of_release(slug, release.number, key)):
        raise UnfitSurvey(_("Reports of this survey only bound how many people were asked the question."))
    return Other(slug, release.number, key)


def _named(address: str) -> tuple[str, int | None]:
    match = _PLACE.fullmatch(urlsplit(address).path) or _SLUG.fullmatch(address)
    if match is None:
        raise UnfitSurvey(_("This is not the URL of a survey's results, such as /r/name/."))
    return match["slug"], int(match["number"]) if match["number"] else None


def _same(released: ReleasedQuestion, questions: list[Drawn], of_same_people: Container[str]) -> str | None:
    """Return the key of the matching question or item; None without a match.

    A question with the same text comes first, then one with the same key. A question that only some people are asked
    matches only under the same conditions: everyone else counts there as one of the answers.
    """
    fitting = [one for one in questions if fits(released, one) and _asks_alike(released, one, of_same_people)]
    if not fitting:
        return None
    mine = released.question
    best = max(fitting, key=lambda one: (one["text"] == mine["text"], one["key"] == mine["key"]))
    if not released.place:
        return str(best["key"])
    return f"{best['key']}.{best['items'].index(released.item) + 1}"


def _asks_alike(released: ReleasedQuestion, question: Drawn, of_same_people: Container[str]) -> bool:
    mine = released.question
    if "asked_if" not in mine and "asked_if" not in question:
        return True
    return question["key"] == mine["key"] and question["key"] in of_same_people


def fits(released: ReleasedQuestion, question: Drawn) -> bool:
    """Return whether `question` has the same kind, the same answers in order or scale, and in a grid the same item."""
    mine = released.question
    same = all(question.get(name) == mine.get(name) for name in ("kind", "options", "edges", "low", "high", "unit"))
    return same and (not released.place or released.item in question.get("items", ()))
