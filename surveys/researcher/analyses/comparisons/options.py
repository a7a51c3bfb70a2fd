"""The questions of a release that have answers to compare."""

from django.http import Http404

from ldp.question import Drawn
from surveys.models import Release
from surveys.researcher.results import released
from surveys.researcher.results.reached import shows_who_of
from surveys.researcher.results.released import ReleasedQuestion
from surveys.survey import kinds

Group = tuple[str, list[tuple[str, str]]]


def of_release(release: Release) -> list[Group]:
    """Return the groups of a release, without questions where reports only bound how many people were asked."""
    return groups([question for question in release.counted_questions if shows_who_of(release, question)])


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
    """Return the question of this key; without a key the first with two answers to compare, None if there is none.
    Http404 if the key is of no such question."""
    keys = [key for _, parts in of_release(release) for key, _ in parts]
    if wanted is not None:
        if wanted not in keys:
            raise Http404
        return released.of_release(release.survey.slug or "", release.number, wanted)
    for key in keys:
        try:
            return released.of_release(release.survey.slug or "", release.number, key)
        except Http404:
            continue  # the item has no reports
    return None
