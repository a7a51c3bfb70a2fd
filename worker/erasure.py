"""An ended survey of too few reports: nothing of it is ever published, so what was sent is erased."""

from surveys.models import Block, Survey, Tally


def erase(survey: Survey, tally: Tally, least: int) -> None:
    """Erase the reports of a survey that ended with fewer than `least` and was never released, under its tally's lock.

    Their ids stay for a while as those of any survey, so that a retry hears that its report had come; until then the
    database's table of ids tells how many they were. No page does: that nobody answered looks the same there.
    """
    Block.objects.filter(survey=survey).delete()
    Survey.objects.filter(pk=survey.pk).update(stored=0)
    tally.n, tally.totals, tally.held_n, tally.held_totals = 0, {}, 0, {}
    tally.fewer_than, tally.traces = least, True
    tally.save()
