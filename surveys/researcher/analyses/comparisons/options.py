"""The questions of a release that have answers to compare."""

from django.http import Http404

from ldp.question import Drawn
from surveys.models import Release
from surveys.researcher.results.released import ReleasedQuestion, of_release
from surveys.survey import kinds

Group = tuple[str, list[tuple[str, str]]]


def groups(questions: list[Drawn]) -> list[Group]:
    """Return each question's text with the keys and texts of its parts: one part for each item of a grid, else one."""
    choices = []
    for question in questions:
        if kinds.of(question).averaged:
            continue
        key, text, items = question["key"], question["text"], kinds.of(question).items(question)
        parts = [(f"{key}.{place}", item) for place, item in enumerate(items, 1)] if items else [(key, text)]
        choices.append((text, parts))
    return choices


def released_question(release: Release, wanted: str | None) -> ReleasedQuestion | None:
    """Return the question with this key. Without a key return the first question with results; None without one. Raise
    Http404 if no question with comparable answers has the key."""
    keys = [key for _, parts in groups(release.counted_questions) for key, _ in parts]
    if wanted is not None:
        if wanted not in keys:
            raise Http404
        return of_release(release.survey.slug or "", release.number, wanted)
    for key in keys:
        try:
            return of_release(release.survey.slug or "", release.number, key)
        except Http404:
            continue  # the item has no reports
    return None
