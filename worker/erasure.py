"""Erasure of the reports of an ended survey, or of one of its forms, if they are too few to be published."""

from django.conf import settings

from surveys.models import Block, Survey, Tally
from surveys.models.tally import nothing


def erase(survey: Survey, tally: Tally) -> None:
    """Erase the reports of each form of an ended survey that was never released and has too few. If no form has enough,
    mark the survey. The caller holds the tally's lock.

    The ids of erased reports stay for a while, as in any survey, so that a retry still gets the answer that its report
    arrived. Until then readers of the database can count the ids. No page shows this number: a survey without answers
    looks the same there. But if a survey closed at a number of reports, its staff can subtract the released ones from
    that number.
    """
    least = settings.RELEASE_LEAST
    for form in _too_few(survey, tally, least):
        Block.objects.filter(survey=survey, form=form).delete()
        [tally.tallies[form]], [tally.held[form]] = nothing(1), nothing(1)
    Survey.objects.filter(pk=survey.pk).exclude(stored=0).update(stored=tally.n + tally.held_n)
    tally.fewer_than, tally.traces = None if tally.n + tally.held_n else least, True
    tally.save()


def _too_few(survey: Survey, tally: Tally, least: int) -> list[int]:
    """Return the forms with fewer than `least` reports. A form that was released before had enough."""
    known = set(Block.objects.filter(survey=survey, stage=Block.Stage.RELEASED).values_list("form", flat=True))
    each = enumerate(zip(tally.tallies, tally.held, strict=True))
    return [form for form, (one, held) in each if form not in known and one["n"] + held["n"] < least]
