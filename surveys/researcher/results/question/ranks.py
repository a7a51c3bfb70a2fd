"""The mean ranks of a ranking. Each comes from the reports that drew the item."""

from django.utils.translation import gettext as _

from surveys.figures import numerals
from surveys.researcher.results.question import readings
from surveys.researcher.results.question.parts import PageSection, PageTable, level, number_span, whose
from surveys.researcher.results.question.readings import Reading
from surveys.researcher.results.question.selection import QuestionSelection
from surveys.researcher.results.released import ReleasedQuestion


def sections(released: ReleasedQuestion, chosen: QuestionSelection) -> list[PageSection]:
    every = list(readings.mean_ranks(released, chosen.confidence, chosen.target))
    places = max((numerals.places(each.standard_error) for each in every if each.standard_error), default=0)
    rows = [_row(each, places) for each in sorted(every, key=_rank)]
    head = [_("Ranked entry"), _("Mean rank"), _("%(level)s interval, all at once"), _("%(level)s interval, one alone")]
    head = [text % {"level": level(chosen)} if "%" in text else text for text in head]
    caption = _("Mean ranks %(whose)s") % {"whose": whose(released, chosen)}
    texts = [
        _("An entry that everyone puts first has the mean rank 1; one that everyone puts last has %(n)d.")
        % {"n": len(released.question["ranked"])},
        _(
            "A mean rank comes from the reports that drew the entry: it counts how many of the others drawn come "
            "before it."
        ),
    ]
    notes = [_checked(chosen)]
    if all(each.proved for each in every):
        notes = [_("These intervals are proved to hold whatever the answers are.")]
    return [
        PageSection("ranks", _("Mean ranks"), texts, [PageTable("ranks-table", caption, head, rows)], notes, open=True)
    ]


def _checked(chosen: QuestionSelection) -> str:
    if chosen.target != "population":
        return _("These intervals held in every check, but are not proved for only these respondents.")
    return _("These intervals held in every check, but are not proved.")


def _rank(reading: Reading) -> float:
    """Return the sort key of a row. Unknown ranks come last."""
    return float("inf") if reading.estimate is None else reading.estimate


def _row(rank: Reading, places: int) -> list[str]:
    if rank.estimate is None or rank.simultaneous is None or rank.interval is None:
        return [rank.option, _("nothing is known"), "", ""]
    ends = number_span(rank.simultaneous, places), number_span(rank.interval, places)
    return [rank.option, numerals.number(rank.estimate, places), *ends]
