"""Another survey's release with the same question: which there are, and which one a reader means."""

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
    """Return the named question, of the newest release unless the URL names one; None if none is named. `visitor` is
    the user who names a slug. UnfitSurvey if they may not see it or it cannot be compared."""
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
    """Return the key of the same question or item there; of several, of the one with the same text, or at least the
    same key.

    If only some people are asked, all others count as one of the answers: another survey's shares are then about other
    people unless the conditions are the same, on questions with the same keys.
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
    """Return whether it is of the same kind, with the same answers in the same order or on the same scale, and of a
    grid has the same item."""
    mine = released.question
    same = all(question.get(name) == mine.get(name) for name in ("kind", "options", "edges", "low", "high", "unit"))
    return same and (not released.place or released.item in question.get("items", ()))
